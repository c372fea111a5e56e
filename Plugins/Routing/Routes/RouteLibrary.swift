import Foundation
import PluginKit
import TrailStores

/// The planned routes of the session: those of the workspace, or of the folder that is in use.
struct RouteLibrary: Sendable {
    /// The kind of open stores that hold planned routes.
    static let storeKind = "plannedRoutes"
    /// The folder's name in the workspace, as in the apps.
    static let folderName = "planned_routes"
    /// Characters of an identifier that are enough to name a route.
    static let shortestPrefix = 4
    /// Characters of an identifier that are shown.
    static let shownPrefix = 8

    /// The folder in use.
    func folder(_ context: Context) -> PlannedRouteFolder {
        if let open = context.stores.current(kind: Self.storeKind) { return PlannedRouteFolder(open.url) }
        return PlannedRouteFolder(
            context.workspace.appendingPathComponent(Self.folderName, isDirectory: true))
    }

    /// All files of the folder.
    func entries(_ context: Context) throws -> [PlannedRouteFolder.Entry] {
        do { return try folder(context).entries() } catch { throw SavedRouteErrors.wrap(error) }
    }

    /// All routes that can be read, the newest first.
    func routes(_ context: Context) throws -> [Route] {
        try entries(context).compactMap { $0.route.map { Route($0) } }
    }

    /// Keeps routes, all or none, so that it can be undone.
    func save(_ routes: [Route], _ context: Context) throws {
        let folder = try writable(context)
        var undo: [(UUID, Data?)] = []
        do {
            for route in routes {
                let before = try folder.file(of: route.id).map { try Data(contentsOf: $0) }
                try folder.save(route.complete)
                undo.append((route.id, before))
            }
        } catch {
            try? Self.takeBack(undo, in: folder)
            throw SavedRouteErrors.wrap(error)
        }
        let what = routes.count == 1 ? "route \(routes[0].name)" : "\(routes.count) routes"
        let done = undo
        context.journal.record("saved \(what)") { try Self.takeBack(done, in: folder) }
    }

    /// Gives a route another name.
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
        if let open = context.stores.current(kind: Self.storeKind), !open.isWritable {
            throw StoreErrors.readOnly("\(open.name) is open for reading only")
        }
        return folder(context)
    }

    private static func takeBack(_ changes: [(UUID, Data?)], in folder: PlannedRouteFolder) throws {
        for (id, before) in changes.reversed() {
            if let before { try folder.restore(before, of: id) } else { _ = try folder.delete(id) }
        }
    }
}

/// `@name` for saved routes.
struct RouteReferences: ReferenceResolving {
    let kind = "route"
    let library: RouteLibrary
    /// Gives a route from a file the network it lies in.
    let dressed: @Sendable (Route, Context) -> Route

    func resolve(_ text: String, context: Context) async throws -> [Reference] {
        let routes = try library.routes(context)
        let named = routes.filter { $0.name == text }
        let found = named.isEmpty ? routes.filter { Self.matches($0, text) } : named
        return found.map { reference($0, context) }
    }

    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] {
        let folded = prefix.lowercased()
        let routes = try library.routes(context).filter { $0.name.lowercased().hasPrefix(folded) }
        return routes.prefix(limit).map { reference($0, context) }
    }

    private static func matches(_ route: Route, _ text: String) -> Bool {
        text.count >= RouteLibrary.shortestPrefix
            && route.id.uuidString.lowercased().hasPrefix(text.lowercased())
    }

    private func reference(_ route: Route, _ context: Context) -> Reference {
        let short = route.id.uuidString.prefix(RouteLibrary.shownPrefix).lowercased()
        return Reference(
            name: route.name.isEmpty ? short : route.name, detail: "route, \(short)",
            object: dressed(route, context))
    }
}
