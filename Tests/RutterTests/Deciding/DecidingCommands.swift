/// Commands that make decisions, besides those that are declared with `deciding`.
///
/// Every command must be declared, or listed here: a new one fails the test until it is.
enum DecidingCommands {
    /// Commands that seem to make decisions and do not, each with the reason.
    static let undecided: [String: String] = [
        "guide start": "prepares a walk without a fix: the first decision is that of `guide fix`",
        "stop play":
            "its keys do what `stop map` and `stop drawer` do, each of which has a trace; without a terminal it does nothing",
        "photo geotag": "places photos as `photo match` does, which has a trace",
        "waypoint link":
            "links the hike that is named; where a name fits several it refuses instead of choosing",
    ]

    /// Commands that look up, compute by one formula, show, store or convert: there is no decision to step through.
    static let plain: Set<String> = [
        "alias", "args", "assert", "beacon add", "beacon compass", "beacon delete", "beacon disable",
        "beacon edit", "beacon enable", "beacon export", "beacon import", "beacon list", "beacon play",
        "bug bundle", "bug open", "bug rerun", "clock", "cloud restored", "cloud setup", "commands",
        "container show", "count", "def", "default", "describe", "device add", "device clock", "device kill",
        "device list", "device offline", "device online", "device reinstall", "device restart",
        "device resume", "device suspend", "device use", "each", "expect-error",
        "explain", "export community", "export fit", "export folder", "export geojson", "export gpx",
        "export html", "export kml",
        "export markdown", "export pdf", "export tcx", "extend", "first", "for", "from", "get", "group",
        "guide prompts", "guide set", "guide settings", "guide show", "guide status", "guide stop", "help",
        "hike calendar", "hike comment", "hike crop", "hike delete", "hike elevation", "hike laps",
        "hike list", "hike merge", "hike original",
        "hike rename", "hike reverse", "hike shift", "hike show", "hike splits", "hike summary", "hike track",
        "hike trim",
        "hike undo-edits", "hike zones", "history", "if",
        "join", "last", "let", "line list", "line shapes",
        "line show", "line timetable",
        "link drop", "link duplicate", "link file", "link log", "link mode", "link reorder", "link send",
        "link status", "map show", "map tiles", "max", "mean", "min", "notebook edit",
        "notebook import", "notebook list", "notebook render", "notebook show",
        "notebook run", "notebook save", "notebook test", "open", "player", "plot", "plugin list",
        "plugin load", "plugin new", "plugin test", "plugin trust", "plugin unload", "plugins", "profile",
        "quit", "range", "region info", "region join", "region list", "region remove", "region sample",
        "region sketch", "rename", "reverse", "route delete", "route elevation", "route explain",
        "route list", "route move", "route profile", "route profiles", "route rename",
        "route reverse", "route save", "route show", "route times", "save", "seed", "select", "set",
        "settings", "skip", "sort", "source", "sql", "step", "step back", "step differ",
        "step goto", "step next", "step picture", "step play", "step show", "step end", "step until",
        "stop lines", "stop show", "store adopt", "store at", "store blob", "store close", "store copy",
        "store deleted",
        "store export", "store history", "store import", "store info", "store list", "store open",
        "store query", "store refresh", "store rows", "store schema", "store use", "store watch", "sum",
        "summarize", "sweep",
        "sync account",
        "sync aside", "sync conflicts", "sync explain", "sync log", "sync restore", "sync rule",
        "sync status", "sync subscribe", "to", "tone add", "tone edit", "tone list", "tone show", "trace",
        "trail list", "trail show", "feed alerts", "feed list", "feed show",
        "feed realtime", "feed sample", "feed service", "feed vehicles", "trip show", "undo",
        "unique", "vars", "waypoint add", "waypoint categories", "waypoint count", "waypoint delete",
        "waypoint edit", "waypoint export", "waypoint list", "waypoint photo", "waypoint show", "web fetch",
        "web open", "web status", "web stop", "where",
    ]
}
