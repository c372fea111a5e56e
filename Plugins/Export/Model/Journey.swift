import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// What is exported and imported: a recorded hike, a planned route, or waypoints, with everything that one of the formats
/// can hold.
struct Journey: Sendable {
    /// Its origin.
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
    /// Its name; may be empty.
    var name = ""
    /// The user's own words.
    var comment = ""
    /// Who made it.
    var author: String?
    /// The activity, such as `hiking`, where it is known.
    var activity: String?
    /// When it began.
    var start: Timestamp?
    /// When it ended.
    var end: Timestamp?
    /// The date of documents about it: that of its last change, never the present, so that output is reproducible.
    var dated: Timestamp?
    /// The date in the file's metadata.
    var documentTime: Timestamp?
    /// Keywords, as in the file.
    var keywords: String?
    /// What else the file said: copyright, links, contact, extensions; without lines and waypoints.
    var document = GPXDocument()
    /// The name of the file it was read from.
    var file: String?
    /// The format of that file.
    var format: String?
    /// The map region it lies in.
    var regionID: String?
    /// Its numbers.
    var facts = JourneyFacts()
    /// Lines that are written as tracks.
    var tracks: [GPXLine] = []
    /// Lines that are written as routes.
    var routes: [GPXLine] = []
    /// What to do where, of a planned route.
    var cues: [TurnInstruction] = []
    /// Its waypoints in order.
    var places: [MapPlace] = []
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

/// Statistics of a journey; `nil` where not recorded.
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
    /// Estimated seconds of a plan.
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
    /// Its category, by its type or symbol; `custom` where it is not one of the nine.
    var category: WaypointCategory {
        WaypointCategory.reading(GPXWaypoints.category(type: point.type, symbol: point.symbol))
    }

    /// Its name; may be empty.
    var name: String { point.name ?? "" }

    /// The display name of its category; the file's own type or symbol where it is not one of the nine.
    var categoryName: String {
        if let known = WaypointCategory.known(point.type ?? "") { return known.displayName }
        return [point.type, point.symbol].compactMap { $0 }.first { !$0.isEmpty } ?? ""
    }
}
