import CivilTime
import Core

/// What a format can represent of a recording, so that an export can list the losses.
public struct FormatCapacity: Sendable {
    /// The values of a measurement that a format can represent.
    struct ValueRange: Sendable {
        var range = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        /// The step of its values; 0 for exact values.
        var step = 0.0

        /// The loss of a value: none, rounded to the step, or missing.
        func loss(_ value: Double) -> Loss? {
            guard range.contains(value) else { return .missing }
            guard step > 0 else { return nil }
            let rounded = (value / step).rounded() * step
            return abs(rounded - value) > 1e-6 ? .rounded : nil
        }
    }

    enum Loss { case missing, rounded }

    /// The name of the format in notices.
    public let name: String
    let sensors: [PointSensors.Kind: ValueRange]
    let altitude: ValueRange?
    /// Milliseconds to which times are rounded; points without a time are omitted if `needsTimes`.
    var timeStep: Int64 = 1
    var needsTimes = false
    /// The first time that can be written; `nil` for any.
    var earliest: Timestamp?
    var hasLaps = false
    /// Whether measurements without a position are written, so that an activity may consist of these.
    public var hasUnplaced = false
    /// Whether points have names, links and receiver data.
    var hasPointWords = false
    /// Whether elements of other namespaces are written.
    var hasExtensions = false
    var hasWaypoints = true
    var hasSegments = true
    var hasCalories = false
    /// Whether name, description and links of a line are written.
    var hasLineWords = true
    /// The supported activities; `nil` for any.
    var activities: Set<String>?

    /// GPX 1.1 with the Garmin extensions and our own.
    public static let gpx = FormatCapacity(
        name: "GPX",
        sensors: Dictionary(uniqueKeysWithValues: PointSensors.Kind.allCases.map { ($0, ValueRange()) }),
        altitude: ValueRange(), hasPointWords: true, hasExtensions: true)
    /// FIT activities.
    public static let fit = FormatCapacity(
        name: "FIT",
        sensors: [
            .heartRate: ValueRange(range: 0...254, step: 1),
            .cadence: ValueRange(range: 0...254.99, step: 1.0 / 128),
            .power: ValueRange(range: 0...65_534, step: 1),
            .temperature: ValueRange(range: -127...126, step: 1),
            .speed: ValueRange(range: 0...4e6, step: 0.001), .accuracy: ValueRange(range: 0...254, step: 1),
            .distance: ValueRange(range: 0...4e7, step: 0.01),
        ], altitude: ValueRange(range: -500...8e8, step: 0.2), timeStep: 1000, needsTimes: true,
        earliest: FITProfile.earliest,
        hasLaps: true,
        hasUnplaced: true, hasWaypoints: false, hasCalories: true, hasLineWords: false,
        activities: Set(FITProfile.sports + ["biking"]))
    /// TCX version 2.
    public static let tcx = FormatCapacity(
        name: "TCX",
        sensors: [
            .heartRate: ValueRange(range: 1...255, step: 1), .cadence: ValueRange(range: 0...254, step: 1),
            .power: ValueRange(range: 0...65_535, step: 1), .speed: ValueRange(), .distance: ValueRange(),
        ], altitude: ValueRange(), needsTimes: true, hasLaps: true, hasUnplaced: true, hasWaypoints: false,
        hasCalories: true, hasLineWords: false, activities: ["running", "cycling", "biking"])
    /// KML 2.2.
    public static let kml = FormatCapacity(
        name: "KML", sensors: [.heartRate: ValueRange()], altitude: ValueRange())
    /// GeoJSON.
    public static let geojson = FormatCapacity(
        name: "GeoJSON", sensors: [.heartRate: ValueRange()], altitude: ValueRange())
    /// Community JSON.
    public static let community = FormatCapacity(
        name: "community JSON", sensors: [:], altitude: ValueRange(range: -20_000...20_000, step: 0.1),
        hasSegments: false)

    /// The losses for these lines and waypoints, one notice each; empty if everything is written.
    public func losses(_ lines: [GPXLine], waypoints: [GPXPoint] = []) -> [String] {
        var tally = Tally()
        if !hasSegments, lines.count > 1 { tally.joined = lines.count }
        for line in lines {
            for segment in line.segments { for point in segment { look(point, &tally) } }
            if hasUnplaced { for sample in line.unplaced { look(sample, &tally) } }
            if !hasLaps { tally.laps += line.laps.count }
            if !hasUnplaced { tally.unplaced += line.unplaced.count }
            if !hasSegments, line.segments.count > 1 { tally.segments += line.segments.count - 1 }
            if !hasCalories, line.calories != nil { tally.words.append("calories") }
            if !hasExtensions, line.extensions != nil { tally.extensions += 1 }
            if !hasLineWords, line.name?.nonEmpty != nil { tally.words.append("the name") }
            if !hasLineWords, !line.links.isEmpty { tally.words.append("links") }
            if !hasPointWords, hasLineWords, line.links.count > 1 {
                tally.words.append("links except the first")
            }
            if let activities, let type = line.type, !activities.contains(Self.folded(type)),
                !type.hasPrefix("sport ")
            {
                tally.words.append("the activity \(type)")
            }
        }
        if !hasExtensions { tally.extensions += waypoints.count { $0.extensions != nil } }
        if !hasPointWords { tally.details += waypoints.count { !$0.details.isEmpty } }
        if !hasWaypoints { tally.waypoints = waypoints.count }
        return tally.notices(name)
    }

    private static func folded(_ type: String) -> String { type.lowercased().replacing(" ", with: "_") }

    private func look(_ sample: UnplacedSample, _ tally: inout Tally) {
        look(sample.time, &tally)
        look(sample.altitude, sample.sensors, &tally)
    }

    private func look(_ time: Timestamp, _ tally: inout Tally) {
        if let earliest, time < earliest {
            tally.lostTimes += 1
        } else if time.milliseconds % timeStep != 0 {
            tally.roundedTimes += 1
        }
    }

    /// Looks at the measured values of a point.
    private func look(_ height: Double?, _ values: PointSensors, _ tally: inout Tally) {
        if let height {
            switch altitude.map({ $0.loss(height) }) ?? .missing {
            case .missing: tally.altitudes += 1
            case .rounded: tally.roundedAltitudes += 1
            case nil: break
            }
        }
        guard values != PointSensors() else { return }
        for kind in PointSensors.Kind.allCases {
            guard let value = values[kind] else { continue }
            switch sensors[kind].map({ $0.loss(value) }) ?? .missing {
            case .missing: tally.missing[kind, default: 0] += 1
            case .rounded: tally.rounded[kind, default: 0] += 1
            case nil: break
            }
        }
    }

    private func look(_ point: GPXPoint, _ tally: inout Tally) {
        if let time = point.time {
            look(time, &tally)
        } else if needsTimes {
            tally.untimed += 1
        }
        look(point.coordinate.altitude, point.sensors, &tally)
        guard point.hasWords else { return }
        if !hasPointWords {
            if !point.details.isEmpty { tally.details += 1 }
            if point.name != nil || point.description != nil || point.comment != nil || point.symbol != nil
                || point.type != nil || !point.links.isEmpty
            {
                tally.pointWords += 1
            }
        }
        if !hasExtensions, point.extensions != nil { tally.extensions += 1 }
    }

    private struct Tally {
        var missing: [PointSensors.Kind: Int] = [:]
        var rounded: [PointSensors.Kind: Int] = [:]
        var altitudes = 0
        var roundedAltitudes = 0
        var roundedTimes = 0
        var lostTimes = 0
        var untimed = 0
        var laps = 0
        var unplaced = 0
        var segments = 0
        var joined = 0
        var details = 0
        var pointWords = 0
        var extensions = 0
        var waypoints = 0
        var words: [String] = []

        func notices(_ format: String) -> [String] {
            var all: [String] = []
            func add(_ count: Int, _ what: String, _ verb: String = "not written") {
                if count > 0 {
                    all.append("\(what): \(verb) for \(count, of: "point") (\(format))")
                }
            }
            add(untimed, "points without a time", "omitted")
            for kind in PointSensors.Kind.allCases {
                add(missing[kind] ?? 0, kind.words)
                add(rounded[kind] ?? 0, kind.words, "rounded")
            }
            add(altitudes, "elevation")
            add(roundedAltitudes, "elevation", "rounded")
            add(lostTimes, "time before \(ISO8601.text(FITProfile.earliest, fraction: .never).prefix(10))")
            add(roundedTimes, "time", "rounded")
            add(pointWords, "names and texts")
            add(details, "receiver data")
            add(extensions, "extensions of other programs")
            func lost(_ count: Int, _ what: String, _ several: String) {
                if count > 0 {
                    all.append("\(count, of: what, plural: several): not written (\(format))")
                }
            }
            if joined > 0 { all.append("\(joined) lines: joined to one (\(format))") }
            lost(laps, "lap", "laps")
            lost(unplaced, "measurement without a position", "measurements without a position")
            lost(segments, "gap between segments", "gaps between segments")
            lost(waypoints, "waypoint", "waypoints")
            var seen: Set<String> = []
            for word in words where seen.insert(word).inserted {
                all.append("\(word): not written (\(format))")
            }
            return all
        }
    }
}
