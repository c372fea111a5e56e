import PluginKit
import TrailStores

/// Kinds of error of kept routes. Those of planning and of regions stand with the graph.
enum SavedRouteErrors {
    static let missing = ErrorKind(
        "E-ROUTE-MISSING", "a route is needed",
        explanation: """
            The command needs a route: one that was saved, by its name or id (`route list`), or one that comes in the \
            pipe, such as `route plan A B | …`.
            """)
    static let file = ErrorKind(
        "E-ROUTE-FILE", "the route's file cannot be used",
        explanation: """
            A planned route is a JSON file in the folder planned_routes of the workspace. Files that do not decode are \
            listed with their error and are never changed or deleted.
            """)
    static let line = ErrorKind(
        "E-ROUTE-LINE", "there is no line in the file",
        explanation: """
            `route import` makes planned routes of the tracks and routes of a GPX file. A track or route needs at \
            least two different points.
            """)
    static let pin = ErrorKind(
        "E-ROUTE-PIN", "the route has no such pin",
        explanation: """
            The pins of a route are counted from 1: the start, then the places it was made to pass, then the end.
            """)
    static let fixed = ErrorKind(
        "E-ROUTE-FIXED", "this route cannot be planned anew",
        explanation: """
            Only routes that were planned in a region of the workspace can have their pins moved. An imported line \
            stays as it is; `route reverse` turns it round, `route match` lays a recorded track on the network.
            """)

    static let all = [missing, file, line, pin, fixed]

    /// What a folder of routes refused, as one of ours.
    static func wrap(_ error: any Error) -> any Error {
        if let known = error as? PlannedRouteError { return file(known.message) }
        if error is RutterError || error is CancellationError { return error }
        return CommonErrors.fileAccess("the routes cannot be read or written: \(error.localizedDescription)")
    }
}
