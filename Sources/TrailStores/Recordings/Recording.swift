import CivilTime
import Formats
import Foundation
import Geodesy

/// A recording as it came: segments, points at full precision with what sensors measured, unknown values unknown.
public struct Recording: Sendable, Hashable {
    /// Segments, laps, activity, device, words.
    public var line: GPXLine
    /// Where it came from; `nil` for a hike that has only the app's track.
    public var origin: Origin?
    /// The waypoints of the file, as they came.
    public var waypoints: [GPXPoint] = []
    /// Name, author, copyright, links and the like of the file; without lines and waypoints.
    public var document = GPXDocument()
    /// What was changed since, in order.
    public var edits: [Edit] = []
    /// Remarks on how it was read: what was not kept, repaired or inferred.
    public var notices: [String] = []

    /// The file a recording came from.
    public struct Origin: Sendable, Hashable, Codable {
        /// Its name, without folders.
        public var file: String
        /// `gpx`, `fit`, `tcx`, `kml` or `geojson`.
        public var format: String
        /// Its SHA-256 in hexadecimal; `nil` where libcrypto is not installed.
        public var sha256: String?

        /// A file.
        public init(file: String, format: String, sha256: String?) {
            self.file = file
            self.format = format
            self.sha256 = sha256
        }
    }

    /// A change of a recording.
    public struct Edit: Sendable, Hashable, Codable {
        /// What was done, such as `cropped to 08:10–09:30: 812 of 2,400 points`.
        public var summary: String
        /// Milliseconds since 1970 at which it was done.
        public var milliseconds: Int64

        /// A change.
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

    /// Metres from the start to each point, segment by segment; the way across a gap counts nothing.
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
    /// A point of a file.
    public init(_ point: GPXPoint) {
        self.init(coordinate: point.coordinate, time: point.time, heartRate: point.heartRate)
    }

    /// The segments of a line.
    public static func segments(of line: GPXLine) -> [[TrackPoint]] {
        line.segments.map { $0.map(TrackPoint.init) }
    }
}

extension Recording {
    /// The recording of an app's track, which knows neither segments nor unknown values.
    ///
    /// - Altitudes that are all 0, and times that are all equal, were not recorded. A single 0 between altitudes that are
    ///   more than `RecordingSettings.leastPlausibleStep` away was not measured either.
    /// - Where the stored distance is that of the track without its longest steps, these steps are gaps between segments.
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

    /// Which altitudes of an app's track are no measurements.
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

    /// The track cut at its longest steps, where the rest has the stored distance; else in one piece.
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

/// Fills gaps between known values by straight lines, and the ends with the nearest value.
public enum Interpolation {
    /// The values; all `nil` where none is known.
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

/// Numbers of recordings.
public enum RecordingSettings {
    /// Points from which on packing one of the two blobs on another thread saves more than the thread costs.
    static let leastBeside = 20_000
    /// A stored altitude of exactly 0 whose neighbours are more than this many metres away was not measured.
    static let leastPlausibleStep = 50.0
    /// Relative difference below which two distances are the same.
    static let sameDistance = 0.01
    /// Gaps that are inferred from a stored distance at most.
    static let mostInferredGaps = 64
    /// Faster than this, in metres a second, nobody walks or runs: the 100 m record is 10.4 m/s.
    public static let fastestOnFoot = 12.5
    /// Faster than this, in metres a second, is no recording on the ground (250 km/h).
    public static let fastest = 70.0
    /// A step of this many metres without times is a jump.
    static let longestStep = 5000.0
    /// Speeds over shorter steps are those of the receiver's noise.
    static let leastJump = 100.0
    /// Degrees of latitude and longitude together that are less than `leastJump` anywhere: 100 m are at least 0.00089°.
    static let leastJumpDegrees = 0.000_8
    /// Elevations from the lowest shore to above the highest summit, in metres.
    static let elevations = -450.0...8_900.0
    /// Moments that the clock of a recording device can have shown: from 1990 to 2100.
    static let years =
        Timestamp(milliseconds: 631_152_000_000)..<Timestamp(milliseconds: 4_102_444_800_000)

    /// The year of a moment that no such clock can have shown; `nil` for a plausible one.
    public static func strangeYear(_ moment: Timestamp?) -> String? {
        guard let moment, !years.contains(moment) else { return nil }
        return String(ISO8601.text(moment, fraction: .never).prefix { $0 != "-" })
    }

    /// Warnings of a kind that are listed one by one.
    static let listedWarnings = 3
    /// The version that recordings are stored with.
    static let version = 2
    /// The versions that are read: a recording of an earlier one stays as it is until it is edited.
    static let versions = 1...version
    /// Bytes that a stored recording may inflate to before it is taken for a bomb.
    static let largest = 1 << 30
    /// Points that a stored recording can have: of a larger number in a stream nothing is believed.
    static let mostPoints = largest / 16
}
