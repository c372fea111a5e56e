import Geodesy

/// A stop as the database has it.
package struct StopRecord: Sendable, Hashable {
    /// The number in the database.
    package var number: Int64
    /// `stop_id`
    package var id: String
    package var name: String
    var code: String?
    var description: String?
    package var coordinate: Coordinate
    var kind: StopKind
    /// `stop_id` of the station.
    var parent: String?
    /// 1 accessible, 2 not, `nil` or 0 unknown.
    var wheelchair: Int?
    var platform: String?
    var routeType: Int?

    var mode: TransitMode { TransitMode(routeType: routeType) }

    /// What is shown: the name, or the id where there is none.
    var title: String { name.isEmpty ? id : name }

    /// What a screen reader says: `Central Station, train stop`.
    var label: String { "\(title), \(mode.spoken)" }
}

/// Whether a wheelchair can be taken along.
enum Wheelchair {
    /// `yes`, `no`, or nothing where it is not known.
    static func word(_ value: Int?) -> String? {
        switch value {
        case 1: "yes"
        case 2: "no"
        default: nil
        }
    }
}
