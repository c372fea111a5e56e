import CivilTime
import Foundation
import Geodesy

/// What a map file holds, whatever its format: places and lines in the order of the file.
public struct MapDocument: Sendable {
    /// What a line is meant as.
    public enum LineKind: String, Sendable {
        /// A recording or a plan.
        case track
        /// A sequence of places to be led along.
        case route
    }

    /// One of the things in it.
    public enum Feature: Sendable {
        /// A point.
        case place(MapPlace)
        /// A line, with its identifier where it has one.
        case line(GPXLine, LineKind, id: UUID?)
    }

    /// What it is called.
    public var name: String?
    /// Words about the whole.
    public var description: String?
    /// Who made it.
    public var author: String?
    /// When it was made.
    public var time: Timestamp?
    /// What is in it.
    public var features: [Feature] = []

    /// A document with nothing in it.
    public init() {}
}

/// A place of a map file.
public struct MapPlace: Sendable {
    /// Where it is and what it says.
    public var point: GPXPoint
    /// Its identifier where it has one.
    public var id: UUID?
    /// Whether there is a photo of it.
    public var hasPhoto: Bool
    /// Fields that no format knows by name, as text.
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
    /// Decimals of metres: a millimetre.
    package static let altitudeDecimals = 3
    /// Points of a file that are read; they are kept in memory.
    static let mostPoints = GPXSettings.mostPoints
    /// Points between two looks at cancellation.
    static let checkInterval = GPXSettings.checkInterval
    /// Bytes of a value that holds something for each point.
    static let longestValue = 64 << 20
    /// Bytes of one place in a KML list of coordinates.
    static let longestTuple = 256
}

extension Double {
    /// The number with at most so many decimals; never −0.
    package func rounded(decimals: Int) -> Double {
        let scale =
            decimals == MapSettings.angleDecimals
            ? 1e7 : (0..<decimals).reduce(1.0) { power, _ in power * 10 }
        let value = (self * scale).rounded() / scale
        return value == 0 ? 0 : value
    }
}

extension String {
    /// The text, `nil` when it is empty.
    package var nonEmpty: String? { isEmpty ? nil : self }
}
