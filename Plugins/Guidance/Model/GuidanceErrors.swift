import PluginKit

/// Kinds of error of guidance.
enum GuidanceErrors {
    static let route = ErrorKind(
        "E-GUIDE-ROUTE", "this cannot be walked",
        explanation: """
            Guidance walks a route: one from the pipe or a variable (route plan A B | guide simulate), a saved one by name \
            or id, the file of a planned route (.json), or a GPX file with a track or a route. It needs at least two \
            different places.
            """)
    static let idle = ErrorKind(
        "E-GUIDE-IDLE", "no route is being walked",
        explanation: """
            `guide start ROUTE` begins, `guide fix PLACE` takes a position, `guide status` and `guide show` tell where one \
            is, `guide stop` ends.
            """)
    static let busy = ErrorKind(
        "E-GUIDE-BUSY", "a route is being walked already",
        explanation: "One route is walked by hand at a time. `guide stop` ends it and gives the walk so far.")
    static let setting = ErrorKind(
        "E-GUIDE-SETTING", "guidance has no such setting, or not this value",
        explanation: """
            `guide settings` lists the settings with their values and what they do. `guide set NAME VALUE` changes one, \
            `guide set NAME default` puts it back.
            """)
    static let simulation = ErrorKind(
        "E-GUIDE-SIMULATION", "the walk cannot be simulated like this",
        explanation: """
            A detour is AT,OFFSET,LENGTH such as 500m,120m,300m: after 500 m it leads 120 m to the right (with a minus to \
            the left) and comes back 300 m farther on. A pause is AT,FOR such as 1km,5min. Both lie on the route. \
            The pace of Tobler needs a route with altitudes.
            """)
    static let routing = ErrorKind(
        "E-GUIDE-ROUTING", "nothing can plan a new route",
        explanation: """
            Rerouting needs the plugin Routing and a region that covers the route (`region import`, `region list`). \
            Without it walks are guided along their line, and `guide set reroute off` says that no new route is wanted.
            """)
    static let time = ErrorKind(
        "E-GUIDE-TIME", "the fix is older than the last one",
        explanation: """
            Fixes come in the order of time. `guide fix PLACE --after 5s` is later than the last one by itself; without \
            it the session's clock counts, which `clock +5s` moves on.
            """)

    static let all = [route, idle, busy, setting, simulation, routing, time]
}
