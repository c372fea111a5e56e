import PluginKit

/// The route a command works on: a saved one by name or id, else the one in the pipe.
enum RouteInput {
    static let parameter = Parameter.optional(
        "route", ParameterType.reference("route", to: Route.self),
        "saved route by name or id; default: the route in the pipe")

    /// The route; throws `E-ROUTE-MISSING` if there is neither.
    static func route(_ named: Route?, _ input: Value, for command: String) throws -> Route {
        try named ?? route(in: input, for: command)
    }

    /// The routes in the pipe, such as the days of one; throws `E-ROUTE-MISSING` unless all are routes.
    static func routes(in input: Value, for command: String) throws -> [Route] {
        guard one(input.onlyItem) == nil, let items = try input.asRows?.collect(), !items.isEmpty else {
            return [try route(in: input, for: command)]
        }
        return try items.map { try route(in: $0, for: command) }
    }

    /// A route, or a day of one.
    private static func one(_ value: Value) -> Route? {
        value.object(as: Route.self) ?? value.object(as: RouteStage.self)?.asRoute
    }

    /// The route in the pipe, alone or as the only item of a list.
    static func route(in input: Value, for command: String) throws -> Route {
        if let route = one(input.onlyItem) { return route }
        if case .nothing = input {
            throw SavedRouteErrors.missing(
                "`\(command)` requires a route",
                fix: "name a saved route, or pipe one in: route plan A B | \(command)")
        }
        throw SavedRouteErrors.missing(
            "`\(command)` requires one route, not a \(input.kindName)",
            fix: "select one: … | first | \(command)")
    }
}
