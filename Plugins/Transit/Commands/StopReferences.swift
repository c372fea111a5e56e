import PluginKit

/// Finds stops by `@name` or by their identifier.
struct StopReferences: ReferenceResolving {
    let library: FeedLibrary
    let kind = StopObject.kind
    let listing: String? = "stop find TEXT"
    let firstSteps: String? =
        "`feed import FEED.zip` brings a timetable, or `feed sample` writes one to import"

    func resolve(_ text: String, context: Context) async throws -> [Reference] {
        guard let feed = try library.feedIfAny(context) else { return [] }
        if let stop = try feed.stops.with(id: text) { return [Self.reference(stop, name: stop.title)] }
        let coded = try feed.names.coded(text)
        if !coded.isEmpty {
            return coded.map { Self.reference($0, name: coded.count > 1 ? $0.id : $0.title) }
        }
        let folded = NameWords.folded(text)
        let found = try feed.names.search(text, limit: TransitSettings.searchPool)
        var named = found.filter { NameWords.folded($0.title) == folded }
        if named.isEmpty { named = found.filter { NameWords.folded($0.title).hasPrefix(folded) } }
        let meant = Self.withoutParts(named)
        return meant.map { Self.reference($0, name: meant.count > 1 ? $0.id : $0.title) }
    }

    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] {
        guard let feed = try library.feedIfAny(context) else { return [] }
        let found =
            prefix.isEmpty
            ? try feed.stops.foremost(min(limit, TransitSettings.searchPool))
            : try feed.names.search(prefix, limit: limit)
        // An ambiguous name cannot be resolved, so such stops are completed as identifiers.
        var sharers: [String: Int] = [:]
        let whole = Set(Self.withoutParts(found).map(\.id))
        for stop in found where whole.contains(stop.id) {
            sharers[NameWords.folded(stop.title), default: 0] += 1
        }
        return found.map { stop in
            let isClear = whole.contains(stop.id) && sharers[NameWords.folded(stop.title)] == 1
            return Self.reference(stop, name: isClear ? stop.title : stop.id)
        }
    }

    /// The stops without those that are part of another one: platforms usually share the name of their
    /// station, and then the station is meant.
    private static func withoutParts(_ stops: [StopRecord]) -> [StopRecord] {
        let ids = Set(stops.map(\.id))
        return stops.filter { $0.parent.map { !ids.contains($0) } ?? true }
    }

    private static func reference(_ stop: StopRecord, name: String) -> Reference {
        let platform = stop.platform.map { ", platform \($0)" } ?? ""
        return Reference(
            name: name, detail: "\(stop.mode.spoken)\(platform), \(stop.id)", object: StopObject(stop))
    }
}

/// The stops on the open map, for the session's map.
struct StopMapContent: MapContent {
    let screen: StopScreen

    func mapObjects(context: Context) async throws -> [any DomainObject] {
        guard let map = try screen.current(context) else { return [] }
        return [try screen.object(map, context)]
    }
}
