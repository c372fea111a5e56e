import PluginKit

/// Finds stops by `@name` or by their identifier.
struct StopReferences: ReferenceResolving {
    let library: FeedLibrary
    let kind = StopObject.kind

    func resolve(_ text: String, context: Context) async throws -> [Reference] {
        guard let feed = try library.feedIfAny(context) else { return [] }
        if let stop = try feed.stop(id: text) { return [Self.reference(stop, name: stop.title)] }
        let folded = Feed.folded(text)
        let named = try feed.search(text, limit: TransitSettings.searchPool).filter {
            Feed.folded($0.title) == folded
        }
        // A station's platforms, as a rule, have its name: the station is meant.
        let ids = Set(named.map(\.id))
        let meant = named.filter { $0.parent.map { !ids.contains($0) } ?? true }
        return meant.map { Self.reference($0, name: meant.count > 1 ? $0.id : $0.title) }
    }

    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] {
        guard let feed = try library.feedIfAny(context) else { return [] }
        let found =
            prefix.isEmpty
            ? try feed.foremost(min(limit, TransitSettings.searchPool)) : try feed.search(prefix, limit: limit)
        var seen: Set<String> = []
        // A name that was there already means another stop: this one is called by its identifier.
        return found.map { stop in
            let isFirst = seen.insert(Feed.folded(stop.title)).inserted
            return Self.reference(stop, name: isFirst ? stop.title : stop.id)
        }
    }

    private static func reference(_ stop: StopRecord, name: String) -> Reference {
        let platform = stop.platform.map { ", platform \($0)" } ?? ""
        return Reference(
            name: name, detail: "\(stop.mode.spoken)\(platform), \(stop.id)", object: StopObject(stop))
    }
}

/// The stops on the map that is open, for the session's map.
struct StopMapContent: MapContent {
    let screen: StopScreen

    func mapObjects(context: Context) async throws -> [any DomainObject] {
        guard let map = try screen.current(context) else { return [] }
        return [StopMapObject(map, now: context.clock.now)]
    }
}
