import Foundation

/// Constants of journeys.
enum JourneySettings {
    /// Seconds for a change, beside those of the walk; a rule of transfers.txt replaces both.
    static let change: Int32 = 60
    /// Metres between stops, along a straight line, that are walked for a change.
    static let changeWalk = 400.0
    /// Metres a second on foot, and how much longer a way is than a straight line: usual values of planners.
    static let walkingSpeed = 1.3
    static let detour = 1.3
    /// Seconds a stair, and for an elevator about which the feed says nothing.
    static let stair = 0.6
    static let elevator = 60.0
    /// How often walks of a journey are replaced by those on streets at most; the rest is estimated.
    static let streetRounds = 60
    /// Trips of one vehicle through which one may stay seated.
    static let seatedTrips = 4
    /// Default of the longest walk to the first and from the last stop, metres along a straight line.
    static let walk = 800.0
    /// The largest such walk.
    static let mostWalk = 5000.0
    /// Default and largest number of changes.
    static let changes = 4
    static let mostChanges = 7
    /// How long after the start journeys are searched, seconds.
    static let window = 86_400
    /// The longest range of departures, seconds.
    static let longestRange = 86_400
    /// Memories of searches that are kept: one for the search, one for those backwards from its journeys.
    static let memories = 2
    /// A stop within so many metres of a place is that place.
    static let same = 1.0

    /// Seconds of a walk by its straight line.
    static func seconds(_ metres: Double) -> Int32 { Int32((metres * detour / walkingSpeed).rounded(.up)) }

    /// Seconds of a walk of a length; no way is shorter than the straight line.
    static func seconds(along metres: Double) -> Int32 { Int32((metres / walkingSpeed).rounded(.up)) }
}

extension Double {
    var cosine: Double { cos(self) }
}
