/// The sample region: an invented valley, so that lessons and tests need no third-party map.
///
/// It lies at 0.5° north and east in open sea, where a degree has the same length in both directions:
/// 0.001° are 111 m. Points are metres east and north of there.
enum SampleValley {
    /// A point of a way: a named one that ways may share, or one of its own.
    enum Point {
        case place(String)
        case at(Double, Double)
    }

    /// A way of the map.
    struct Way {
        let name: String?
        let highway: String
        /// Further tags, as `key=value`.
        var tags: [String] = []
        let points: [Point]
    }

    /// The shared points, by name.
    static let places: [String: (x: Double, y: Double)] = [
        "west end": (-3600, -169), "east end": (3600, 169),
        "circle west": (-1218, -180), "circle north": (-1200, -162), "circle east": (-1182, -180),
        "circle south": (-1200, -198),
        "church": (-1170, 210), "steps top": (-1150, 300), "station": (-1900, -238),
        "terrace west": (-2600, 420), "trail foot": (-500, 430), "terrace east": (200, 480),
        "track foot": (600, 97), "track bend": (1100, 1000), "hut": (-300, 1600),
        "lake": (1500, 1700), "lake east": (2000, 1750), "peak": (-600, 2500), "pass": (900, 2600),
        "mill": (-1250, -900), "alp": (-600, -2000), "south foot": (1800, 233),
        "isle west": (2600, -2600), "isle east": (3200, -2500),
    ]

    /// Named features beside the ways: coordinate, name and tag.
    static let named: [(place: String, name: String, tag: String)] = [
        ("station", "Null Station", "railway=station"), ("church", "Nullwick", "place=village"),
        ("hut", "Meridian Hut", "tourism=alpine_hut"), ("peak", "Zero Peak", "natural=peak"),
        ("lake", "Lake View", "tourism=viewpoint"), ("pass", "Equator Pass", "mountain_pass=yes"),
    ]

    /// The ways in the order of the file.
    static let ways: [Way] = roads + paths + oddities

    private static let roads: [Way] = [
        Way(
            name: "Valley Road", highway: "tertiary", tags: ["surface=asphalt"],
            points: [
                .place("west end"), .at(-2800, -239), .place("station"), .at(-1500, -210),
                .place("circle west"),
            ]),
        Way(
            name: "Valley Road", highway: "tertiary", tags: ["surface=asphalt"],
            points: [
                .place("circle east"), .at(-600, -97), .at(0, 0), .place("track foot"), .at(1200, 179),
                .place("south foot"), .at(2400, 250), .at(3000, 227), .place("east end"),
            ]),
        Way(
            name: "Market Circle", highway: "tertiary", tags: ["surface=asphalt", "junction=roundabout"],
            points: [
                .place("circle west"), .at(-1213, -193), .place("circle south"), .at(-1187, -193),
                .place("circle east"), .at(-1187, -167), .place("circle north"), .at(-1213, -167),
                .place("circle west"),
            ]),
        Way(
            name: "Church Lane", highway: "residential", tags: ["surface=paved"],
            points: [.place("circle north"), .at(-1190, 20), .place("church")]),
        Way(
            name: "Station Street", highway: "residential", tags: ["surface=asphalt", "oneway=yes"],
            points: [.place("church"), .at(-1500, 120), .at(-1820, -60), .place("station")]),
        Way(
            name: "Mill Lane", highway: "unclassified", tags: ["surface=gravel"],
            points: [.place("circle south"), .at(-1230, -420), .at(-1290, -680), .place("mill")]),
        Way(
            name: "Forest Track", highway: "track", tags: ["surface=gravel", "tracktype=grade2"],
            points: [
                .place("track foot"), .at(1000, 380), .at(1500, 620), .at(1480, 820), .place("track bend"),
                .at(600, 1020), .at(250, 1260), .at(80, 1480), .place("hut"),
            ]),
        Way(
            name: "Alp Track", highway: "track", tags: ["surface=compacted"],
            points: [
                .place("south foot"), .at(1600, -420), .at(1000, -900), .at(500, -1380), .at(-100, -1820),
                .place("alp"),
            ]),
    ]

    private static let paths: [Way] = [
        Way(
            name: "Church Steps", highway: "steps", tags: ["surface=paved"],
            points: [.place("church"), .place("steps top")]),
        Way(
            name: "Terrace Path", highway: "path", tags: ["sac_scale=hiking", "surface=compacted"],
            points: [
                .place("terrace west"), .at(-2100, 380), .at(-1600, 340), .place("steps top"), .at(-800, 360),
                .place("trail foot"), .at(-150, 470), .place("terrace east"),
            ]),
        Way(
            name: "Meridian Trail", highway: "path",
            tags: ["sac_scale=mountain_hiking", "surface=ground", "trail_visibility=good"],
            points: [
                .place("trail foot"), .at(-420, 640), .at(-640, 760), .at(-380, 900), .at(-620, 1020),
                .at(-360, 1160),
                .at(-540, 1300), .at(-320, 1430), .place("hut"),
            ]),
        Way(
            name: nil, highway: "path", tags: ["surface=grass"],
            points: [.place("terrace east"), .at(500, 560), .at(820, 760), .place("track bend")]),
        Way(
            name: "Lake Path", highway: "path", tags: ["sac_scale=hiking", "surface=fine_gravel"],
            points: [.place("hut"), .at(150, 1690), .at(600, 1640), .at(1050, 1720), .place("lake")]),
        Way(
            name: "Lake Round", highway: "path", tags: ["sac_scale=hiking", "surface=ground"],
            points: [.place("lake"), .at(1600, 1860), .at(1820, 1900), .place("lake east")]),
        Way(
            name: "Lake Round", highway: "path", tags: ["sac_scale=hiking", "surface=ground"],
            points: [.place("lake east"), .at(1900, 1580), .at(1680, 1560), .place("lake")]),
        Way(
            name: "Pass Path", highway: "path", tags: ["sac_scale=mountain_hiking", "surface=rock"],
            points: [.place("lake"), .at(1380, 2000), .at(1180, 2180), .at(1060, 2440), .place("pass")]),
        Way(
            name: "Equator Ridge", highway: "path",
            tags: ["sac_scale=demanding_mountain_hiking", "surface=rock", "trail_visibility=intermediate"],
            points: [.place("peak"), .at(-200, 2560), .at(300, 2520), .at(640, 2600), .place("pass")]),
        Way(
            name: "Peak Path", highway: "path", tags: ["sac_scale=alpine_hiking", "surface=rock"],
            points: [
                .place("hut"), .at(-520, 1760), .at(-900, 1980), .at(-780, 2180), .at(-860, 2380),
                .place("peak"),
            ]),
        Way(
            name: "Zero Couloir", highway: "path",
            tags: ["sac_scale=difficult_alpine_hiking", "surface=rock"],
            points: [.place("hut"), .at(-430, 2050), .place("peak")]),
        Way(
            name: "South Trail", highway: "path", tags: ["sac_scale=mountain_hiking", "surface=ground"],
            points: [.place("mill"), .at(-1080, -1180), .at(-1000, -1480), .at(-760, -1700), .place("alp")]),
    ]

    /// Data that an import must skip or report: a private road, a disconnected way, a missing node.
    private static let oddities: [Way] = [
        Way(
            name: "Quarry Road", highway: "unclassified", tags: ["access=private", "surface=gravel"],
            points: [.place("mill"), .at(-1700, -1100), .at(-2100, -1400)]),
        Way(
            name: "Isle Walk", highway: "footway", tags: ["surface=wood"],
            points: [.place("isle west"), .at(2900, -2650), .place("isle east")]),
        Way(
            name: "Border Path", highway: "path", tags: ["sac_scale=hiking"],
            points: [.place("terrace west"), .at(-3000, 520), .at(-3400, 560), .place("not in the file")]),
    ]
}
