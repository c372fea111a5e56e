/// The constants of turn instructions; the angles of the classes are those of `TurnDirection`.
public enum TurnSettings {
    /// Between the names of a way that has several.
    public static let nameSeparator = " / "
    /// Bearings are measured over at least this many metres before and after a junction, if the way is long
    /// enough.
    static let shortestBearing = 15.0
    /// Bearings are measured over at most this many metres.
    static let longestBearing = 50.0
    /// Instructions nearer than this to the one before are merged with it, metres; the default of `turns.spacing`.
    public static let spacing = 50.0
    /// A piece up to this long between two pieces of the same way belongs to that way, metres.
    public static let gap = 30.0
    /// The maximum length in metres of a piece to the side or back, reversed by the next turn, that is not announced.
    static let hook = 5.0
    /// A U-turn of at least this angle, in degrees, has no side: the line leads back upon itself.
    static let sideless = 177.0
    /// A turn reverses the one before if less than this remains of the two, in degrees.
    static let reversal = 30.0
    /// A trail that is followed for less than this, metres, is not announced.
    static let shortestTrail = 200.0
    /// The least slope by heights of the ground at which steps are said to lead up or down.
    static let leastSlopeOfSteps = 0.1
    /// The minimum importance of roads whose crossing is announced.
    static let largeRoad = 2
    /// A way that leaves within this angle of straight on leads ahead: two of them make a fork.
    public static let ahead = 45.0
    /// A way that leaves between `ahead` and this angle leads aside: one on each side makes the end of a way.
    public static let aside = 135.0
    /// Legs shorter than this, metres, result from points beside a junction; they are skipped.
    public static let shortestLeg = 1.0
    /// The tolerance of simplification of a track, metres.
    public static let lineTolerance = 10.0
    /// The minimum angle of an announced bend of a line without junctions, in degrees.
    static let lineTurn = 45.0
    /// The length in metres of straight line that a slight bend requires on both sides to be
    /// announced.
    static let lineStraight = 50.0
}
