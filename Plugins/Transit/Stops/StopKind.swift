/// The kind of a row of stops.txt: `location_type`.
enum StopKind: Int, Sendable, CaseIterable {
    /// A stop, or a platform of a station.
    case stop = 0
    case station = 1
    case entrance = 2
    case node = 3
    case boardingArea = 4

    /// Its word in messages.
    var word: String {
        switch self {
        case .stop: "stop"
        case .station: "station"
        case .entrance: "entrance"
        case .node: "node"
        case .boardingArea: "boardingArea"
        }
    }

    /// Whether maps show it: entrances and parts of stations have no departures of their own.
    var isOnMaps: Bool { self == .stop || self == .station }
}
