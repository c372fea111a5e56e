import Foundation
import Geodesy

/// A stop as stored in the database.
package struct StopRecord: Sendable, Hashable {
    /// The number in the database.
    package var number: Int64
    /// `stop_id`
    package var id: String
    package var name: String
    var code: String?
    var description: String?
    /// Where it is; `nil` if the timetable does not say.
    package var coordinate: Coordinate?
    var kind: StopKind
    /// `stop_id` of the station.
    var parent: String?
    /// 1 accessible, 2 not, `nil` or 0 unknown.
    var wheelchair: Int?
    var platform: String?
    var routeType: Int?
    /// `stop_timezone`, where it is not that of the agency.
    var timezone: String?

    /// The zone of its clocks, if it is not that of the agency.
    var zone: TimeZone? { timezone.flatMap(TimeZone.init(identifier:)) }

    var mode: TransitMode { TransitMode(routeType: routeType) }

    /// Metres to another stop in a straight line; `nil` if the place of one of them is unknown.
    func metres(to other: StopRecord) -> Double? {
        guard let coordinate, let there = other.coordinate else { return nil }
        return coordinate.distance(to: there)
    }

    /// The displayed name: the name, else the id.
    var title: String { name.isEmpty ? id : name }

    /// The text for screen readers: `Central Station, train stop`.
    var label: String { "\(title), \(mode.spoken)" }
}

/// Bicycles on board.
enum Bicycles {
    /// `yes`, `no`, or `nil` if unknown: the numbers of `bikes_allowed` are those of wheelchairs.
    static func word(_ value: Int?) -> String? { Wheelchair.word(value) }

    /// What riders with one have to know before they wait: that it must stay behind.
    static func warning(_ value: Int?) -> String? { word(value) == "no" ? "no bicycles" : nil }
}

/// Wheelchair access.
enum Wheelchair {
    /// `yes`, `no`, or `nil` if unknown.
    static func word(_ value: Int?) -> String? {
        switch value {
        case 1: "yes"
        case 2: "no"
        default: nil
        }
    }
}
