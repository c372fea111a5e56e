import Foundation

/// Constants of journeys.
enum JourneySettings {
    /// Seconds for a change, in addition to the walk; a rule of transfers.txt replaces both.
    static let change: Int32 = 60
    /// The longest walk for a change between stops, in metres along a straight line.
    static let changeWalk = 400.0
    /// Walking speed in metres per second, and the ratio of a walk's length to its straight line: usual
    /// values of planners.
    static let walkingSpeed = 1.3
    static let detour = 1.3
    /// Seconds per stair, and for an elevator without a time in the feed.
    static let stair = 0.6
    static let elevator = 60.0
    /// The maximum number of passes that replace walks of a journey by walks on streets; the rest is
    /// estimated.
    static let streetRounds = 60
    /// The maximum number of trips of one vehicle between which riders may stay seated.
    static let seatedTrips = 4
    /// Default of the longest walk to the first and from the last stop, metres along a straight line.
    static let walk = 800.0
    /// The largest such walk.
    static let mostWalk = 5000.0
    /// Default and largest number of changes.
    static let changes = 4
    static let mostChanges = 7
    /// How long after the start journeys are searched, in seconds.
    static let window = 86_400
    /// The longest range of departures, in seconds.
    static let longestRange = 86_400
    /// Search memories that are kept: one for the search, one for the backward searches from its journeys.
    static let memories = 2
    /// Metres within which a stop counts as the start or destination itself.
    static let same = 1.0

    /// Default time of an area that can be reached, in seconds.
    static let reach = 1800
    /// The angle in radians between two corners of an arc in the outline of such an area: 5°.
    static let arcStep = Double.pi / 36

    /// The longest straight line of a walk of some seconds, in metres.
    static func metres(within seconds: Int) -> Double { Double(seconds) * walkingSpeed / detour }

    /// The minimum seconds of a walk, from its straight line.
    static func seconds(_ metres: Double) -> Int32 { Int32((metres * detour / walkingSpeed).rounded(.up)) }

    /// Seconds of a walk of a length, at least the minimum.
    static func seconds(along metres: Double) -> Int32 { Int32((metres / walkingSpeed).rounded(.up)) }
}

extension Double {
    var cosine: Double { cos(self) }
}
