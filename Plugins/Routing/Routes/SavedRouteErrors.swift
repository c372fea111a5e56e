import PluginKit
import TrailStores

/// Kinds of error of saved routes; `RouteErrors` and `RegionErrors` are those of planning and of regions.
enum SavedRouteErrors {
    static let missing = ErrorKind(
        "E-ROUTE-MISSING", "no route",
        explanation: """
            The command requires a route: a saved one by name or id (`route list`), or one from the pipe, such as \
            `route plan A B | …`.
            """)
    static let file = ErrorKind(
        "E-ROUTE-FILE", "unreadable route file",
        explanation: """
            A planned route is a JSON file in the folder planned_routes of the workspace. Files that do not decode are \
            listed with their error and are never changed or deleted.
            """)
    static let line = ErrorKind(
        "E-ROUTE-LINE", "the file contains no line",
        explanation: """
            `import FILE --as routes` imports tracks and routes as planned routes. Each requires at least two \
            different points.
            """)
    static let pin = ErrorKind(
        "E-ROUTE-PIN", "unknown pin",
        explanation: """
            The pins of a route are numbered from 1: the start, then its via points, then the end.
            """)
    static let fixed = ErrorKind(
        "E-ROUTE-FIXED", "the route cannot be replanned",
        explanation: """
            Only routes that were planned in a region of the workspace can have their pins moved. An imported line \
            is fixed; `route reverse` reverses it, `route match` matches a recorded track to the network.
            """)

    static let all = [missing, file, line, pin, fixed]

    /// An error of a routes folder as a `RutterError`.
    static func wrap(_ error: any Error) -> any Error {
        if let known = error as? PlannedRouteError { return file(known.message) }
        if error is RutterError || error is CancellationError { return error }
        return CommonErrors.fileAccess("the routes cannot be read or written: \(error.localizedDescription)")
    }
}
