import Foundation

/// The kinds of store. File names in a workspace and kind names in the session are defined only here.
public enum StoreKind: String, Sendable, CaseIterable {
    /// Waypoints.
    case waypoints
    /// Recorded hikes.
    case hikes
    /// Planned routes: a folder of JSON files, one per route.
    case plannedRoutes = "planned-routes"
    /// A routing graph.
    case routing
    /// Map tiles.
    case mbtiles
    /// A transit schedule in the pattern model.
    case transit
    /// Beacons.
    case locations
    /// Tones of beacons.
    case tones
    /// An embedded cloud.
    case cloud
    /// The queues of the link between watch and phone.
    case link
    /// Any other SQLite database.
    case other

    /// The name used in the session.
    public var name: String { rawValue }

    /// The file or folder of a workspace that holds its own store of this kind; of routing graphs and tiles, the folder
    /// with one file per region. `nil` for kinds that have no file of their own.
    public var fileName: String? {
        switch self {
        case .waypoints: "waypoints.db"
        case .hikes: "routes.db"
        case .plannedRoutes: "planned_routes"
        case .routing, .mbtiles: "regions"
        case .transit: "gtfs.db"
        case .locations: "locations.json"
        case .tones: "tones.json"
        case .cloud: "cloud.db"
        case .link: "devices.db"
        case .other: nil
        }
    }

    /// The workspace's own store of this kind: its file or folder, or the workspace itself for kinds without one.
    public func url(in workspace: URL) -> URL {
        fileName.map { workspace.appendingPathComponent($0) } ?? workspace
    }
}
