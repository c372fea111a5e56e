import Foundation
import Geodesy

/// A photo of a journey.
struct JourneyPhoto: Sendable {
    /// What it was taken of.
    enum Subject: Sendable, Hashable {
        /// The waypoint at this position among those of the journey.
        case waypoint(Int)
        /// A waypoint that a file names but does not have.
        case unknown(String)
        /// Nothing that has a name.
        case none
    }

    /// The name of its file; `nil` for one that has none yet.
    var fileName: String?
    /// What stands below it.
    var caption = ""
    /// Where it was taken.
    var coordinate: Coordinate?
    var subject: Subject
    /// Gives the picture as it is stored; `nil` where it is not there.
    var read: @Sendable () throws -> Data? = { nil }
}

/// What the community's format tells of a journey and no other does; kept so that a file comes back whole.
struct CommunityDetails: Sendable {
    /// Its identifier as it is written.
    var id: String
    /// The version of the route.
    var version: Int
    /// When it was shared.
    var created: String
    var country: String
    var area: String
    /// Its numbers: metres, and seconds.
    var stats: CommunityFile.Stats
    /// The time of all points of a track without times.
    var standInTime: String?
}
