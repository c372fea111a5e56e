/// How each command that reads or changes a store is called in the test of the active store.
///
/// Every command with such an effect must be here: a new one fails the test until it is added.
enum StoreCommands {
    /// A command and what is typed.
    struct Call: Sendable {
        /// The command's name.
        let name: String
        /// What is typed.
        let line: String
        /// Whether a device must be in use.
        var onDevice = false
    }

    /// Calls that read or change the workspace's own store while none is in use. The names are those of `StoreSample`.
    static let calls: [Call] =
        waypoints + hikes + routes + beacons + transit + export + others
        + devices.map { Call(name: $0.name, line: $0.line, onDevice: true) }

    /// Commands that have no store of their own kind, and why.
    static let exempt: [String: String] = [
        "beacon play": "is `beacon render` through the system's sound, which a test does not have",
        "bug bundle": "packs the session so far, which may have used its own stores",
        "bug open": "unpacks an archive that is named",
        "bug rerun": "runs an archive that is named in a session of its own",
        "guide reroute": "goes on with the walk of the session; plans through `route plan`",
        "link mode": "is a setting of the link between devices; refuses like the other link commands",
        "stop play": "shows the session's map full screen; loads through `stop map`",
        "for": "runs other commands, each of which has its store",
        "sweep": "runs other commands, each of which has its store",
        "if": "runs other commands, each of which has its store",
        "source": "runs other commands, each of which has its store",
        "notebook run": "runs other commands, in a workspace of the notebook's own",
        "plugin list": "is about external plugins, which are not stores",
        "plugin load": "is about external plugins, which are not stores",
        "plugin new": "writes the files of a new plugin, no store",
        "plugin test": "tries a plugin in a session of its own",
        "plugin trust": "is about external plugins, which are not stores",
        "plugin unload": "is about external plugins, which are not stores",
        "region sample": "writes sample files, no store",
        "sql": "works on the store that is named or in use, and fails without one",
        "store at": "opens an earlier state of a store that is named or in use",
        "store history": "works on the store that is named or in use, and fails without one",
        "store watch": "works on the store that is named or in use, and fails without one",
        "store deleted": "works on the store that is named or in use, and fails without one",
        "container show": "works on the container that is named or in use, and fails without one",
        "store fix": "writes a copy of a store that is named or in use",
        "store refresh": "reads a store anew that is named or in use",
        "store adopt": "adds a store to the workspace, which is its purpose, and never replaces one",
        "store check": "works on the store that is named or in use, and fails without one",
        "store close": "is about the stores that are open",
        "store copy": "copies a store that is named",
        "store diff": "compares two stores that are named",
        "store export": "works on the store that is named or in use, and fails without one",
        "store import": "works on the store that is named or in use, and fails without one",
        "store rows": "works on the store that is named or in use, and fails without one",
        "store blob": "works on the store that is named or in use, and fails without one",
        "store query": "works on the store that is named or in use, and fails without one",
        "notebook list": "reads notebooks of a folder, no store",
        "notebook show": "reads a notebook that is named, no store",
        "notebook edit": "writes a notebook that is named, no store",
        "store info": "works on the store that is named or in use, and fails without one",
        "store list": "is about the stores that are open",
        "store open": "is about the stores that are open",
        "store repair": "reads a store that is named",
        "store schema": "works on the store that is named or in use, and fails without one",
        "store use": "is about the stores that are open",
        "cloud setup": "works on a server's database, on no store",
        "sync replay": "has devices and a cloud of its own, in memory or in a new file",
        "feed check": "reads a feed that is named, and writes nothing",
        "feed diff": "reads two feeds that are named, and writes nothing",
        "feed sample": "writes sample files, no store",
        "web fetch": "runs other commands, each of which has its store",
        "web open": "runs other commands, each of which has its store",
        "web status": "is about the server of the session",
        "web stop": "is about the server of the session",
        "undo": "takes back the change that it names, in the store that was changed",
    ]

    private static let waypoints = [
        Call(name: "waypoint add", line: "waypoint add 0.51,0.51 --label New"),
        Call(name: "waypoint count", line: "waypoint count"),
        Call(name: "waypoint list", line: "waypoint list"),
        Call(name: "waypoint near", line: "waypoint near 0.5,0.5 --radius 50km"),
        Call(name: "waypoint show", line: "waypoint show Hut"),
        Call(name: "waypoint photo", line: "waypoint photo Hut"),
        Call(name: "waypoint export", line: "waypoint export"),
        Call(name: "import", line: "import places.gpx --as waypoints"),
        Call(name: "waypoint link", line: "waypoint link Hut Walk"),
        Call(name: "waypoint edit", line: "waypoint edit Hut --note changed"),
        Call(name: "waypoint delete", line: "waypoint delete Hut"),
    ]

    private static let hikes = [
        Call(name: "hike list", line: "hike list"),
        Call(name: "hike show", line: "hike show Walk"),
        Call(name: "hike track", line: "hike track Walk"),
        Call(name: "hike stats", line: "hike stats"),
        Call(name: "hike link", line: "hike link Walk"),
        Call(name: "import", line: "import walk.gpx --again"),
        Call(name: "hike comment", line: "hike comment Walk changed"),
        Call(name: "hike rename", line: "hike rename Walk Renamed"),
        Call(name: "hike delete", line: "hike delete Walk"),
        Call(name: "hike original", line: "hike original Walk"),
        Call(name: "hike crop", line: "hike crop Walk --skip 100m"),
        Call(name: "hike trim", line: "hike trim Walk --radius 100m"),
        Call(name: "hike split", line: "hike split Walk --distance 100m"),
        Call(name: "hike reverse", line: "hike reverse Walk"),
        Call(name: "hike shift", line: "hike shift Walk --time 1h"),
        Call(name: "hike simplify", line: "hike simplify Walk"),
        Call(name: "hike despike", line: "hike despike Walk"),
        Call(name: "hike undo-edits", line: "hike undo-edits Walk"),
        Call(name: "hike merge", line: "hike merge Walk Walk"),
        Call(name: "hike splits", line: "hike splits Walk"),
        Call(name: "hike laps", line: "hike laps Walk"),
        Call(name: "hike zones", line: "hike zones Walk"),
        Call(name: "hike best", line: "hike best Walk --over 10m"),
        Call(name: "hike elevation", line: "hike elevation Walk"),
        Call(name: "hike summary", line: "hike summary"),
        Call(name: "hike calendar", line: "hike calendar"),
        Call(name: "photo match", line: "photo match walk.gpx --hike Walk"),
        Call(name: "photo geotag", line: "photo geotag walk.gpx --hike Walk --out tagged"),
    ]

    private static let places = "0.49786,0.48291 0.51439,0.49730"

    private static let routes = [
        Call(name: "region list", line: "region list"),
        Call(name: "region info", line: "region info"),
        Call(name: "region info", line: "region info valley"),
        Call(name: "route plan", line: "route plan \(places)"),
        Call(name: "route plan", line: "route plan \(places) --region valley"),
        Call(name: "route alternatives", line: "route alternatives \(places)"),
        Call(name: "route reachable", line: "route reachable 0.49786,0.48291"),
        Call(name: "route explain", line: "route plan \(places) | route explain"),
        Call(name: "route round", line: "route round 0.49786,0.48291 --distance 3km"),
        Call(name: "route matrix", line: "route matrix \(places)"),
        Call(name: "route order", line: "route order \(places) --via 0.50165,0.4855"),
        Call(name: "route stages", line: "route stages Up --hours 1"),
        Call(name: "route along", line: "route along E5"),
        Call(name: "trail list", line: "trail list"),
        Call(name: "trail show", line: "trail show E5"),
        Call(name: "route match", line: "route match way.gpx"),
        Call(name: "route list", line: "route list"),
        Call(name: "route show", line: "route show Up"),
        Call(name: "route turns", line: "route turns Up"),
        Call(name: "route elevation", line: "route elevation Up"),
        Call(name: "route times", line: "route times Up"),
        Call(name: "route move", line: "route move 2 0.50,0.50 Up"),
        Call(name: "route reverse", line: "route reverse Up"),
        Call(name: "guide start", line: "guide start Up"),
        Call(name: "guide prompts", line: "guide prompts Up"),
        Call(name: "guide simulate", line: "guide simulate Up --interval 60s"),
        Call(name: "guide play", line: "guide play Up --rate 1000 --interval 60s"),
        Call(name: "import", line: "import way.gpx --as routes | get routes | route save"),
        Call(name: "route save", line: "import way.gpx --as routes | get routes | route save Kept"),
        Call(name: "route rename", line: "route rename Up Renamed"),
        Call(name: "route delete", line: "route delete Up"),
        Call(name: "region sketch", line: "region sketch row 'A--B' --way AB"),
        Call(name: "region import", line: "region import valley.osm --name second"),
        Call(name: "region join", line: "region join valley valley2"),
        Call(name: "region remove", line: "region remove valley"),
    ]

    private static let listener = "--at 0.5,0.5 --heading 0deg"

    private static let beacons = [
        Call(name: "beacon list", line: "beacon list"),
        Call(name: "beacon bearings", line: "beacon bearings \(listener)"),
        Call(name: "beacon compass", line: "beacon compass \(listener)"),
        Call(name: "beacon ears", line: "beacon ears \(listener) --simple"),
        Call(
            name: "beacon render",
            line: "beacon render \(listener) --seconds 0.1 --simple --out s.wav --force"),
        Call(name: "tone list", line: "tone list"),
        Call(name: "tone show", line: "tone show Bell"),
        Call(name: "beacon add", line: "beacon add new 0.51,0.51"),
        Call(name: "beacon edit", line: "beacon edit home --name house"),
        Call(name: "beacon disable", line: "beacon disable north"),
        Call(name: "beacon enable", line: "beacon enable mill"),
        Call(name: "beacon delete", line: "beacon delete mill"),
        Call(name: "beacon export", line: "beacon export own.plist --force"),
        Call(name: "beacon import", line: "beacon export own.plist --force; beacon import own.plist"),
        Call(name: "tone add", line: "tone add Gong --frequency 300Hz"),
        Call(name: "tone edit", line: "tone edit Bell --frequency 400Hz"),
    ]

    private static let transit = [
        Call(name: "feed show", line: "feed show"),
        Call(name: "feed service", line: "feed service --days 1"),
        Call(name: "feed realtime", line: "feed realtime"),
        Call(name: "feed alerts", line: "feed alerts"),
        Call(name: "feed vehicles", line: "feed vehicles"),
        Call(name: "feed list", line: "feed list"),
        Call(name: "line list", line: "line list"),
        Call(name: "line show", line: "line show S1"),
        Call(name: "line timetable", line: "line timetable S1"),
        Call(name: "line shapes", line: "line shapes"),
        Call(name: "trip show", line: "trip show S1-WD-out-310"),
        Call(name: "stop lines", line: "stop lines Central"),
        Call(name: "stop near", line: "stop near 0.5,0.5"),
        Call(name: "stop list", line: "stop list 0.49,0.49,0.51,0.51"),
        Call(name: "stop find", line: "stop find Central"),
        Call(name: "departures", line: "departures Central"),
        Call(name: "journey plan", line: "journey plan 0.5,0.5 0.535,0.531"),
        Call(name: "stop drawer", line: "stop drawer Central"),
        Call(name: "stop show", line: "stop show Central"),
        Call(name: "stop map", line: "stop map 0.5,0.5"),
        Call(name: "feed import", line: "feed import harbour --force"),
    ]

    private static let export =
        ["community", "geojson", "gpx", "kml", "markdown"].flatMap { format in
            ["Walk", "Up"].map { Call(name: "export \(format)", line: "export \(format) \($0)") }
        } + [
            Call(name: "export pdf", line: "export pdf Walk --out walk.pdf --force"),
            Call(name: "export fit", line: "export fit Walk --out walk.fit --force"),
            Call(name: "export tcx", line: "export tcx Walk"),
            Call(name: "export html", line: "export html Walk --out walk.html --force"),
            Call(name: "export folder", line: "hike list | export folder --out walks --force"),
            Call(name: "import", line: "import ride.fit"),
            Call(name: "import", line: "import ride.tcx"),
            Call(name: "export pdf", line: "import walk.gpx --dry-run | export pdf --out walk.pdf --force"),
            Call(name: "import", line: "import walk.gpx"),
            Call(name: "import", line: "import way.gpx --as routes"),
            Call(name: "import", line: "import places.gpx"),
            Call(name: "import", line: "import places.geojson"),
            Call(name: "import", line: "import places.kml"),
            Call(name: "import", line: "import walk.json"),
        ]

    private static let others = [
        Call(name: "map show", line: "map show"),
        Call(name: "place at", line: "place at 0.51439,0.49730"),
        Call(name: "place search", line: "place search Hut"),
        Call(name: "place search", line: "place search home"),
        Call(name: "place search", line: "place search Central"),
        Call(name: "place search", line: "place search Meridian"),
        Call(name: "device list", line: "device list"),
        Call(name: "device use", line: "device use anna"),
        Call(name: "device add", line: "device add mac desk"),
        Call(name: "device offline", line: "device offline anna"),
        Call(name: "device online", line: "device online anna"),
        Call(name: "device suspend", line: "device suspend anna"),
        Call(name: "device resume", line: "device resume anna"),
        Call(name: "device kill", line: "device kill anna"),
        Call(name: "device restart", line: "device restart anna"),
        Call(name: "device clock", line: "device clock anna 5min"),
        Call(name: "device reinstall", line: "device reinstall wrist"),
    ]

    private static let devices = [
        Call(name: "sync status", line: "sync status"),
        Call(name: "sync plan", line: "sync plan"),
        Call(name: "sync log", line: "sync log"),
        Call(name: "sync conflicts", line: "sync conflicts"),
        Call(name: "sync restore", line: "sync restore 1"),
        Call(name: "sync explain", line: "sync explain 0"),
        Call(name: "sync rule", line: "sync rule seed"),
        Call(name: "sync subscribe", line: "sync subscribe"),
        Call(name: "sync account", line: "sync account"),
        Call(name: "sync compare", line: "sync compare"),
        Call(name: "sync aside", line: "sync aside"),
        Call(name: "cloud restored", line: "cloud restored"),
        Call(name: "sync pull", line: "sync pull"),
        Call(name: "sync push", line: "sync push"),
        Call(name: "sync now", line: "sync now"),
        Call(name: "link send", line: "link send Spring"),
        Call(name: "link file", line: "link file plan.json"),
        Call(name: "link status", line: "link status"),
        Call(name: "link log", line: "link log"),
        Call(name: "link duplicate", line: "link duplicate"),
        Call(name: "link reorder", line: "link reorder"),
        Call(name: "link drop", line: "link drop"),
        Call(name: "link deliver", line: "link deliver"),
        Call(name: "waypoint list", line: "waypoint list"),
    ]
}
