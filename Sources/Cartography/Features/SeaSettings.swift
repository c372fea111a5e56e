/// The limits of deciding what is sea.
struct SeaSettings {
    /// Ends of a coastline this near to the edge continue to it, as a share of the longer side of the box: of an
    /// area that the file declares, and of one that is only known by its features.
    let declaredReach = 0.005
    let guessedReach = 0.02
    /// How many times as long a coastline must be, so that its ends are continued.
    static let leastReaching = 4.0
    /// Gaps between coastlines that are closed by a straight line: a share of the longer side, and no more than
    /// so many stored units (about 40 m at the equator).
    private let bridgedShare = 0.002
    private let mostBridged = 1_000.0
    /// The maximum number of open coastlines among which gaps are closed; more indicate a fragmented coast.
    static let mostBridgedEnds = 2_000

    /// How many times as long a coastline is, so that its direction is right where another contradicts it.
    static let muchLonger = 4.0

    func bridged(span: Double) -> Double { min(mostBridged, span * bridgedShare) }

    /// Metres above which ground is no sea, and the share of a sea that may be so high: cliffs in coarse heights.
    let highGround = 10.0
    let mostHighGround = 0.1
    /// Rows and columns of the places where the heights of a sea are looked up.
    let sampledRows = 64
    /// Metres of ground that may be sea where no coastline decides: of an area all of which is as low, and of one place beside
    /// a broken coast, where a metre may as well be a beach.
    let seaLevel = -2.0...1.0
    let shoreLevel = -2.0...0.25

    /// The tolerated share of roads in the sea: on piers and causeways, and along roughly mapped coasts. Above the smaller share
    /// it is said, because they may as well lie on land whose coastline is missing.
    let mostWetRoads = 0.2
    let saidWetRoads = 0.02
    /// The number of roads that, if the sea as drawn covers nearly all of them, show that its coastlines run in the wrong direction.
    let turningRoads = 5
    let turningWet = 0.8
    /// The share of the land that may lie at the level of the sea, if coastlines are turned for its sake.
    let mostLowLand = 0.5

    /// The share of a sea that must be known to lie at its level where its coastline floods roads elsewhere.
    let leastLowSea = 0.5

    /// Where the ground is known to be sea, it is drawn this far beyond the features of a file without bounds, as shares of
    /// their longer side, the farthest first.
    let openWater = [0.5, 0.2, 0.05]

    /// Cells along the longer side of a broken coast's area.
    let cells = 1_024
    /// Without heights water is known this near to its coastline, as a share of the distance to the nearest end of a
    /// coastline, and in cells: the missing one may be the other bank of a narrow inlet.
    let knownShare = 0.25
    let mostKnown = 2.0
    /// The distance, as a share of the span of the features, that a declared area may extend beyond them.
    let declaredBeyond = 3.0
    /// The same in stored units, for small files: about half a degree.
    let leastBeyond = Int32(1) << 20
}
