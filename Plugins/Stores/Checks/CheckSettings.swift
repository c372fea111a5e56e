import CivilTime

/// Limits and tolerances of the checks of stores.
enum CheckSettings {
    /// KiB of pages kept in memory during SQLite's integrity check, which looks every row up in every index: with fewer it reads
    /// the same pages again and again.
    static let integrityCache = 32_768
    /// Maximum number of messages from SQLite's integrity check.
    static let integrityMessages = 100
    /// Maximum number of findings kept of one kind; the rest is counted.
    static let findingsOfAKind = 1_000
    /// Metres that a hike's start and end may be from those of its track: Float32 keeps a metre and a half.
    static let endTolerance = 10.0
    /// Seconds that a hike's start and end may be from those of its track.
    static let timeTolerance = 60.0
    /// Metres by which a hike's distance may differ from its track's …
    static let distanceTolerance = 50.0
    /// … and the share of it.
    static let distanceShare = 0.05
    /// A leg of a track that is longer than this, in metres …
    static let gapLength = 100.0
    /// … and than so many ordinary legs may be a gap in the recording, which does not count as distance.
    static let gapLegs = 10.0
    /// Methods of counting climbs differ by this factor on noisy tracks.
    static let climbFactor = 3.0
    /// Metres of climb that may be missing or too many besides.
    static let climbTolerance = 50.0
    /// Seconds by which walking and resting together may differ from the time between start and end …
    static let durationTolerance = 120.0
    /// … and the share of it.
    static let durationShare = 0.02
    /// Plausible heart rates, in beats per minute.
    static let heartRates = 20.0...260.0
    /// Metres by which an edge may be shorter than the straight line between its ends: Float32 keeps a metre and a half …
    static let lengthTolerance = 2.0
    /// … and the share of it by which figures of the Earth differ.
    static let lengthShare = 0.006
    /// Metres that the pins of a planned route may lie from the ends of its line.
    static let snapTolerance = 500.0

    /// Seconds by which a modification may come before what it modifies: clocks of two devices.
    static let clockTolerance = 60.0
    /// Heights at which people walk, in metres: from the shore of the Dead Sea to the highest summit, with room to spare.
    static let heights = -500.0...9_000.0
    /// Metres that a leg of a track has at least to be called a jump …
    static let shortestTeleport = 1_000.0
    /// … the metres a second that nobody walks, rides or is driven …
    static let fastest = 120.0
    /// … and, of a track without times, how many ordinary legs it must be.
    static let teleportLegs = 200.0
    /// Neighbours within a degree that make a place the neighbourhood of a swapped one.
    static let loneNeighbours = 2
    /// Seconds between the epochs of Unix and of the format, 2001.
    static let epochDifference = 978_307_200.0
    /// Share of the nodes in the largest part of a graph below which it counts as split.
    static let largestPart = 0.6
    /// Tiles from which a map without an index is slow.
    static let tilesWithoutIndex = 1_000
}
