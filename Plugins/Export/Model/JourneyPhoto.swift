import Foundation
import Geodesy

/// A photo of a journey.
struct JourneyPhoto: Sendable {
    /// The subject of the photo.
    enum Subject: Sendable, Hashable {
        /// The waypoint at this index of the journey.
        case waypoint(Int)
        /// A waypoint that a file references but does not contain.
        case unknown(String)
        /// No waypoint.
        case none
    }

    /// Its file name; `nil` if it has none yet.
    var fileName: String?
    /// The caption below it.
    var caption = ""
    /// The coordinate of the photo.
    var coordinate: Coordinate?
    var subject: Subject
    /// Returns the stored bytes; `nil` if they are missing.
    var read: @Sendable () throws -> Data? = { nil }
}

/// Data that only the community's format represents; kept so that a file round-trips.
struct CommunityDetails: Sendable {
    /// Its identifier, unparsed.
    var id: String
    /// The version of the route.
    var version: Int
    /// When it was shared.
    var created: String
    var country: String
    var area: String
    /// Its statistics in metres and seconds.
    var stats: CommunityFile.Stats
    /// The time of all points of a track without times.
    var standInTime: String?
}
