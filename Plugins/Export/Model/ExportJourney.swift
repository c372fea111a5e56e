import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// An exported or imported object: a recorded hike, a planned route, or waypoints, with everything that the
/// formats can represent.
struct ExportJourney: Sendable {
    /// Its origin.
    enum Kind: String, Sendable {
        /// A recording.
        case recorded
        /// A plan.
        case planned
        /// Only places.
        case places
    }

    var kind: Kind
    /// Its identifier, if it has one.
    var id: UUID?
    /// Its name; may be empty.
    var name = ""
    /// The user's comment.
    var comment = ""
    /// Its author.
    var author: String?
    /// The activity, such as `hiking`, if known.
    var activity: String?
    /// What its time in motion is called.
    var motion: String { GPXLine.isOnFoot(activity) ? "walking" : "moving" }
    /// Start time.
    var start: Timestamp?
    /// End time.
    var end: Timestamp?
    /// The date of documents about it: that of its last change, never the current time, so that output is
    /// reproducible.
    var dated: Timestamp?
    /// The date in the file's metadata.
    var documentTime: Timestamp?
    /// Keywords, unparsed.
    var keywords: String?
    /// Further data of the file: copyright, links, contact, extensions; without lines and waypoints.
    var document = GPXDocument()
    /// The name of its source file.
    var file: String?
    /// The format of its source file.
    var format: String?
    /// Its map region.
    var regionID: String?
    /// Its statistics.
    var facts = JourneyFacts()
    /// Lines written as tracks.
    var tracks: [GPXLine] = []
    /// Lines written as routes.
    var routes: [GPXLine] = []
    /// Turn instructions of a planned route.
    var cues: [TurnInstruction] = []
    /// Its waypoints in order.
    var places: [MapPlace] = []
    /// The categories by which its waypoints are named and drawn.
    var categories = CategoryList()
    /// Its photos in order.
    var photos: [JourneyPhoto] = []
    /// Further data of a community file.
    var community: CommunityDetails?
    /// Warnings about omitted data.
    var warnings: [String] = []

    /// All lines, tracks first.
    var lines: [GPXLine] { tracks + routes }

    /// All points of all lines, in order.
    var points: [GPXPoint] { lines.flatMap { $0.segments.joined() } }

    /// Whether it has any coordinate.
    var hasPlace: Bool {
        !places.isEmpty || lines.contains { $0.segments.contains { !$0.isEmpty } }
    }

    /// Whether it has measurements without a position, as an activity indoors.
    var isMeasured: Bool { lines.contains { !$0.unplaced.isEmpty } }

    /// Its name in messages and titles.
    var title: String {
        if !name.isEmpty { return name }
        switch kind {
        case .recorded: return "Hike"
        case .planned: return "Route"
        case .places: return "Places"
        }
    }
}

/// Statistics of a journey; `nil` if not recorded.
struct JourneyFacts: Sendable, Hashable {
    /// Distance in metres.
    var distance: Double?
    /// Metres of the part of the walking time, where that is not the whole way: some points have no times, or the receiver wandered at rest.
    var walkedDistance: Double?
    /// Metres climbed.
    var gain: Double?
    /// Metres descended.
    var loss: Double?
    /// Seconds in motion.
    var walking: Double?
    /// Seconds at rest.
    var resting: Double?
    /// Estimated seconds of a plan.
    var estimated: Double?
    /// In beats per minute.
    var averageHeartRate: Double?
    /// In beats per minute.
    var maximumHeartRate: Double?
    /// Kilocalories.
    var calories: Double?
    /// The method of counting climbs and rests.
    var method: String?

    /// Total seconds.
    var duration: Double? {
        if let walking, let resting { return walking + resting }
        return estimated
    }

    /// Metres per second: distance over walking time.
    var speed: Double? {
        guard let distance, let seconds = walking ?? estimated, seconds > 0 else { return nil }
        let timed = walking == nil ? distance : min(distance, walkedDistance ?? distance)
        return timed > 0 ? timed / seconds : nil
    }
}

extension MapPlace {
    /// Its category, from its type or symbol; `custom` if it is none of the list.
    func category(in categories: CategoryList) -> WaypointCategory {
        categories.reading(GPXWaypoints.category(type: point.type, symbol: point.symbol, in: categories))
    }

    /// Its name; may be empty.
    var name: String { point.name ?? "" }

    /// The display name of its category; the file's own type or symbol if it is none of the list.
    func categoryName(in categories: CategoryList) -> String {
        if let known = categories.all.first(where: { $0.raw == point.type }) { return known.displayName }
        return [point.type, point.symbol].compactMap { $0 }.first { !$0.isEmpty } ?? ""
    }
}
