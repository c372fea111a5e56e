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
    /// Makes a track of places that are the points of one: each has a time after that of the one before, and no name of its own, as
    /// satellite messengers, loggers and their servers write them.
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
        guard
            places.allSatisfy({ ($0.point.name ?? "") == name })
                || places.allSatisfy({ ($0.point.name ?? "").allSatisfy(\.isNumber) })
        else { return }
        var points = places.map(\.point)
        for index in points.indices { points[index].name = nil }
        if times[times.count - 1] < times[0] { points.reverse() }
        let isNamed = !name.isEmpty && places[1].point.name == name
        features.removeAll { feature in
            if case .place = feature { true } else { false }
        }
        let line = GPXLine(name: isNamed ? name : nil, segments: [points])
        features.insert(.line(line, .track, id: nil), at: 0)
        doubts.append(
            "\(places.count, of: "place") that differ in their time and not in name, read as the points of a track"
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
package enum MapSettings {
    /// Decimals of angles: 10⁻⁷ degrees is a centimetre.
    package static let angleDecimals = 7
    /// Decimals of angles in GeoJSON, which is read again by programs: 10⁻⁹ degrees is a tenth of a millimetre.
    package static let exactDecimals = 9
    /// Decimals of metres: a millimetre.
    package static let altitudeDecimals = 3
    /// Maximum points of a file; they are kept in memory.
    static let mostPoints = GPXSettings.mostPoints
    /// Places with a time each and no name of their own that are a track.
    static let leastStamped = 5
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
