import CivilTime
import Foundation
import Geodesy

/// The content of a map file of any format: places and lines in file order.
public struct MapDocument: Sendable {
    /// The meaning of a line.
    public enum LineKind: String, Sendable {
        /// A recording or a plan.
        case track
        /// A sequence of points to be followed.
        case route
    }

    /// An object of the document.
    public enum Feature: Sendable {
        /// A point.
        case place(MapPlace)
        /// A line, with its identifier if it has one.
        case line(GPXLine, LineKind, id: UUID?)
    }

    /// Its name.
    public var name: String?
    /// Its description.
    public var description: String?
    /// Its author.
    public var author: String?
    /// Its creation time.
    public var time: Timestamp?
    /// Its features.
    public var features: [Feature] = []
    /// What is doubtful about it.
    public var doubts: [String] = []
    /// What was left out when it was read.
    public var notices: [String] = []
    /// What became of its points; `nil` where its reader does not count them.
    public var account: PointAccount?

    /// An empty document.
    public init() {}
}

extension MapDocument {
    /// Makes a track of places that are the points of one: each has a time after that of the one before and no name of its own, and
    /// nearly all follow each other as the points of one way do. Satellite messengers, loggers and their servers write them.
    mutating func joinStamped() {
        let places = features.compactMap { feature -> MapPlace? in
            guard case .place(let place) = feature else { return nil }
            return place
        }
        let times = places.compactMap(\.point.time)
        guard places.count >= MapSettings.leastStamped, times.count == places.count,
            zip(times, times.dropFirst()).allSatisfy({ $0 < $1 })
                || zip(times, times.dropFirst()).allSatisfy({ $0 > $1 }),
            places.allSatisfy({ $0.id == nil && !$0.hasPhoto })
        else { return }
        let name = places[0].point.name ?? ""
        let isNamed = places.allSatisfy { ($0.point.name ?? "") == name }
        guard isNamed || Self.areCounted(places.map { $0.point.name ?? "" }) else { return }
        var points = places.map(\.point)
        // Many servers write the newest first.
        if times[times.count - 1] < times[0] { points.reverse() }
        guard Self.isOneWay(points) else { return }
        for index in points.indices { points[index].name = nil }
        features.removeAll { feature in
            if case .place = feature { true } else { false }
        }
        let line = GPXLine(name: isNamed ? name.nonEmpty : nil, segments: [points])
        features.insert(.line(line, .track, id: nil), at: 0)
        doubts.append(
            "\(places.count, of: "place") that differ in their time and "
                + (isNamed ? "not in name" : "whose names only count them")
                + ", read as the points of a track"
        )
        var fields = Tally()
        for place in places {
            for property in place.properties { fields.add(String(property.name.prefix(40))) }
        }
        if !fields.kinds.isEmpty {
            notices.append(
                "fields that points do not have: \(fields.kinds.map(\.what).joined(separator: ", "))")
        }
    }

    /// Whether names are numbers that count, up or down: others are names, as those of control posts.
    private static func areCounted(_ names: [String]) -> Bool {
        let numbers = names.compactMap { Int($0) }
        guard numbers.count == names.count else { return false }
        let steps = Set(
            zip(numbers, numbers.dropFirst()).map { $1.subtractingReportingOverflow($0).partialValue })
        return steps == [1] || steps == [-1]
    }

    /// Whether nearly all points follow the one before soon, and no faster than one gets about; those of sightings, photos or visits on
    /// several days are places.
    private static func isOneWay(_ points: [GPXPoint]) -> Bool {
        let steps = zip(points, points.dropFirst()).map { start, end in
            (metres: start.coordinate.distance(to: end.coordinate), seconds: start.seconds(until: end))
        }
        let odd = steps.count { metres, seconds in
            seconds > MapSettings.longestStampedPause
                || metres > max(PlausibleSettings.leastStray, seconds * MapSettings.fastestStamped)
        }
        return Double(odd) <= Double(steps.count) * PlausibleSettings.strayShare
            && steps.contains { $0.metres > 0 }
    }
}

extension GPXPoint {
    /// Seconds from its time to that of another point; infinite if one has none.
    fileprivate func seconds(until other: GPXPoint) -> Double {
        guard let time, let end = other.time else { return .infinity }
        return end.seconds(since: time)
    }
}

/// A place of a map file.
public struct MapPlace: Sendable {
    /// Its coordinate and data.
    public var point: GPXPoint
    /// Its identifier, if it has one.
    public var id: UUID?
    /// Whether it has a photo.
    public var hasPhoto: Bool
    /// Fields without a standard name, as text.
    public var properties: [(name: String, value: String)]

    /// A place.
    public init(
        point: GPXPoint, id: UUID? = nil, hasPhoto: Bool = false,
        properties: [(name: String, value: String)] = []
    ) {
        self.point = point
        self.id = id
        self.hasPhoto = hasPhoto
        self.properties = properties
    }
}

/// Limits and digits of map files.
enum MapSettings {
    /// Decimals of angles: 10⁻⁷ degrees is a centimetre.
    static let angleDecimals = 7
    /// Decimals of angles in GeoJSON, which is read again by programs: 10⁻⁹ degrees is a tenth of a millimetre.
    static let exactDecimals = 9
    /// Decimals of metres: a millimetre.
    static let altitudeDecimals = 3
    /// Maximum points of a file; they are kept in memory.
    static let mostPoints = GPXSettings.mostPoints
    /// Places with a time each and no name of their own that are a track.
    static let leastStamped = 5
    /// Seconds between two of them, and metres per second (250 km/h), that only few exceed.
    static let longestStampedPause = 3 * 3600.0
    static let fastestStamped = 70.0
    /// Points between checks for cancellation.
    static let checkInterval = GPXSettings.checkInterval
    /// Maximum bytes of a value with one item per point.
    static let longestValue = 64 << 20
    /// Maximum bytes of a coordinate in a KML list.
    static let longestTuple = 256
}

extension Double {
    /// The number rounded to a number of decimals; never −0.
    package func rounded(decimals: Int) -> Double {
        let scale =
            decimals == MapSettings.angleDecimals
            ? 1e7 : (0..<decimals).reduce(1.0) { power, _ in power * 10 }
        let value = (self * scale).rounded() / scale
        return value == 0 ? 0 : value
    }
}

extension String {
    /// The text; `nil` if it is empty.
    package var nonEmpty: String? { isEmpty ? nil : self }
}
