import PluginKit

/// The route that a command works on: a saved one by its name or id, else the one in the pipe.
enum RouteInput {
    static let parameter = Parameter.optional(
        "route", ParameterType.reference("route", to: Route.self),
        "a saved route by name or id, else the one in the pipe")

    /// The route; throws `E-ROUTE-MISSING` when there is neither.
    static func route(_ named: Route?, _ input: Value, for command: String) throws -> Route {
        try named ?? route(in: input, for: command)
    }

    /// The route in the pipe, alone or as the only item of a list.
    static func route(in input: Value, for command: String) throws -> Route {
        if let route = input.onlyItem.object(as: Route.self) { return route }
        if case .nothing = input {
            throw SavedRouteErrors.missing(
                "`\(command)` needs a route",
                fix: "name a saved one, or put one before it: route plan A B | \(command)")
        }
        throw SavedRouteErrors.missing(
            "`\(command)` needs one route, not a \(input.kindName)",
            fix: "of several take one: … | first | \(command)")
    }
}
