import PluginTestKit
import Testing
import Workbench

@testable import rutter

/// Questions of newcomers in their own words: one of the right commands is among the first three that help names.
@Suite struct HelpQuestionTests {
    private static let questions: [(String, [String])] = [
        ("convert fit to gpx", ["export", "import"]),
        ("gpx to kml", ["export", "import"]),
        ("how steep", ["elevation", "route explain"]),
        ("elevation profile", ["elevation"]),
        ("next bus", ["departures"]),
        ("train times", ["departures", "line timetable", "journey plan"]),
        ("plan a trip by train", ["journey plan"]),
        ("bus stops around me", ["stop near"]),
        ("find a stop by name", ["stop find"]),
        ("which lines stop here", ["stop lines", "line list"]),
        ("delays", ["feed realtime", "departures"]),
        ("how far have I walked", ["hike stats", "hike list"]),
        ("open a gpx file", ["import", "open"]),
        ("fastest kilometre", ["hike best", "hike splits"]),
        ("calories", ["hike show", "hike stats", "hike list"]),
        ("make a map", ["map", "map show", "map tiles"]),
        ("offline map tiles", ["map tiles"]),
        ("delete a waypoint", ["waypoint delete"]),
        ("save my position", ["waypoint add"]),
        ("list waypoints", ["waypoint list"]),
        ("find an address", ["place find"]),
        ("what is near me", ["waypoint near", "stop near", "place at"]),
        ("follow a route", ["guide start", "guide play", "guide simulate"]),
        ("voice navigation", ["guide play", "guide prompts"]),
        ("simulate gps", ["guide simulate"]),
        ("cheapest way", ["route plan"]),
        ("walking time", ["route times"]),
        ("round trip of 10 km", ["route round"]),
        ("how far can I get in an hour", ["route reachable"]),
        ("distance table", ["route matrix"]),
        ("visit many places", ["route order"]),
        ("snap track to roads", ["route match"]),
        ("hiking trails", ["trail list", "trail show", "route along"]),
        ("import openstreetmap", ["region import"]),
        ("repair database", ["store repair", "store fix"]),
        ("open an app's database", ["store open", "container show"]),
        ("deleted rows", ["store deleted"]),
        ("sync with the cloud", ["sync"]),
        ("lost edit", ["sync explain", "sync conflicts", "sync log"]),
        ("run a notebook", ["notebook run", "notebook test", "rutter run", "rutter test"]),
        ("jupyter", ["rutter kernel", "notebook import", "notebook render"]),
        ("tutorial", ["rutter run", "rutter learn"]),
        ("read a csv", ["open", "from"]),
        ("filter rows", ["where"]),
        ("average", ["mean", "summarize"]),
        ("remove duplicates", ["unique"]),
        ("what does this error mean", ["explain"]),
        ("step through an algorithm", ["step", "trace"]),
        ("hide where I live", ["hike crop"]),
        ("exit", ["quit"]),
        ("bearing between two points", ["bearing()"]), ("utm coordinates", ["notation()"]),
        ("rename a waypoint", ["waypoint edit"]), ("apple health", ["import"]),
        ("avoid stairs", ["route plan"]),
        ("wheelchair route", ["route plan"]), ("walking directions", ["route turns", "route plan"]),
        ("speak directions", ["guide play"]), ("off route", ["guide simulate", "guide reroute"]),
        ("json output", ["to"]), ("write a csv file", ["save"]), ("dark mode", ["set"]),
        ("write my own command", ["def", "plugin new"]), ("stop a running command", ["quit"]),
        ("keyboard shortcuts", ["help"]), ("list all commands", ["help"]), ("sample data", ["sample"]),
        ("getting started", ["sample", "rutter tour", "rutter learn"]),
        ("undo my last change", ["undo"]),
        ("where is the nearest station", ["stop near", "stop find"]),
        ("show my hikes on a map", ["map show", "map"]),
        ("longest hike", ["hike list", "hike stats", "hike best"]),
        ("heart rate", ["hike zones", "hike splits", "hike show", "hike stats"]),
        ("remove gps spikes", ["hike despike"]),
        ("change units to miles", ["set"]),
        ("group by category", ["group", "summarize"]),
        ("write csv", ["to", "save", "export", "store export"]),
        ("draw a chart", ["plot"]),
        ("compare two databases", ["store diff"]),
        ("simulate a journey on a bus", ["journey plan", "guide simulate", "departures"]),
        ("avoid stairs", ["route plan", "profile list"]),
        ("turn by turn directions", ["route turns", "guide start", "guide prompts"]),
        ("shortest path", ["route plan"]),
        ("circular walk", ["route round"]),
        ("loop over a list", ["for", "each"]),
        ("define a function", ["def"]),
        ("variables", ["let"]),
        ("sort by distance", ["sort"]),
        ("first ten rows", ["first"]),
        ("geocode an address", ["place find"]),
        ("reverse geocoding", ["place at"]),
        ("split a recording", ["hike split"]),
        ("join two tracks", ["hike merge"]),
        ("photo location exif", ["photo geotag", "photo match"]),
        ("wrong camera clock", ["photo match", "hike shift", "photo geotag"]),
        ("naismith", ["route times"]),
        ("isochrone", ["route reachable"]),
        ("import strava archive", ["import"]),
        ("garmin fit file", ["import", "export"]),
        ("add a point of interest", ["waypoint add"]),
        ("rename hike", ["hike edit"]),
        ("corrupt sqlite file", ["store repair", "store check", "store fix"]),
        ("conflict between two devices", ["sync conflicts", "sync explain", "sync rule"]),
        ("upload my data", ["sync", "sync plan"]),
        ("who changed this record", ["sync explain", "sync log"]),
        ("timetable of a line", ["line timetable"]),
        ("service disruption", ["feed alerts"]),
        ("validate gtfs", ["feed check"]),
        ("where is my bus", ["feed vehicles", "departures"]),
        ("spatial audio", ["beacon play", "beacon render", "beacon ears"]),
        ("list all errors", ["explain"]),
        ("show previous commands", ["history"]),
        ("publish a notebook as html", ["notebook render"]),
        ("write a plugin", ["plugin new"]),
        ("open in the browser", ["web open", "rutter serve"]),
        ("debug dijkstra", ["step", "trace", "step play"]),
        ("multi day hike with huts", ["route stages"]),
        ("random seed", ["seed"]),
        ("how do I begin", ["sample", "rutter tour", "rutter learn"]),
        ("is the lift broken", ["feed alerts"]),
        ("how long until the bus comes", ["departures"]), ("shortest hike", ["hike list"]),
        ("walk to the station", ["journey plan", "route plan"]),
        ("where does this bus go", ["line show", "trip show"]),
        ("print the route description", ["route turns"]), ("convert degrees minutes seconds", ["notation()"]),
        ("slope map", ["map"]), ("contour lines", ["map"]), ("block a road", ["route plan"]),
        ("who deleted my waypoint", ["sync explain", "sync log"]), ("magnetic declination", ["declination"]),
        ("drinking water nearby", ["place at", "place along", "place find"]),
        ("pivot table", ["summarize"]),
        ("is my database ok", ["store check"]), ("email a gpx", ["export"]),
        ("mute the voice", ["guide play", "set"]),
        ("restore deleted waypoint", ["undo", "store deleted", "sync restore"]), ("geohash", ["notation()"]),
        ("where are my files stored", ["rutter --workspace FOLDER", "config path"]),
        ("clear the screen", ["Ctrl-L"]), ("platform number", ["departures", "trip show"]),
        ("load a bus timetable", ["feed import", "import"]), ("show version", ["rutter --version"]),
        ("count per category", ["summarize", "group"]),
        ("start over", ["rutter --workspace FOLDER", "sample"]),
        ("how high is this mountain", ["waypoint list", "place find", "waypoint show"]),
        ("compare two routes", ["sweep", "route plan"]), ("blind user navigation", ["guide play"]),
        ("change to miles", ["set"]), ("ticket price", ["feed fares"]), ("platform", ["departures"]),
        ("my phone was restored from a backup", ["cloud restored"]),
        ("make a shortcut for a long command", ["alias"]), ("loop over rows", ["for", "each"]),
        ("water along the way", ["place along"]), ("convert utm coordinates", ["notation()"]),
        ("total ascent this year", ["hike stats"]),
        ("wheelchair accessible trips", ["journey plan"]), ("spreadsheet", ["open", "save"]),
        ("bus timetable on sunday", ["line timetable", "departures"]),
        ("put a pin on the map where I parked", ["waypoint add"]),
        ("which of my walks was the steepest", ["hike list", "hike stats", "hike best", "hike show"]),
        ("merge gpx files into one", ["hike merge", "import", "concat"]),
        ("my track has a jump across the lake", ["hike despike"]),
        ("cut off the drive home at the end of my recording", ["hike crop", "hike split"]),
        ("read an excel table", ["open", "from", "import"]),
        ("how do I sort descending", ["sort", "reverse"]),
        ("delete rows with empty cells", ["where", "reject"]),
        ("replace missing values by zero", ["default"]),
        ("add a column that is the product of two others", ["extend"]),
        ("pick only some columns", ["select"]),
        ("drop a column", ["reject"]),
        ("number the rows", ["enumerate"]),
        ("swap rows and columns", ["transpose"]),
        ("the last five lines", ["last"]),
        ("skip the header line", ["skip", "from"]),
        ("percentile", ["summarize"]),
        ("median of a column", ["summarize", "mean"]),
        ("standard deviation", ["summarize"]),
        ("join two csv files on a key", ["join"]),
        ("stack two tables on top of each other", ["concat", "append"]),
        ("string contains", ["contains()", "where"]),
        ("upper case", ["upper()"]),
        ("regular expression", ["where", "replace()"]),
        ("split text at commas", ["split()"]),
        ("length of a string", ["length()"]),
        ("round to two decimals", ["round()"]),
        ("parse a date from text", ["parse()", "date()"]),
        ("format a date", ["format()"]),
        ("what day of the week", ["weekday()"]),
        ("convert miles to kilometres", ["quantity()", "set"]),
        ("convert between time zones", ["format()", "set", "clock"]),
        ("run sql on a csv", ["sql"]),
        ("query a table with sql", ["sql"]),
        ("how long does it take to hike this", ["route times", "route plan"]),
        ("is there a bus tonight", ["departures", "journey plan"]),
        ("first train in the morning", ["departures", "journey plan", "line timetable"]),
        ("when do I have to leave to be there by nine", ["journey plan"]),
        ("arrive before noon", ["journey plan", "arrivals"]),
        ("fewest changes", ["journey plan"]),
        ("is the bus running late", ["departures", "feed updates", "feed realtime", "feed vehicles"]),
        ("which platform does my train leave from", ["departures", "trip show"]),
        ("cost of a ticket to the city", ["feed fares"]),
        ("is my gtfs file valid", ["feed check"]),
        ("what changed in the new timetable", ["feed diff"]),
        ("does this line run on public holidays", ["feed service", "departures", "line timetable"]),
        ("show all stops of a line", ["line show", "trip show", "stop list"]),
        ("stops without a wheelchair ramp", ["stop list", "stop show", "stop near"]),
        ("places I can get to by bus within 40 minutes", ["journey reachable"]),
        ("find a cafe near the route", ["place along"]),
        ("remember this place", ["waypoint add"]),
        ("throw away a hike I do not need", ["hike delete"]),
        ("fix the title of a recording", ["hike edit"]),
        ("how many metres did I climb in total", ["hike stats", "hike show", "hike list"]),
        ("glue two recordings together", ["hike merge"]),
        (
            "the watch recorded twice, get rid of the second copy",
            ["hike delete", "hike merge", "unique", "hike list"]
        ),
        ("time zone of the recording is wrong", ["hike shift", "hike edit", "photo match"]),
        ("cut a long recording into days", ["hike split"]),
        ("make the gpx smaller", ["hike simplify"]),
        ("flat parts and hills of my tour", ["elevation", "hike splits", "hike show", "route explain"]),
        ("how fast was I on average", ["hike stats", "hike show", "hike splits", "hike list", "mean"]),
        ("where did I take this picture", ["photo geotag", "photo match"]),
        ("plan a hike from A to B", ["route plan"]),
        ("how do I avoid ferries", ["route plan", "profile show", "profile list"]),
        (
            "is this path allowed for bikes",
            ["route explain", "profile show", "profile list", "route plan", "place at"]
        ),
        ("add a stopover to the route", ["route edit", "route plan", "route move"]),
        ("loop walk starting at the car park", ["route round"]),
        ("which summits can I reach in three hours", ["route reachable"]),
        ("directions as text", ["route turns"]),
        ("delete a saved route", ["route delete"]),
        ("marked long distance paths", ["trail list", "trail show", "route along"]),
        ("get the streets of my town", ["region import", "region sample", "region list"]),
        ("remove an area I no longer need", ["region delete"]),
        ("read directions aloud", ["guide play", "guide prompts"]),
        ("practice navigation without leaving home", ["guide simulate"]),
        ("when does the next tram go", ["departures"]),
        ("trains arriving at the airport", ["arrivals"]),
        ("how do I get from the hotel to the museum by bus", ["journey plan"]),
        ("late night service", ["departures", "feed service", "line timetable", "journey plan"]),
        ("buses near me", ["stop near", "departures"]),
        ("all lines of the city", ["line list"]),
        ("stops along this line", ["line show", "trip show"]),
        ("map of the station", ["stop map"]),
        ("did the operator change the schedule", ["feed diff", "feed updates"]),
        ("strike on monday", ["feed alerts", "feed service"]),
        ("load a timetable zip", ["feed import", "import"]),
        ("where are the vehicles now", ["feed vehicles", "feed realtime"]),
        ("price of a day pass", ["feed fares"]),
        ("show stop names in french", ["feed language", "set"]),
        ("announce the platform of a stop", ["stop play", "stop show", "departures"]),
        ("sound that leads me to the door", ["beacon play", "beacon add", "beacon route"]),
        ("which beacon comes next", ["beacon next"]),
        ("point my phone and hear what is there", ["beacon compass", "beacon play", "beacon ears"]),
        ("change the chime", ["tone edit", "tone list", "tone add", "beacon edit"]),
        ("picture of my hike on a map", ["map", "map show"]),
        ("graph of heart rate over distance", ["plot", "elevation", "hike zones"]),
        ("maps without internet", ["map tiles"]),
        ("compass needle correction", ["declination"]),
        ("height of a point", ["elevation", "place at", "waypoint show"]),
        (
            "move my data to a new phone",
            [
                "container show", "store open", "cloud restored", "sync restore", "device add", "sync",
                "container list", "bug bundle",
            ]
        ),
        (
            "data did not arrive on my second device",
            ["sync explain", "sync log", "sync status", "sync", "sync compare"]
        ),
        ("which version won", ["sync conflicts", "sync explain", "sync rule", "sync log"]),
        ("set up sync with my own server", ["cloud setup", "sync account"]),
        ("what will be uploaded", ["sync plan", "sync status"]),
        ("send a message to the watch", ["link send", "link deliver"]),
        (
            "app crashes when opening its database",
            ["store check", "store repair", "bug open", "bug bundle", "store open", "store fix"]
        ),
        ("list the tables of a database", ["store show", "store list", "store rows", "sql"]),
        ("what is in this sqlite file", ["store show", "store open", "open", "store rows"]),
        ("compare yesterday's backup with today's database", ["store diff"]),
        ("export a table from sqlite to csv", ["store export", "store rows", "sql", "to", "save", "export"]),
        ("get pictures out of a database", ["store blob", "store export"]),
        ("how did the database look before", ["store history", "store at"]),
        ("browser view", ["web open", "rutter serve"]),
        ("stop the web server", ["web stop"]),
        ("read a file with semicolons", ["from", "open"]),
        ("csv has no header", ["from"]),
        ("wrong encoding, umlauts are broken", ["open", "from"]),
        ("first three rows", ["first"]),
        ("rows between 10 and 20", ["skip", "first", "range", "where"]),
        ("which columns does this table have", ["describe", "select", "get"]),
        ("rename a column", ["rename"]),
        ("keep only rows where beds is more than 10", ["where"]),
        ("largest value of a column", ["max", "sort", "summarize"]),
        ("add up a column", ["sum", "summarize"]),
        ("how many rows", ["count"]),
        ("average per group", ["summarize", "group", "mean"]),
        ("most frequent value", ["summarize", "group", "count"]),
        ("combine columns of two files", ["join"]),
        ("remove columns", ["reject", "select"]),
        ("fill gaps", ["default"]),
        ("sort by two columns", ["sort"]),
        ("apply a formula to each row", ["each", "extend"]),
        ("remove spaces around text", ["trim()"]),
        ("lower case", ["lower()"]),
        ("absolute value", ["abs()"]),
        ("difference between two dates", ["days()", "date()", "parse()", "extend", "each", "format()"]),
        ("distance between two coordinates", ["distance()"]),
        ("convert feet to metres", ["quantity()", "set"]),
        ("if else", ["if", "if()"]),
        ("take the first value that is not empty", ["coalesce()", "default"]),
        ("save a result in a variable", ["let"]),
        ("write a script", ["source", "def", "rutter run", "notebook save"]),
        ("run a command again and again with other values", ["sweep", "for", "each"]),
        ("history of what I typed", ["history", "Ctrl-R"]),
        ("turn off colours", ["set"]),
        ("use feet and miles", ["set"]),
        ("wider tables", ["set"]),
        ("exit the program", ["quit"]),
        ("notebook as a web page", ["notebook render"]),
        (
            "share my session with a colleague",
            ["notebook save", "copy", "notebook render", "plugin new", "bug bundle"]
        ),
        ("undo last command", ["undo"]), ("directions in words", ["route turns"]),
        ("walk without steep hills", ["route plan", "profile list"]),
        ("where does the sound come from", ["beacon bearings", "beacon compass"]),
        ("simulate two phones", ["device add"]), ("forget a place", ["waypoint delete"]),
        ("train number 1234 stops", ["trip show"]), ("add another map to this one", ["region join"]),
        ("supermarkets in the area", ["place find", "place along"]), ("airplane mode", ["device set"]),
        ("swap start and end", ["route reverse"]), ("mgrs to lat lon", ["notation()"]),
        ("how far is it as the crow flies", ["distance()"]), ("only show two columns", ["select"]),
        ("hikes near a place", ["hike list", "hike show"]), ("list hikes longer than 20 km", ["hike list"]),
        ("which waypoints have no photo", ["waypoint list"]), ("paper size", ["map"]),
        ("slow motion of the search", ["step play"]), ("test in a pull request", ["rutter test"]),
        ("start-up commands", ["config edit"]), ("reach the hut before dark", ["route times"]),
        ("is the path muddy", ["route explain", "profile show"]),
        ("what does the panel at the bottom show", ["stop drawer"]),
        ("turn the beep off", ["beacon edit", "tone edit"]),
        ("is it left or right of me", ["beacon bearings", "beacon compass"]),
        ("the dots jump across the lake", ["hike despike"]),
        ("how do I get my walk onto my watch", ["export", "link send"]),
        ("feed one position by hand", ["guide fix"]), ("make my own verb", ["def", "alias"]),
        ("explain dijkstra to my class", ["step", "rutter learn", "trace"]),
        ("skipped stops", ["trip show", "feed updates"]), ("grade the homework", ["notebook results"]),
        ("change parameter and see the effect", ["sweep"]), ("how big is the outbox", ["sync status"]),
        ("test that a command fails", ["expect-error"]), ("steepest part of my route", ["route explain"]),
    ]
    /// Of a hundred.
    private static let fewest = 95

    @Test func mostQuestionsFindTheirCommand() async throws {
        let session = try HelpSession()
        var missed: [String] = []
        for (question, right) in Self.questions where try await !session.finds(right, for: question) {
            missed.append(question)
        }
        let share = (Self.questions.count - missed.count) * 100 / Self.questions.count
        #expect(share >= Self.fewest, "\(missed)")
    }

    /// A command of another name would never be found, and the share hides it.
    @Test func theRightCommandsExist() async throws {
        let names = try await HelpSession().session.registry.names
        let commands = Self.questions.flatMap(\.1).filter { name in
            !["()", "FOLDER"].contains(where: name.hasSuffix)
                && !["rutter", "Ctrl"].contains(where: name.hasPrefix)
        }
        #expect(Set(commands).subtracting(names).sorted() == [])
    }

    /// What no command does is said: the rest of the question leads elsewhere.
    @Test func wordsThatNoHelpHasAreNamed() async throws {
        let answer = try await HelpSession().session.run("help sunset time").output
        #expect(answer.hasPrefix("about `sunset time`, without sunset:\n"))
        let known = try await HelpSession().session.run("help next bus").output
        #expect(known.hasPrefix("about `next bus`:\n"))
    }

    @Test func theGroupOfSteppingSaysWhichToUse() async throws {
        let page = try await HelpSession().session.run("help teaching").output
        for use in ["trace PIPELINE", "step play", "step picture", "… | export a.html", "sweep"] {
            #expect(page.contains("\n  \(use)"), "\(use)")
        }
    }

    /// Answers name functions with brackets; so may those who ask for the page.
    @Test func functionsAreNamedAsAnswersNameThem() async throws {
        let session = try HelpSession().session
        let page = await session.run("help weekday()").output
        let plain = await session.run("help weekday").output
        #expect(page == plain)
        #expect(page.hasPrefix("weekday(date):"), "\(page)")
    }

    /// The functions of SQLite that fixes of unknown functions name.
    @Test(arguments: [
        ("[{x: 1}] | sql 'select *, ln(x) as y from it' | get y", "0"),
        ("[{x: 'abc'}] | sql 'select *, substr(x, 1, 2) as y from it' | get y", "ab"),
        ("[{x: 7}] | sql \"select *, printf('%05d', x) as y from it\" | get y", "00007"),
        ("[{x: 1} {x: 2}] | sql 'select *, lag(x) over (order by x) as y from it' | last | get y", "1"),
    ])
    func functionsOfSQLite(_ entry: String, _ value: String) async throws {
        let result = try await HelpSession().session.run(entry)
        #expect(result.failure == nil, "\(entry)")
        #expect(result.output.hasPrefix(value), "\(entry): \(result.output)")
    }

    /// The order of words and their case change nothing.
    @Test(arguments: ["fit gpx convert to", "CONVERT FIT TO GPX", "to gpx, convert fit"])
    func wordsInAnyOrder(_ question: String) async throws {
        #expect(try await HelpSession().finds(["export"], for: question))
    }

    @Test(arguments: ["ls", "cd", "pwd", "clear", "man", "grep"])
    func habitsOfAShellNameWhatDoesTheSame(_ word: String) async throws {
        let result = try await HelpSession().session.run("\(word) x")
        #expect(result.failure?.code == "E-COMMAND-UNKNOWN")
        #expect(result.failure?.fix?.contains("help commands") != true)
    }
}

/// A session with all plugins that is asked for help.
private struct HelpSession {
    let session: Session

    init() throws { session = try TestSession(plugins: builtInPlugins).session }

    /// Whether help on the question is the page of a right command, or names one in its first three lines.
    func finds(_ right: [String], for question: String) async throws -> Bool {
        let lines = await session.run("help \(question)").output.split(separator: "\n").map(String.init)
        let isPage = right.contains { lines.first?.hasPrefix("\($0):") == true }
        return isPage
            || lines.dropFirst().prefix(3).contains { line in right.contains { line.hasPrefix("  \($0)  ") } }
    }
}
