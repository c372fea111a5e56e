import PluginKit
import TrailStores

/// `waypoint delete`
struct DeleteWaypoint: Command {
    let library: WaypointLibrary

    private static let waypoints = Parameter.rest(
        "waypoints", .reference("waypoint", to: WaypointObject.self), minimum: 1, "waypoints by label or id")

    let spec = CommandSpec(
        "waypoint delete", "deletes waypoints", details: "`undo` brings them back, with their photos.",
        parameters: [waypoints.spec], output: .value("text"), effect: .changes,
        examples: [
            .init(
                "one", "waypoint delete Hut", after: ["waypoint add 46.5,7.9 --label Hut"],
                gives: "deleted 1 waypoint; `undo` brings it back")
        ], searchTerms: ["remove"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let store = try library.writableStore(context)
        var seen: Set<String> = []
        let waypoints = try arguments[Self.waypoints].map(\.waypoint).filter {
            seen.insert($0.id.uuidString).inserted
        }
        var deleted: [(waypoint: Waypoint, photo: WaypointPhoto)] = []
        for waypoint in waypoints { deleted.append((waypoint, try store.photo(of: waypoint.id))) }
        try store.delete(waypoints.map(\.id))
        WaypointUndo.recordDeleting(deleted, from: store, in: context.journal)
        let count = waypoints.count
        return .text(
            "deleted \(count) waypoint\(count == 1 ? "" : "s"); `undo` brings \(count == 1 ? "it" : "them") back"
        )
    }
}
