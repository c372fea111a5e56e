/// What place search takes for granted.
package enum PlaceSettings {
    /// Matches shown unless told otherwise.
    static let usualLimit = 10
    /// Matches asked of each source when one place is meant.
    static let candidates = 20
    /// Metres within which places of one name are the same to whoever names them: pieces of a street, a node and an
    /// area of a village.
    static let sameSpot = 1000.0
    /// The rank from which a thing is not meant where another of the same name matters more: ways, bus stops, chapels.
    static let lesserRank = 6
    /// Metres within which equal names of two sources are one thing, as in regions that overlap.
    static let duplicate = 100.0
    /// Places that an error lists.
    static let listed = 5

    /// What the server is told about who asks, as its rules demand.
    static let userAgent = "Rutter/1.0 (wayfinding workbench)"
    /// Seconds for one answer, unless the setting says otherwise.
    static let timeout = "10s"
    /// How often a request is made again after a failure that may pass, and the seconds before the first time; each
    /// further pause is twice as long.
    static let retries = 2
    static let firstPause = 0.5
    /// Longest pause that a server can ask for.
    static let longestPause = 10.0
    /// Seconds between two requests, as the rules of the public servers demand.
    static let interval = 1.0
    /// Bytes of an answer.
    static let longestAnswer = 2 << 20
    /// Places asked of a server.
    static let answers = 10
    /// Days for which an answer is kept, and answers that are kept.
    static let cacheDays = 30.0
    static let cacheSize = 5000
}
