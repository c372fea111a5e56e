import PluginKit

/// Kinds of error of guidance.
enum GuidanceErrors {
    static let route = ErrorKind(
        "E-GUIDE-ROUTE", "no usable route",
        explanation: """
            Guidance requires a route with at least two different points: from the pipe or a variable (route plan A B | \
            guide simulate), a saved route by name or id, the file of a planned route (.json), or a GPX file with a track \
            or a route.
            """)
    static let idle = ErrorKind(
        "E-GUIDE-IDLE", "guidance is not running",
        explanation: """
            `guide start ROUTE` starts guidance, `guide fix PLACE` adds a position, `guide show` shows the \
            state, `guide stop` ends it.
            """)
    static let busy = ErrorKind(
        "E-GUIDE-BUSY", "guidance is already running",
        explanation: "Guidance follows one route at a time. `guide stop` ends it and returns the walk so far."
    )
    static let setting = ErrorKind(
        "E-GUIDE-SETTING", "invalid setting of guidance",
        explanation: """
            `set guidance` lists the settings with values and help. `set guidance.off-route 40m` changes one, `set guidance.off-route default` resets it.
            """)
    static let simulation = ErrorKind(
        "E-GUIDE-SIMULATION", "invalid options of a simulation",
        explanation: """
            A detour is AT,OFFSET,LENGTH such as 500m,120m,300m: after 500 m it leads 120 m to the right (a negative offset \
            to the left) and returns 300 m farther on. A pause is AT,FOR such as 1km,5min. Both must lie on the route. \
            --pace tobler requires a route with altitudes.
            """)
    static let routing = ErrorKind(
        "E-GUIDE-ROUTING", "no new route",
        explanation: """
            Rerouting requires the Routing plugin and a region that covers the route (`region import`, `region list`). \
            `set guidance.reroute off` turns rerouting off; guidance then follows the original line.
            """)
    static let time = ErrorKind(
        "E-GUIDE-TIME", "the fix is older than the last one",
        explanation: """
            Fixes must be in order of time. `guide fix PLACE --after 5s` is relative to the last one; the default is the \
            session's clock, which `clock +5s` advances.
            """)

    static let speech = ErrorKind(
        "E-GUIDE-SPEECH", "the prompts cannot be spoken",
        explanation: """
            `guide play --speak` speaks through espeak-ng (install espeak-ng). `--out walk.wav` writes a sound file instead, \
            with the words where espeak-ng is installed, else with a signal for each kind of feedback. Notebooks do not speak.
            """)

    static let all = [route, idle, busy, setting, simulation, routing, time, speech]
}
