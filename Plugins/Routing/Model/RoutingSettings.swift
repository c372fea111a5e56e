/// The constants of the routing core.
package enum RoutingSettings {
    /// The maximum distance in metres for snapping a coordinate.
    static let snapRadius = 500.0
    /// Metres from another network below which an island lies at it: distances are said in whole metres.
    static let leastAway = 1.0
    /// Snapping beyond this distance in metres causes a notice.
    static let snapNotice = 100.0
    /// Speed of a ferry in metres per second, if nothing else is known.
    static let ferrySpeed = 4.2
    /// Speeds of a ferry that are believed of its length and `duration`.
    static let ferrySpeeds = 0.1...25.0
    /// Speed of someone who pushes a bicycle, in metres per second.
    static let pushingSpeed = 1.33
    /// Seconds in a lift, including waiting.
    static let liftSeconds = 60.0
    /// The cost factor of ways with restricted access (destination, dismount).
    static let restrictedFactor = 2.0
    /// Factors of a profile, and those of climbing and descending.
    static let factors = 0.001...10_000.0
    static let climbFactors = 0...10_000.0
    /// Metres of a width, and of a kerb's height, above which the unit must be another.
    static let widestWay = 50.0
    static let highestKerb = 1.0
    /// Seconds that a rule of a profile adds to an edge.
    static let ruleSeconds = 0...86_400.0
    /// Speeds of a profile in metres of cost per second.
    static let speeds = 0.01...1000.0
    /// The search radius for the nearest edge if there is none within `snapRadius`, for the error message.
    static let snapReportRadius = 20_000_000.0
    /// The minimum climb in metres that is counted, to ignore noise of elevation samples.
    static let climbHysteresis = 3.0
    /// The value of a void elevation sample.
    static let elevationVoid: Int16 = -32768
    /// The numbers of samples along the side of an elevation tile.
    static let tileSides = [1201, 3601]
    /// Metres that a coordinate may be moved beyond its nearest way to a part of the network that is not the
    /// largest, or past what a route must not use: farther, a refusal says more than a route elsewhere.
    static let snapDetour = 100.0
    /// How near to the edge of an area a coordinate is on it, in metres: lines of the graph are rounded.
    static let areaEdge = 1.5
    /// A part of the network with fewer metres of way, such as a platform, is a fragment of the map: what asks for
    /// more than a route on it starts on the largest part.
    static let fragmentLength = 250.0
    /// Metres between the points of a straight leg at which the ground's height is taken, and the most of them.
    static let straightStep = 25.0
    static let straightPoints = 2000
    /// Settled nodes between two checks for cancellation.
    package static let cancellationStep = 4096
    /// Rows written between two checks for cancellation and two reports of progress.
    static let rowStep = 2048
    /// Size of a map file in bytes above which an import runs its phases one after the other: about 800,000 edges.
    static let largeFile = 64 << 20
    /// Bytes at the start of a map file in which its bounds stand, and of any file by which its kind is recognised.
    static let boundsHead = 4096
    static let kindHead = 512
    /// Bytes of unpacked blocks of a map file that are kept for the next pass, unless the file is large.
    static let keptBlocks = 64 << 20
    /// KiB of SQLite's cache while an import writes rows, and while it sorts them for indexes.
    static let writingCache = 65536
    static let sortingCache = 1024
    /// Array elements between two cancellation checks: a few milliseconds.
    static let arrayStep = 1 << 18
    /// Maximum number of pieces in an expanded arc of the hierarchy.
    static let piecesWrittenOut = 16
    /// Maximum number of profiles whose costs are stored beside a region.
    static let storedProfiles = 8
    /// Maximum size of a file read from an archive, in bytes: a tile of 3601² samples.
    static let largestTile = 3601 * 3601 * 2
    /// Maximum number of samples of a raster of heights: 256 MB of memory.
    static let largestRaster: UInt64 = 1 << 26
}

/// The limits for alternatives: cost and overlap.
enum AlternativeSettings {
    /// The penalty factor on edges of previous routes.
    static let penalty = 1.5
    /// The maximum cost of an alternative relative to the best route.
    static let stretch = 1.4
    /// The maximum share of an alternative's length that overlaps with a previous route.
    static let sharing = 0.7
    /// Searches per requested alternative.
    static let attempts = 6
}

/// The hidden Markov model of map matching, after Newson and Krumm 2009.
enum MatchSettings {
    /// Standard deviation of positions in metres.
    static let sigma = 10.0
    /// Scale of the difference between the way on the network and the straight line, in metres.
    static let beta = 15.0
    /// Maximum distance in metres from a position to a candidate.
    static let radius = 60.0
    /// Maximum number of candidates per position, the nearest first.
    static let candidates = 8
    /// Positions nearer than this to the previous one, in metres, are skipped.
    static let spacing = 15.0
    /// Positions that go to and fro within this many metres of their middle are a rest.
    static let restRadius = 35.0
    /// Positions that a rest has at least.
    static let restPositions = 6
    /// Positions of a rest that are looked at together; longer ones are joined.
    static let mostOfRest = 200
    /// The length of the line within a rest, relative to its width: straight on it is at most 1, in hairpins about 3.
    static let restLength = 4.0
    /// The mean turn from step to step within a rest, in degrees; that of a way with hairpins is below 70.
    static let restTurn = 75.0
    /// Steps to and from stray positions, relative to the usual step of the track.
    static let strayStep = 6.0
    /// Usual steps by which the positions around stray ones may be farther apart than their number.
    static let strayReturn = 2.0
    /// Positions without a way nearby, and metres of the track with them, from which the way between is not made up.
    static let awayPositions = 3
    static let awayLength = 200.0
    /// Metres of going back on one way, and forth again, that are noise.
    static let toAndFro = 35.0
    /// How often to and fro is looked for, each time in what is left.
    static let toAndFroPasses = 4
    /// Successive positions that can be stray.
    static let mostStray = 3
    /// The maximum length of a path on the network relative to the straight line, plus the metres
    /// below.
    static let detour = 4.0
    /// Metres added to that maximum.
    static let slack = 300.0
}
