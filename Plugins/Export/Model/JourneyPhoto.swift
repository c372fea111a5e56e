import Foundation
import Geodesy

/// A photo of a journey.
struct JourneyPhoto: Sendable {
    /// The subject of the photo.
    enum Subject: Sendable, Hashable {
        /// The waypoint at this index of the journey.
        case waypoint(Int)
        /// A waypoint that a file names but does not contain.
        case unknown(String)
        /// No waypoint.
        case none
    }

    /// The name of its file; `nil` for one that has none yet.
    var fileName: String?
    /// The caption below it.
    var caption = ""
    /// Where it was taken.
    var coordinate: Coordinate?
    var subject: Subject
    /// Returns the stored bytes; `nil` where they are missing.
    var read: @Sendable () throws -> Data? = { nil }
}

/// What only the community's format holds of a journey; kept so that a file round-trips.
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
