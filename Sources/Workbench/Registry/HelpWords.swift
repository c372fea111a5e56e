/// Words of questions and of help, reduced so that different forms of a word agree.
enum HelpWords {
    /// Words that say nothing about the subject.
    private static let empty: Set<String> = [
        "a", "an", "and", "are", "as", "at", "be", "by", "can", "could", "did", "do", "does", "for", "from",
        "get", "got", "has", "have",
        "how", "i", "in", "into", "is", "it", "its", "me", "my", "of", "on", "one", "or", "our", "please",
        "should", "some", "still", "that", "two",
        "the", "their", "there", "this", "to", "us", "want", "was", "we", "were", "what", "when", "where",
        "who",
        "will", "with", "you", "your", "need", "like", "would", "im", "am", "up", "own", "any", "just",
        "about", "take", "much", "all", "every", "here",
        "no", "not", "dont", "cant", "which", "does", "something", "somebody", "someone", "again", "then",
        "think", "thought", "tell", "whether", "thing", "things", "maybe", "possible", "very", "else",
        "than", "also", "only", "these", "those", "been", "being", "three", "four", "five", "six", "seven",
        "eight", "nine", "ten", "twenty", "hundred", "must", "shall", "may", "might", "if", "but", "so",
        // Contractions, whose apostrophe is left out.
        "whats", "wheres", "hows", "whos", "ive", "id", "ill", "theres", "isnt", "arent", "doesnt", "didnt",
        "wont",
        "lets", "thats", "havent", "hasnt", "wasnt", "couldnt",
    ]

    /// Words for numbers, which may have a unit behind them.
    private static let numbers: Set<String> = [
        "a", "an", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twenty",
        "thirty",
        "fifty", "hundred", "thousand", "half", "few", "some",
    ]

    /// Units of length, which say behind a number only how much of what the other words name: `springs within two kilometres`. What
    /// takes an hour is another question.
    private static let units: Set<String> = [
        "m", "metre", "metres", "meter", "meters", "km", "kilometre", "kilometres", "kilometer", "kilometers",
        "mile",
        "miles", "mi", "foot", "feet", "ft", "yard", "yards",
    ]

    /// Everyday words, by stem, for those that the commands use. Words of one area are search terms of its commands.
    static let synonyms: [String: [String]] = {
        let groups: [[String]] = [
            ["remove", "delete", "erase", "discard"], ["find", "search", "locate"],
            ["show", "see", "view", "display", "print", "output"],
            ["make", "create", "new"], ["write", "save", "store", "keep"],
            ["change", "edit", "modify", "update", "correct"], ["correct", "fix", "wrong"],
            ["convert", "export", "transform"], ["read", "open", "load"], ["time", "duration", "long"],
            ["distance", "length", "far"], ["fast", "quick", "speed"], ["speed", "pace"],
            ["near", "around", "nearby", "close"],
            ["picture", "image", "draw"], ["picture", "image", "photo"], ["start", "begin"],
            ["end", "finish", "leave"], ["repair", "fix", "recover", "rescue"],
            ["recover", "restore", "undelete", "deleted"], ["broken", "corrupt", "damaged"],
            ["average", "mean"], ["biggest", "largest", "max", "greatest"], ["smallest", "lowest", "min"],
            ["total", "sum"], ["check", "validate", "verify", "test"], ["combine", "merge", "join"],
            ["compare", "differ", "difference", "diff"], ["cut", "crop", "trim"],
            ["copy", "backup", "duplicate"],
            ["steep", "slope", "grade"], ["height", "elevation", "altitude", "high"],
            ["climb", "ascent", "gain"],
            ["way", "route", "path"], ["walk", "hike"], ["track", "recording", "hike", "activity"],
            ["trip", "journey"], ["train", "bus", "tram", "ferry", "transit"], ["station", "stop"],
            ["schedule", "timetable"], ["ticket", "fare", "price"], ["late", "delay"],
            ["arrive", "arrival"], ["depart", "departure"],
            ["sort", "order", "rank"], ["filter", "where"], ["learn", "lesson", "tutorial", "teach"],
            ["app", "phone"], ["phone", "device", "watch"], ["database", "store"], ["cloud", "icloud"],
            ["column", "field"], ["chart", "graph", "diagram", "plot"],
            ["option", "setting", "preference"], ["color", "colour"], ["bike", "bicycle", "cycling"],
            ["upload", "send", "share", "publish"], ["download", "import"],
            ["town", "city", "village", "place"],
            ["mountain", "peak", "summit"], ["direction", "bearing", "heading"], ["hotel", "hut", "shelter"],
            ["explain", "why", "reason"], ["result", "output"], ["problem", "error", "fault"],
            ["add", "create", "make", "new", "insert", "setup"],
            ["rename", "edit", "change", "modify", "adjust", "label"],
            ["count", "many", "number", "amount"],
            ["join", "merge", "combine", "stitch", "glue", "unite", "concatenate", "together", "attach"],
            ["split", "divide", "separate", "chop", "slice", "halve"], ["chop", "slice", "cut", "crop"],
            ["reverse", "backwards", "opposite", "flip", "invert"],
            ["reachable", "reach", "isochrone", "within", "range", "catchment"],
            ["history", "past", "earlier", "log", "timeline"],
            ["queue", "queued", "waiting", "pending", "outbox", "unsent"],
            ["simulate", "pretend", "fake", "emulate", "mock"], ["share", "friend", "send", "invite"],
            ["stop", "end", "quit", "cancel", "abort"], ["draw", "sketch", "paint"],
            ["waypoint", "marker", "pin", "poi", "spot", "bookmark"],
            ["region", "area", "map", "network", "country"], ["road", "street", "way", "path", "trail"],
            ["guidance", "guide", "navigate", "navigation", "navigator"],
            ["transit", "public", "transport", "bus", "train", "tram", "ferry", "metro", "subway", "rail"],
            ["direction", "bearing", "heading", "compass"],
            ["sound", "audio", "tone", "beep", "noise", "hear", "listen"],
            ["voice", "speak", "speech", "spoken", "announce", "announcement", "prompt", "instruction"],
            ["database", "store", "sqlite", "db"],
            ["recording", "track", "hike", "activity", "workout", "walk", "tour", "run"],
            ["warning", "alert", "disruption", "problem"],
            ["price", "fare", "cost", "ticket", "cheap", "money"],
            ["column", "field", "attribute", "property", "key"],
            ["short", "shortest", "quick", "fast", "cheapest"],
            ["place", "location", "address", "town", "position"],
            ["statistics", "stats", "summary", "total", "overview"],
            ["weekly", "monthly", "yearly", "month", "year", "week", "calendar"],
            ["season", "summer", "winter", "autumn", "calendar", "month"], ["step", "stage", "day"],
            ["photo", "picture", "image", "camera", "jpeg", "jpg", "heic"],
            ["salvage", "recover", "rescue", "repair", "restore"],
            ["cluster", "group", "together"], ["why", "reason", "explain", "cause"],
            ["live", "realtime", "real", "current", "now"],
            ["loop", "round", "circular", "circuit", "circle"],
            ["wheelchair", "accessible", "step-free", "barrier"], ["waypoint", "point", "place"],
            ["near", "within"],
            [
                "place", "campsite", "campground", "camp", "hut", "shelter", "restaurant", "cafe", "shop",
                "hotel", "spring", "toilet", "parking", "peak", "summit",
            ],
            ["along", "beside", "enroute"],
            ["hard", "difficult", "difficulty", "grade", "tough", "demanding"],
            ["car", "drive", "mode", "vehicle"], ["off", "lost", "astray", "deviate", "stray"],
            ["allow", "permission", "permit", "access", "grant"],
            ["pair", "connect", "register", "add", "link"],
            ["won", "win", "winner", "conflict", "collision", "clash"],
            ["website", "localhost", "browser", "web", "page", "http", "firefox", "chrome", "safari", "url"],
            ["icon", "symbol", "category", "kind", "type"], ["town", "village", "city", "place"],
            ["punctual", "delay", "late", "ontime"], ["malformed", "corrupt", "damage", "broken"],
            ["reduce", "compress", "shrink", "small"], ["install", "import", "load", "add"],
            ["strike", "alert", "disruption"], ["smooth", "simplify", "noise", "noisy"],
            ["detour", "why", "explain"], ["distinct", "unique", "duplicate"],
            ["replace", "fill", "default"],
            ["christmas", "holiday", "service", "sunday", "weekend"],
            ["french", "german", "language", "translate", "translation"], ["which", "list"],
            ["big", "large", "top", "most"], ["print", "paper"],
            ["rest", "pause", "break", "lunch", "picnic", "coffee"],
            ["toy", "sketch"],
            ["put", "add", "remember"], ["swap", "exchange", "transpose"], ["throw", "delete"],
            ["title", "name", "label", "rename"], ["fix", "correct", "edit", "repair"],
            ["chime", "sound", "tone", "bell"], ["street", "road"], ["device", "tablet", "phone", "watch"],
            ["glue", "merge"], ["area", "region", "valley"], ["shorten", "short", "abbreviate", "alias"],
            ["feet", "miles", "metres", "units", "imperial"], ["kilometre", "kilometer", "km", "mile"],
            ["blaze", "waymark", "marked", "trail"], ["picture", "photo", "image"],
            ["email", "mail", "send"], ["beginning", "start", "first"], ["poster", "print", "pdf"],
            ["vehicle", "bus", "train"], ["insert", "add"], ["disappear", "lost", "missing", "gone"],
            ["crash", "error", "fail"], ["slow", "fast", "speed"],
            ["last", "past", "previous"], ["state", "history"], ["merge", "import"], ["limit", "speed"],
            ["forget", "delete"], ["without", "avoid"], ["underground", "subway", "metro", "train"],
            [
                "place", "supermarket", "bakery", "pharmacy", "hospital", "school", "bank", "atm", "church",
                "library", "museum", "hostel", "bench", "playground", "viewpoint", "doctor", "police",
                "monument", "castle", "waterfall", "lake", "fountain", "pub", "bar", "cinema",
            ],
            ["blind", "voice", "spoken"], ["run", "jog", "jogging", "ride", "swim", "hike"],
            ["postcode", "address"], ["schema", "table"], ["picture", "snapshot"],
            ["compare", "different"], ["say", "said", "prompt"], ["jump", "despike"],
            ["komoot", "strava", "export", "import"],
            ["panel", "drawer", "sheet"], ["dot", "marker", "cluster"],
            ["muddy", "mud", "gravel", "asphalt", "paved", "unpaved", "cobble", "surface"],
            ["pulse", "heartbeat", "bpm", "heart"], ["verb", "command", "macro", "function", "def"],
            ["healthy", "intact", "okay", "check"], ["left", "right", "side", "bearing"],
            ["contain", "include", "matching", "where"],
            ["class", "student", "pupil", "classroom", "lesson"],
            ["dijkstra", "astar", "algorithm", "step"], ["expand", "visit", "step", "trace"],
            ["push", "upload", "sync"], ["rehearse", "practise", "practice", "simulate"],
            ["pull", "import", "read"],
            ["usable", "accessible"], ["lift", "elevator", "ramp", "wheelchair"],
            ["original", "unedited", "untouched", "raw"],
            ["dangerous", "danger", "risky", "exposed", "difficult", "hard"],
            ["hill", "mountain", "peak", "summit", "place"], ["hole", "gap"], ["water", "spring"],
            ["drinking", "spring", "place"],
            ["notification", "cue", "alert", "prompt"],
            ["accidentally", "mistake", "undo"], ["return", "back", "reverse", "round"],
            ["letter", "character"], ["character", "text"],
            ["airplane", "flight", "offline", "network"],
            ["zip", "archive", "bundle", "pack"], ["yesterday", "history", "earlier"],
            ["buzz", "vibrate", "vibration", "haptic", "prompt"],
            ["headphone", "earphone", "headset", "ear", "stereo"], ["loud", "volume", "quiet"],
            ["pitch", "frequency", "hz"], ["facing", "heading", "direction"],
            ["voiceover", "talkback", "screenreader", "reader", "accessibility"],
            ["keyboard", "keys", "arrow"], ["headway", "frequency", "interval", "often"],
            ["platform", "bay", "stand"], ["operator", "agency", "company", "feed"],
            ["cancel", "dropped", "alert", "update"], ["transfer", "change", "connection", "interchange"],
            ["earliest", "first"], ["latest", "last"], ["staircase", "stair", "steps"],
            ["stroller", "pram", "buggy", "wheelchair"], ["uphill", "ascent", "climb"],
            ["downhill", "descent"], ["gradient", "incline", "slope", "steep"], ["contour", "elevation"],
            ["mbtiles", "tiles"], ["a4", "a3", "paper", "page", "print"], ["bitmap", "png", "picture"],
            ["screenshot", "picture"], ["anonymous", "privacy", "private", "hide", "crop"],
            ["gap", "hole", "missing"], ["spike", "jump", "outlier", "glitch", "zigzag", "despike"],
            ["barometer", "altimeter", "elevation"], ["energy", "kcal", "calorie"],
            ["lap", "split", "interval"], ["personal", "best", "fastest"],
            ["spreadsheet", "excel", "csv"], ["header", "heading", "names"], ["row", "record", "entry"],
            ["blank", "empty", "missing", "null", "nothing"],
            ["percentage", "percent", "proportion", "ratio"],
            ["stack", "union", "append"], ["vlookup", "lookup", "join"], ["crosstab", "pivot", "summarize"],
            ["script", "batch", "automate", "source"], ["shortcut", "nickname", "alias"],
            ["undo", "revert", "mistake", "oops"], ["extension", "addon", "module", "plugin"],
            ["trust", "safe", "security"], ["resend", "retry", "send"], ["login", "user", "account"],
            ["integrity", "corrupt", "check"], ["structure", "schema", "table", "column"],
            ["dump", "export"], ["binary", "blob"], ["query", "sql"], ["author", "who", "device"],
            ["answer", "result", "value"], ["gps", "fix", "recording"], ["accuracy", "noise", "error"],
            ["isoline", "contour"], ["sidewalk", "footway", "pavement", "path"], ["cycleway", "bike"],
            ["commute", "journey"], ["itinerary", "journey", "plan"], ["pole", "stop"],
            ["backpacking", "trek", "stage"], ["trek", "hike", "trail"], ["dataset", "table", "file"],
        ]
        var table: [String: [String]] = [:]
        for group in groups.map({ $0.map(stem) }) {
            for word in group { table[word, default: []] += group.filter { $0 != word } }
        }
        return table
    }()

    /// Phrases and the word for each: of the phrase alone its words say something else.
    private static let phrases: [(said: String, word: String)] = [
        ("can i get to", "reach"), ("can i get", "reach"), ("can i walk to", "reach"),
        ("can i walk", "reach"),
        ("could i get", "reach"), ("can get to", "reach"), ("can walk to", "reach"), ("can hike to", "reach"),
        ("into two", "split"), ("in two", "split"),
        ("in half", "split"), ("into pieces", "split"), ("into parts", "split"), ("into halves", "split"),
        ("hiking path", "trail"), ("hiking paths", "trails"), ("walking paths", "trails"),
        ("hiking routes", "trails"), ("marked paths", "trails"), ("be there", "arrive"),
        ("have to be", "arrive"),
        ("must be", "arrive"), ("need to be", "arrive"), ("what changed", "difference"),
        ("what has changed", "difference"), ("has changed", "difference"), ("whats new", "difference"),
        ("what is new", "difference"), ("what is different", "difference"), ("name of the day", "weekday"),
        ("what day", "weekday"), ("which day is", "weekday"), ("by mistake", "mistake"),
        ("by accident", "mistake"), ("out and back", "return"), ("there and back", "return"),
        ("two phones", "devices"), ("two devices", "devices"), ("both devices", "devices"),
        ("how many hours", "time"), ("how many minutes", "time"),
        ("how many metres", "distance"), ("how many meters", "distance"), ("how many kilometres", "distance"),
        ("how many kilometers", "distance"), ("how many miles", "distance"), ("to the top", "summit"),
        ("thrown away", "skipped"), ("thrown out", "skipped"), ("not imported", "skipped"),
        ("second device", "add device"), ("second phone", "add device"), ("another phone", "add device"),
        ("another device", "add device"), ("new phone", "add device"), ("into a file", "save file"),
        ("set up", "add"), ("how many", "count"), ("get rid of", "delete"), ("look up", "find"),
        ("public transport", "transit"), ("public transit", "transit"), ("bring back", "restore"),
        ("put back", "restore"), ("get back", "restore"), ("other way round", "reverse"),
        ("other direction", "reverse"), ("way back", "reverse"), ("over time", "history"),
        ("real time", "realtime"), ("turned off", "disable"), ("switched off", "disable"),
        ("road network", "region"), ("without internet", "offline"), ("throw away", "delete"),
        ("take away", "delete"), ("take out", "delete"), ("add up", "sum"), ("turn around", "reverse"),
        ("again and again", "repeat"), ("as well", "too"), ("cut off", "crop"), ("left out", "skipped"),
        ("get to", "reach"), ("on foot", "walk"), ("by foot", "walk"), ("by bike", "bicycle"),
        ("by car", "car"), ("by train", "train"), ("by bus", "bus"),
        ("show all my", "list"), ("all my", "list"), ("show all", "list"), ("do i have", "list"),
        ("are there", "list"), ("list of all", "list"), ("day of the week", "weekday"),
        ("in words", "text"), ("not showing", "missing"), ("not there", "missing"), ("not arrive", "missing"),
        ("not arrived", "missing"), ("not appear", "missing"), ("doesnt show", "missing"),
        ("went missing", "missing"), ("did i save", "saved list"), ("have i saved", "saved list"),
        ("path back", "reverse"), ("the other way", "reverse"), ("next to", "near"), ("close to", "near"),
        ("go away", "delete"),
        ("in the area", "near"), ("around here", "near"), ("half an hour", "minutes"),
        ("only show", "select"), ("how often", "count often"), ("did i", "hike"), ("have i", "hike"),
        ("was i", "hike"),
        ("onto my", "send export"), ("on to my", "send export"), ("to my watch", "send watch"),
        ("to my phone", "send phone"), ("by hand", "fix"), ("typed wrong", "undo"),
        ("in front of me", "bearing ahead"), ("behind me", "bearing"), ("next to me", "near"),
        ("turn off", "disable"), ("switch off", "disable"), ("how steep", "slope"),
        ("as a file", "file save"), ("each time", "repeat"), ("every time", "repeat"),
        ("step by step", "step"), ("one by one", "each"), ("side by side", "compare"),
        ("kind of", "kind"), ("sort of", "kind"), ("right now", "now"),
    ]

    /// The stems of the words that say something; of a question of empty words alone, all of them.
    static func wanted(in question: String) -> [String] { meaningful(in: question).map(stem) }

    /// The words that say something; of a question of empty words alone, all of them.
    static func meaningful(in question: String) -> [String] {
        let all = words(of: said(question))
        let full = withoutQuantities(all).filter { !empty.contains($0) && !$0.allSatisfy(\.isNumber) }
        return full.isEmpty ? all : full
    }

    /// The words without numbers and their units, as in `10 km` and `10km`; all of them where little else is asked.
    private static func withoutQuantities(_ words: [String]) -> [String] {
        var rest: [String] = []
        for word in words {
            let number = word.prefix { $0.isNumber }
            let isJoined = !number.isEmpty && units.contains(String(word.dropFirst(number.count)))
            let isBehind =
                units.contains(word)
                && rest.last.map { numbers.contains($0) || $0.allSatisfy(\.isNumber) } == true
            guard isJoined || isBehind else {
                rest.append(word)
                continue
            }
            if isBehind { rest.removeLast() }
            if rest.last == "within" { rest[rest.count - 1] = "near" }
        }
        return rest.contains { !empty.contains($0) && !numbers.contains($0) } ? rest : words
    }

    private static func said(_ question: String) -> String {
        let plain = " " + words(of: question).joined(separator: " ") + " "
        // What is turned into something is converted, what is turned round is reversed.
        var turned = plain
        if plain.contains(" into ") { turned = plain.replacing(" turn ", with: " convert ") }
        for round in [" round ", " around "] where plain.contains(" turn ") && plain.contains(round) {
            turned = plain.replacing(" turn ", with: " reverse ").replacing(round, with: " ")
        }
        return phrases.reduce(turned) { $0.replacing(" \($1.said) ", with: " \($1.word) ") }
    }

    static func stems(of text: String) -> Set<String> {
        Set(words(of: text).filter { !empty.contains($0) }.map(stem))
    }

    /// The stems of all words, with the empty ones: a phrase such as "where am I" consists of them.
    static func allStems(of text: String) -> [String] { words(of: text).map(stem) }

    /// The stems of a phrase: `text to number` is `text into a number`, while "where am I" consists of empty words.
    static func phraseStems(of text: String) -> [String] {
        let full = words(of: text).filter { !empty.contains($0) }
        return full.count > 1 ? full.map(stem) : allStems(of: text)
    }

    /// All words, in small letters.
    static func words(of text: String) -> [String] {
        text.lowercased().replacing("a*", with: "astar").filter { $0 != "'" && $0 != "’" }.split {
            !$0.isLetter && !$0.isNumber
        }.map(
            String.init)
    }

    /// A word without the ending of a plural, a participle, a gerund, a superlative, or the noun of a verb: `hikes` and `hiking` are `hik`, as `hike`
    /// is, `navigation` and `navigate` are `navigat`.
    static func stem(_ word: String) -> String {
        var word = word
        let endings = [
            ("ies", "y", 3), ("sses", "ss", 3), ("ations", "at", 4), ("ation", "at", 4), ("ators", "at", 4),
            ("ator", "at", 4), ("ing", "", 3), ("ed", "", 3), ("es", "e", 3), ("s", "", 3), ("est", "", 4),
        ]
        for (ending, instead, least) in endings
        where word.hasSuffix(ending) && word.count - ending.count >= least && !word.hasSuffix("ss") {
            word = String(word.dropLast(ending.count)) + instead
            break
        }
        // `planning`, but not `falling`, `passing`, `seeing`, `zooming`, `buzzing`.
        if word.count > 3, let last = word.last, word.dropLast().last == last, !"lsezo".contains(last) {
            word.removeLast()
        }
        return word.count > 3 && word.hasSuffix("e") ? String(word.dropLast()) : word
    }
}
