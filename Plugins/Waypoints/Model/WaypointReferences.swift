import PluginKit
import TrailStores

/// Finds waypoints by `@label` or by the first letters of their identifier.
struct WaypointReferences: ReferenceResolving {
    let library: ActiveStore<WaypointStore>
    let kind = "waypoint"
    let firstSteps: String? = "`waypoint add` adds one, `import FILE` those of a file"
    let listing: String? = "waypoint list"
    private static let most = 50

    func resolve(_ text: String, context: Context) async throws -> [Reference] {
        guard let store = try library.storeIfFits(context) else { return [] }
        let labelled = try store.waypoints(label: text)
        let found =
            labelled.isEmpty && NameMatch.mayBeginIdentifier(text)
            ? try store.waypoints(idPrefix: text, limit: Self.most) : labelled
        let categories = CategoryList.shown(in: context.workspace)
        return found.map { Self.reference($0, categories, byID: found.count > 1) }
    }

    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] {
        guard let store = try library.storeIfFits(context) else { return [] }
        let labelled = try store.waypoints(labelPrefix: prefix, limit: limit)
        let found = labelled.isEmpty ? try store.waypoints(idPrefix: prefix, limit: limit) : labelled
        let categories = CategoryList.shown(in: context.workspace)
        return found.map { Self.reference($0, categories, byID: labelled.isEmpty) }
    }

    private static func reference(_ waypoint: Waypoint, _ categories: CategoryList, byID: Bool) -> Reference {
        Reference(
            name: byID ? waypoint.shortID : waypoint.name,
            detail: "\(waypoint.category.raw), \(waypoint.shortID)",
            object: WaypointObject(waypoint, categories))
    }
}
