/// The numbers of turn instructions; the angles of the classes are those of `TurnDirection`.
public enum TurnSettings {
    /// Bearings are taken over at least this many metres before and after a junction, where the way is that long…
    public static let shortestBearing = 15.0
    /// … and at most over this many.
    public static let longestBearing = 50.0
    /// Instructions nearer to the one before are merged with it, metres.
    public static let spacing = 50.0
    /// A piece up to this long between two pieces of the same way belongs to that way, metres.
    public static let gap = 30.0
    /// A piece aside or back up to this long, which the next turn undoes, is nothing, metres.
    public static let hook = 5.0
    /// A trail that is followed for less than this, metres, is not told.
    public static let shortestTrail = 200.0
    /// Roads of this rank and above are told when they are crossed.
    public static let largeRoad = 2
    /// A way that leaves within this angle of straight on leads ahead: two of them make a fork.
    public static let ahead = 45.0
    /// A way that leaves between `ahead` and this angle leads aside: one on each side makes the end of a way.
    public static let aside = 135.0
    /// Legs shorter than this, metres, come of places that lie beside a junction; they are passed over.
    public static let shortestLeg = 1.0
    /// How far the simplified line of a track may lie beside the track, metres.
    public static let lineTolerance = 10.0
    /// A bend of a line without junctions is told from this angle on, in degrees, …
    public static let lineTurn = 45.0
    /// … and a slight one where the line runs straight for this many metres on both sides.
    public static let lineStraight = 50.0
}
