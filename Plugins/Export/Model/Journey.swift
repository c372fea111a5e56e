import CivilTime
import Formats
import Foundation
import Geodesy
import TrailStores

/// What is exported, and what an import gives: a recorded hike, a planned route, or places; everything that one of the
/// formats can hold.
struct Journey: Sendable {
    /// What it was made of.
    enum Kind: String, Sendable {
        /// A recording.
        case recorded
        /// A plan.
        case planned
        /// Places alone.
        case places
    }

    var kind: Kind
    /// Its identifier where it has one.
    var id: UUID?
    /// What it is called; may be empty.
    var name = ""
    /// The user's own words.
    var comment = ""
    /// Who made it.
    var author: String?
    /// What one does on it, such as `hiking`.
    var activity = "hiking"
    /// When it began.
    var start: Timestamp?
    /// When it ended.
    var end: Timestamp?
    /// The date of documents about it: that of its last change. Never the present, so that the same journey always gives
    /// the same bytes.
    var dated: Timestamp?
    /// The date that a file told of itself.
    var documentTime: Timestamp?
    /// Words to find it by, as a file has them.
    var keywords: String?
    /// The map region it lies in.
    var regionID: String?
    /// Its numbers.
    var facts = JourneyFacts()
    /// Lines that are written as tracks.
    var tracks: [GPXLine] = []
    /// Lines that are written as routes.
    var routes: [GPXLine] = []
    /// Its waypoints in order.
    var places: [MapPlace] = []
    /// Its photos in order.
    var photos: [JourneyPhoto] = []
    /// What a file of the community told besides.
    var community: CommunityDetails?
    /// What had to be left out.
    var warnings: [String] = []

    /// All lines, tracks first.
    var lines: [GPXLine] { tracks + routes }

    /// All points of all lines, in order.
    var points: [GPXPoint] { lines.flatMap { $0.segments.joined() } }

    /// Whether there is anything with a place.
    var hasPlace: Bool {
        !places.isEmpty || lines.contains { $0.segments.contains { !$0.isEmpty } }
    }

    /// What it is called in messages and titles.
    var title: String {
        if !name.isEmpty { return name }
        switch kind {
        case .recorded: return "Hike"
        case .planned: return "Route"
        case .places: return "Places"
        }
    }
}

/// The numbers of a journey; `nil` is what was not recorded.
struct JourneyFacts: Sendable, Hashable {
    /// Metres.
    var distance: Double?
    /// Metres climbed.
    var gain: Double?
    /// Metres descended.
    var loss: Double?
    /// Seconds in motion.
    var walking: Double?
    /// Seconds at rest.
    var resting: Double?
    /// Seconds that a plan reckons with.
    var estimated: Double?
    /// Beats a minute.
    var averageHeartRate: Double?
    /// Beats a minute.
    var maximumHeartRate: Double?
    /// Kilocalories.
    var calories: Double?
    /// How climbs and rests were counted, in words.
    var method: String?

    /// Seconds in all.
    var duration: Double? {
        if let walking, let resting { return walking + resting }
        return estimated
    }

    /// Metres a second: distance over walking time.
    var speed: Double? {
        guard let distance, let seconds = walking ?? estimated, seconds > 0 else { return nil }
        return distance / seconds
    }
}

extension MapPlace {
    /// Its category; what is none of the nine is `custom`.
    var category: WaypointCategory { WaypointCategory.reading(point.type ?? "") }

    /// What it is called; may be empty.
    var name: String { point.name ?? "" }

    /// The name of its category for people; what others call it where it is none of the nine.
    var categoryName: String {
        if let known = WaypointCategory.known(point.type ?? "") { return known.displayName }
        return [point.type, point.symbol].compactMap { $0 }.first { !$0.isEmpty } ?? ""
    }
}
