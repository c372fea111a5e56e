import Foundation
import PluginKit
import TrailStores

/// The planned routes that commands work on.
struct RouteLibrary: Sendable {
    /// Characters of an identifier that are shown.
    static let shownPrefix = 8

    /// All files of the folder. Throws `E-STORE-KIND` while a store of another kind is in use.
    func entries(_ context: Context) throws -> [PlannedRouteFolder.Entry] {
        try Self.entries(context.activeStore(.plannedRoutes))
    }

    /// All readable routes, newest first, for their names.
    func routes(_ context: Context) throws -> [Route] {
        guard let location = context.accompanyingStore(.plannedRoutes) else { return [] }
        return try Self.entries(location).compactMap { $0.route.map { Route($0) } }
    }

    private static func entries(_ location: StoreLocation) throws -> [PlannedRouteFolder.Entry] {
        do {
            return try PlannedRouteFolder(location).entries()
        } catch {
            throw SavedRouteErrors.wrap(error)
        }
    }

    /// Saves routes, all or none, with undo.
    func save(_ routes: [Route], _ context: Context) throws {
        let folder = try writable(context)
        var undo: [(UUID, Data?)] = []
        do {
            for route in routes {
                let before = try folder.file(of: route.id).map { try Data(contentsOf: $0) }
                var planned = route.complete
                // A route without a moment of change would lose to any other version of it.
                planned.modifiedAt = planned.modifiedAt ?? context.clock.now
                try folder.save(planned)
                undo.append((route.id, before))
            }
        } catch {
            // Report the first error.
            try? Self.revert(undo, in: folder)
            throw SavedRouteErrors.wrap(error)
        }
        let what = routes.count == 1 ? "route \(routes[0].name)" : "\(routes.count) routes"
        let done = undo
        context.journal.record("saved \(what)") { try Self.revert(done, in: folder) }
    }

    /// Renames a route.
    func rename(_ route: Route, to name: String, _ context: Context) throws -> Route {
        let folder = try writable(context)
        do {
            let before = try folder.rename(route.id, to: name, at: context.clock.now)
            let id = route.id
            context.journal.record("renamed route \(route.name)") { try folder.restore(before, of: id) }
        } catch {
            throw SavedRouteErrors.wrap(error)
        }
        var renamed = route
        renamed.planned.name = name
        renamed.planned.modifiedAt = context.clock.now
        return renamed
    }

    /// Deletes a route.
    func delete(_ route: Route, _ context: Context) throws {
        let folder = try writable(context)
        do {
            let before = try folder.delete(route.id)
            let id = route.id
            context.journal.record("deleted route \(route.name)") { try folder.restore(before, of: id) }
        } catch {
            throw SavedRouteErrors.wrap(error)
        }
    }

    private func writable(_ context: Context) throws -> PlannedRouteFolder {
        PlannedRouteFolder(try context.writableStore(.plannedRoutes))
    }

    private static func revert(_ changes: [(UUID, Data?)], in folder: PlannedRouteFolder) throws {
        for (id, before) in changes.reversed() {
            if let before { try folder.restore(before, of: id) } else { _ = try folder.delete(id) }
        }
    }
}

/// `@name` for saved routes.
struct RouteReferences: ReferenceResolving {
    let kind = "route"
    let firstSteps: String? = "`route save` keeps a planned route"
    let listing: String? = "route list"
    let library: RouteLibrary
    /// Connects a route from a file to its network.
    let dressed: @Sendable (Route, Context) -> Route

    func resolve(_ text: String, context: Context) async throws -> [Reference] {
        let found = NameMatch.items(
            try library.routes(context), named: text, name: \.name, id: \.id.uuidString)
        return found.map { reference($0, context, byID: found.count > 1) }
    }

    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] {
        let routes = try library.routes(context)
        let begun = routes.filter { NameMatch.begins($0.name, with: prefix) }
        return begun.prefix(limit).map { route in
            reference(route, context, byID: routes.count { $0.name == route.name } > 1)
        }
    }

    private func reference(_ route: Route, _ context: Context, byID: Bool) -> Reference {
        let short = route.id.uuidString.prefix(RouteLibrary.shownPrefix).lowercased()
        return Reference(
            name: byID || route.name.isEmpty ? short : route.name, detail: "route, \(short)",
            object: dressed(route, context))
    }
}

/// All saved routes, for the session's map.
struct RouteMapContent: MapContent {
    let library: RouteLibrary

    func mapObjects(context: Context) async throws -> [any DomainObject] { try library.routes(context) }
}
