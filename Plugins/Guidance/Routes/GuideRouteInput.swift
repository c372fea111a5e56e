import Formats
import Foundation
import PluginKit
import TrailStores
import TurnInstructions

/// The route of a command: a value, a saved route by name, or a file.
struct GuideRouteInput: Sendable {
    let given: Value?

    static let parameter = Parameter.optional(
        "route", ParameterType<Value>.value,
        "route: $r, a saved one by name or id, a .json or .gpx file; default: the one in the pipe"
    ).completing(.referencesAndFiles("route")).map { GuideRouteInput(given: $0) }

    /// The route. Throws `E-GUIDE-ROUTE` if there is none.
    func route(_ input: Value, for command: String, _ context: Context) async throws -> GuideRoute {
        guard case .text(let text) = given else {
            return try Self.route(in: given ?? input, for: command, context)
        }
        let route = try await Self.named(text, context)
        if let notice = await CoveredLine.notice(route, file: text, context) {
            context.log.warning("\(notice)")
        }
        return route
    }

    private static func route(in value: Value, for command: String, _ context: Context) throws -> GuideRoute {
        let thresholds = TurnThresholds(context.settings)
        switch value.onlyItem {
        case .object(let object):
            if let route = object as? any TravelRoute { return try walkable(GuideRoute(route), route.name) }
            if let walk = object as? GuidanceWalk { return walk.route }
        case .list(let items) where items.count > 1 && items.allSatisfy(\.isCoordinate):
            return try walkable(RouteFiles.line(items.compactMap(\.asCoordinate), thresholds), "the list")
        case .rows(let rows):
            // For example the coordinates of a recorded hike.
            let items = try rows.collect()
            guard items.count > 1, items.allSatisfy(\.isCoordinate) else { break }
            return try walkable(RouteFiles.line(items.compactMap(\.asCoordinate), thresholds), "the rows")
        case .nothing:
            throw GuidanceErrors.route(
                "`\(command)` requires a route",
                fix: "name a saved route or a GPX file, or pipe one in: route plan A B | \(command)")
        default: break
        }
        throw GuidanceErrors.route("`\(command)` requires one route, not a \(value.kindName)")
    }

    /// A file, or a saved route.
    private static func named(_ text: String, _ context: Context) async throws -> GuideRoute {
        let ending = (text as NSString).pathExtension.lowercased()
        if ending == "json" {
            return try walkable(RouteFiles.planned(try context.files.input(text), context), text)
        }
        if ending == "gz" || ending == "zip" || TrackFormat.extensions.contains(ending) {
            return try walkable(RouteFiles.tracks(try context.files.input(text), context), text)
        }
        let resolvers = context.all((any ReferenceResolving).self).filter { $0.kind == "route" }
        guard !resolvers.isEmpty else {
            throw GuidanceErrors.route(
                "`\(text)` is not a file, and saved routes require the Routing plugin",
                at: .parameter("route"),
                fix: "name a planned route's .json or a .gpx file")
        }
        var found: [Reference] = []
        for resolver in resolvers { found += try await resolver.resolve(text, context: context) }
        if found.count > 1 {
            throw GuidanceErrors.route(
                "`\(text)` matches more than one route", at: .parameter("route"),
                fix: "choose one: "
                    + found.prefix(5).map { "\($0.name) (\($0.detail))" }.joined(separator: ", "))
        }
        guard let route = found.first?.object as? any TravelRoute else {
            let known = try await resolvers[0].complete("", limit: 100, context: context).map(\.name)
            throw GuidanceErrors.route(
                "unknown route `\(text)`", at: .parameter("route"),
                fix: "a file needs its extension, .gpx or .json",
                suggestion: Suggestion.nearest(to: text, in: known))
        }
        return try walkable(GuideRoute(route), text)
    }

    private static func walkable(_ route: GuideRoute?, _ name: String) throws -> GuideRoute {
        guard let route else {
            throw GuidanceErrors.route("\(name) has fewer than two different points")
        }
        return route
    }
}

extension Value {
    fileprivate var isCoordinate: Bool {
        if case .coordinate = self { return true }
        return false
    }
}
