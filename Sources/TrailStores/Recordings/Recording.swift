import CivilTime
import Core
import Formats
import Foundation
import Geodesy

/// A recording as imported: segments, points at full precision with sensor values; unknown values stay
/// unknown.
public struct Recording: Sendable, Hashable {
    /// Segments, laps, activity, device, texts.
    public var line: GPXLine
    /// Its source; `nil` for a hike that has only the app's track.
    public var origin: Origin?
    /// The waypoints of the file, unchanged.
    public var waypoints: [GPXPoint] = []
    /// Name, author, copyright, links and similar data of the file; without lines and waypoints.
    public var document = GPXDocument()
    /// The edits since, in order.
    public var edits: [Edit] = []
    /// Remarks on the import: data that was dropped, repaired or inferred.
    public var notices: [String] = []

    /// The source file of a recording.
    public struct Origin: Sendable, Hashable, Codable {
        /// Its name, without folders.
        public var file: String
        /// `gpx`, `fit`, `tcx`, `kml` or `geojson`.
        public var format: String
        /// Its SHA-256 in hexadecimal; `nil` if libcrypto is not installed.
        public var sha256: String?
        /// What became of its points, in words, as earlier versions kept it.
        private var account: String?
        /// What became of its points; `nil` where that was not counted.
        private var counts: SourceAccount?

        /// A file.
        public init(file: String, format: String, sha256: String?, account: SourceAccount? = nil) {
            self.file = file
            self.format = format
            self.sha256 = sha256
            counts = account
        }

        /// The sources of several recordings that became one, each once; `nil` without any. The first one's file stays known by its
        /// content.
        public static func joined(_ origins: [Origin]) -> Origin? {
            // Parts of one file have the account of the whole file.
            var different: [Origin] = []
            for origin in origins where !different.contains(origin) { different.append(origin) }
            guard var all = different.first, different.count > 1 else { return different.first }
            var files: [String] = []
            var formats: [String] = []
            for origin in different {
                if !files.contains(origin.file) { files.append(origin.file) }
                if !formats.contains(origin.format) { formats.append(origin.format) }
            }
            (all.file, all.format) = (files.joined(separator: ", "), formats.joined(separator: ", "))
            let accounts = different.compactMap(\.keptAccount)
            all.account = nil
            all.counts =
                accounts.count < different.count ? nil : SourceAccount.joined(accounts, source: all.file)
            return all
        }

        /// What became of its points.
        var keptAccount: SourceAccount? {
            counts ?? account.map { SourceAccount(source: file, remarks: [$0]) }
        }
    }

    /// What became of the items of its file, with the remarks on its import; `nil` where that was not counted.
    public var account: SourceAccount? {
        origin?.keptAccount.map { .init(source: $0.source, parts: $0.parts, remarks: $0.remarks + notices) }
    }

    /// An edit of a recording.
    public struct Edit: Sendable, Hashable, Codable {
        /// A description such as `cropped to 08:10–09:30: 812 of 2,400 points`.
        public var summary: String
        /// Time of the edit in milliseconds since 1970.
        public var milliseconds: Int64

        /// An edit.
        public init(_ summary: String, at time: Timestamp) {
            self.summary = summary
            milliseconds = time.milliseconds
        }
    }

    /// A recording of a line.
    public init(line: GPXLine, origin: Origin? = nil) {
        self.line = line
        self.origin = origin
    }

    /// All points in order.
    public var points: [GPXPoint] { Array(line.segments.joined()) }

    /// The segments as points of a track.
    public var segments: [[TrackPoint]] { TrackPoint.segments(of: line) }

    /// Metres from the start to each point, by segment; gaps do not count.
    public var distances: [[Double]] {
        var way = 0.0
        return line.segments.map { segment in
            let along = Polyline.cumulativeDistances(segment.map(\.coordinate)).map { way + $0 }
            way = along.last ?? way
            return along
        }
    }

    /// Whether it has an elevation.
    public var hasElevations: Bool {
        line.segments.contains { $0.contains { $0.coordinate.altitude != nil } }
    }

    /// Whether it has a time.
    public var hasTimes: Bool { line.segments.contains { $0.contains { $0.time != nil } } }
}

extension TrackPoint {
    /// The track point of a file's point.
    public init(_ point: GPXPoint) {
        self.init(coordinate: point.coordinate, time: point.time, heartRate: point.heartRate)
    }

    /// The segments of a line.
    public static func segments(of line: GPXLine) -> [[TrackPoint]] {
        line.segments.map { $0.map(TrackPoint.init) }
    }
}

extension Recording {
    /// The recording of an app's track, which has neither segments nor unknown values.
    ///
    /// - Altitudes that are all 0, and times that are all equal, were not recorded. Zeros between altitudes that
    ///   are more than `RecordingSettings.leastPlausibleStep` away were not measured either.
    /// - Where the stored distance is that of the track without its longest steps, these steps are gaps between
    ///   segments.
    public init(track: [TrackPoint], of hike: Hike) {
        var points = track.map { GPXPoint(coordinate: $0.coordinate, time: $0.time) }
        var notices: [String] = []
        let known = points.map { point -> Double? in
            guard let altitude = point.coordinate.altitude, altitude.isFinite else { return nil }
            return altitude
        }
        let unmeasured = Self.unmeasured(known)
        for index in points.indices {
            points[index].coordinate.altitude = unmeasured[index] ? nil : known[index]
        }
        let count = unmeasured.count(where: { $0 })
        if count > 0, count < points.count {
            notices.append("\(count) elevations of exactly 0m among others are treated as unknown")
        }
        if hike.endTime <= hike.startTime, Set(points.lazy.compactMap(\.time)).count <= 1 {
            for index in points.indices { points[index].time = nil }
        }
        let segments = Self.split(points, distance: hike.distance)
        if segments.count > 1 {
            notices.append(
                "\(segments.count - 1) gap\(segments.count == 2 ? "" : "s") between segments inferred from the stored distance"
            )
        }
        var line = GPXLine(name: hike.name, segments: segments)
        if !hike.comment.isEmpty { line.description = hike.comment }
        self.init(line: line)
        self.notices = notices
    }

    /// Whether each altitude of an app's track was not measured.
    private static func unmeasured(_ altitudes: [Double?]) -> [Bool] {
        let others = altitudes.contains { ($0 ?? 0) != 0 }
        guard others else { return altitudes.map { $0 == 0 } }
        var isUnmeasured = altitudes.map { _ in false }
        var index = 0
        while index < altitudes.count {
            guard altitudes[index] == 0 else {
                index += 1
                continue
            }
            var end = index
            while end < altitudes.count, altitudes[end] == 0 { end += 1 }
            let neighbours = [
                index > 0 ? altitudes[index - 1] : nil, end < altitudes.count ? altitudes[end] : nil,
            ]
            .compactMap { $0 }
            if !neighbours.isEmpty, neighbours.allSatisfy({ abs($0) > RecordingSettings.leastPlausibleStep })
            {
                for inner in index..<end { isUnmeasured[inner] = true }
            }
            index = end
        }
        return isUnmeasured
    }

    /// The track split at its longest steps, if the rest has the stored distance; otherwise in one piece.
    private static func split(_ points: [GPXPoint], distance: Double) -> [[GPXPoint]] {
        guard points.count > 2, distance > 0 else { return points.isEmpty ? [] : [points] }
        let steps = zip(points, points.dropFirst()).map { $0.coordinate.distance(to: $1.coordinate) }
        let total = steps.reduce(0, +)
        let tolerance = max(1, distance * RecordingSettings.sameDistance)
        guard total.isFinite, total - distance > tolerance else { return [points] }
        var rest = total
        var gaps: [Int] = []
        for (index, step) in steps.enumerated().sorted(by: {
            ($1.element, $0.offset) < ($0.element, $1.offset)
        })
        .prefix(RecordingSettings.mostInferredGaps) {
            rest -= step
            gaps.append(index)
            if rest - distance <= tolerance { break }
        }
        guard abs(rest - distance) <= tolerance else { return [points] }
        var segments: [[GPXPoint]] = []
        var start = 0
        for gap in gaps.sorted() {
            segments.append(Array(points[start...gap]))
            start = gap + 1
        }
        segments.append(Array(points[start...]))
        return segments
    }
}

/// Fills gaps between known values linearly, and the ends with the nearest value.
public enum Interpolation {
    /// The values; all `nil` if none is known.
    public static func filled(_ values: [Double?]) -> [Double?] {
        var result = values
        var last: Int?
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            if let last, let before = values[last] {
                for inner in (last + 1)..<max(last + 1, index) {
                    result[inner] = before + (value - before) * Double(inner - last) / Double(index - last)
                }
            } else {
                for inner in 0..<index { result[inner] = value }
            }
            last = index
        }
        if let last { for inner in (last + 1)..<max(last + 1, values.count) { result[inner] = values[last] } }
        return result
    }
}

/// Settings of recordings.
public enum RecordingSettings {
    /// Number of points from which packing one of the two blobs on another thread saves time.
    static let leastPackedConcurrently = 20_000
    /// A stored altitude of exactly 0 was not measured if its neighbours differ by more than this many
    /// metres.
    static let leastPlausibleStep = 50.0
    /// Relative difference below which two distances are equal.
    static let sameDistance = 0.01
    /// Maximum number of gaps inferred from a stored distance.
    static let mostInferredGaps = 64
    /// Seconds that a receiver may need for its first position; measurements longer before it, or after the last one, are told.
    static let longestFix = 30.0
    /// Maximum seconds between a recording and its import for its times to be taken for 1024 weeks early.
    static let longestRolledOver = 366 * 86_400.0
    /// Metres between the parts of a plan from which the straight line between them is told.
    static let leastGapOfPlan = 30.0
    /// Seconds and metres within which a recording goes on where another one ended, as after a change of batteries.
    static let longestChange = 1800.0
    static let nearestChange = 250.0
    /// Maximum speed on foot in metres per second: the 100 m record is 10.4 m/s.
    static let fastestOnFoot = 12.5
    /// Maximum speed of an activity in metres per second; an unknown one may be in a vehicle.
    package static func fastest(of activity: String?) -> Double {
        activity?.isEmpty == false && GPXLine.isOnFoot(activity) ? fastestOnFoot : fastest
    }
    /// Metres per second from which a stretch of a recording on foot is a vehicle or lift, and its least seconds and metres.
    static let leastVehicleSpeed = 8.0
    static let leastVehicleTime = 60.0
    static let leastVehicleWay = 500.0
    /// Metres per second up to which the slower steps of an unknown activity are those of one on foot.
    static let fastestPace = 3.0
    /// The share of the way along the positions below which the device's own distance contradicts it, or above its inverse, and the
    /// least metres between the two.
    static let deviceShare = 0.7
    static let leastContradiction = 500.0
    /// The factor between the speeds of a device and those along its positions above which their units differ: knots are 1.9 km/h.
    static let speedFactor = 1.7
    /// Seconds between two points at most for which a speed holds.
    static let longestSpeedStep = 60.0
    /// Seconds, and the share of a device's timer, by which its points must span less to contradict it.
    static let leastShortage = 60.0
    static let shortageShare = 0.01
    /// The share of the way to a point off the way and back that those beside it lie apart at most, and how often the usual speed it must
    /// have taken at least.
    static let detourBase = 0.25
    static let detourFactor = 4.0
    /// Seconds between two points that are hardly a pause.
    static let longestBreak = 7 * 86_400.0
    /// Seconds for which segments of a recording overlap at least where it is of two devices.
    static let leastOverlap = 30.0
    /// Metres of a degree, at most.
    static let mostMetresOfDegree = 111_700.0
    /// Positions that are not measured if all are the same: those of a receiver differ in their last digits.
    static let leastSame = 20
    /// Metres of a way that comes back, within which of its start, among how many points at each end at least how many elevations are
    /// known there, and by how many metres these differ at least where a barometer drifted: more than receivers without one err.
    static let leastLoop = 1000.0
    static let widestLoop = 50.0
    static let loopPoints = 5
    static let leastLoopHeights = 3
    static let leastDrift = 30.0
    /// Metres of a way along which elevations in whole metres may all be the same.
    static let leastShore = 5000.0
    /// Metres of a step of the elevation that is doubted where it is longer than the one forward, and metres per second of a lift.
    static let leastCliff = 50.0
    static let fastestLift = 3.0
    /// The share of such a step that those beside it go on in the same direction at most.
    static let mostBesideCliff = 0.5
    /// Maximum speed of a recording on the ground in metres per second (250 km/h).
    public static let fastest = 70.0
    /// Metres around a place that `hike crop` hides unless another radius is asked for.
    public static let hiddenRadius = 200.0
    /// Minimum metres of a step without times that counts as a jump.
    static let longestStep = 5000.0
    /// Minimum metres of a step with a meaningful speed; shorter steps are dominated by noise.
    static let leastJump = 100.0
    /// Sum of the differences in latitude and longitude in degrees that is always less than `leastJump`: 100
    /// m are at least 0.00089°.
    static let leastJumpDegrees = 0.000_8
    /// Plausible elevations in metres, from the lowest shore to above the highest summit.
    static let elevations = -450.0...8_900.0
    /// Plausible times of a recording device: from 1990 to 2100.
    static let years = PlausibleSettings.years

    /// The year of an implausible time; `nil` for a plausible one.
    public static func strangeYear(_ moment: Timestamp?) -> String? {
        guard let moment, !years.contains(moment) else { return nil }
        return String(ISO8601.text(moment, fraction: .never).prefix { $0 != "-" })
    }

    /// Seconds after the import that times of a recording may lie, for clocks in another zone.
    static let longestAhead = 2 * 86_400.0
    /// Metres of the distance that are said if they are no way, or have no times.
    static let leastWandered = 100.0
    /// Maximum number of warnings of a kind listed individually.
    static let listedWarnings = 3
    /// The version written to the store.
    static let version = 2
    /// The versions that can be read; a recording of an earlier one stays unchanged until it is edited.
    static let versions = 1...version
    /// Maximum bytes of an inflated recording; larger ones are rejected as a decompression bomb.
    static let largest = 1 << 30
    /// Maximum points of a stored recording, four files of the largest size joined; a stream that claims more is
    /// damaged, and would take gigabytes.
    static let mostPoints = 8_000_000
}
