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

    /// The route in the pipe, alone or as the only item of a list.
    static func route(in input: Value, for command: String) throws -> Route {
        if let route = input.onlyItem.object(as: Route.self) { return route }
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
