/// Constants of `place find`.
enum PlaceSettings {
    /// The minimum zoom of a map whose centre is the default for searches: about 200 km across.
    static let leastMapZoom = 9.0
    /// Matches shown by default.
    static let usualLimit = 10
    /// The factor of the score of a name that only begins with the words beside a kind, as of one that lacks a word.
    static let besideKind = 0.6
    /// Matches requested from each source to choose one place.
    static let candidates = 20
    /// Crossings of the same two streets within this many metres count as one.
    static let sameCrossing = 60.0
    /// Metres within which places of the same name count as one: pieces of a street, a node and an area of
    /// a village.
    static let sameSpot = 1000.0
    /// Metres within which places of any name are at the same coordinate, which is stored rounded.
    static let sameCoordinate = 1.0
    /// The rank from which a place is dropped if one of the same name has a lower rank: ways, bus stops,
    /// chapels.
    static let lesserRank = 6
    /// Metres within which equal names of two sources are one place, as in overlapping regions.
    static let duplicate = 100.0
    /// Places that an error lists, and similar names that it suggests.
    static let listed = 5
    static let suggested = 3
    /// Radius in metres of `huts near PLACE`, and of `huts in PLACE` without an outline.
    static let nearRadius = 10_000.0
    static let insideRadius = 3000.0
    /// Metres of the first circle in which the nearest places of a kind are looked for, and the most that are compared.
    static let nearestFirst = 2000.0
    static let nearestMost = 200
    /// The rank of places without a name, which are called by their kind.
    static let namelessRank = 9
    /// Maximum distance in metres of a place that names a coordinate: the address of a house, a peak or
    /// hut, a street.
    static let addressRadius = 30.0
    static let namingRadius = 60.0
    static let streetRadius = 50.0
    /// Maximum distance in metres for a name of the form `near …`.
    static let besideRadius = 1000.0

    /// Greatest distance in metres of a place beside a way.
    static let farthestBeside = 20_000.0
    /// Metres of a way around which places are looked for at a time, and the most of them.
    static let pieceLength = 2000.0
    static let besideMost = 500

    /// Default of the setting `places.timeout`.
    static let timeout = "10s"
    /// Seconds between two requests, as the usage policy of public servers requires.
    static let interval = 1.0
    /// Maximum bytes of a response.
    static let longestAnswer = 2 << 20
    /// Places requested from a server.
    static let answers = 10
    /// Days for which a response is cached, and the maximum number of cached responses.
    static let cacheDays = 30.0
    static let cacheSize = 5000
}
