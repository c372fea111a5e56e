import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit

/// A route of the community's folder, as its index summarises it.
struct CommunityEntry: Sendable {
    /// Its folder below that of the community, such as `routes/ch/oeschinensee`.
    var path: String
    var id = ""
    var name = ""
    var activity = ""
    var author = ""
    /// The beginning of its description.
    var summary = ""
    /// When it was recorded or shared, as written.
    var created = ""
    var country = ""
    var area = ""
    var stats = CommunityFile.Stats(
        distanceMeters: 0, elevationGainMeters: 0, elevationLossMeters: 0, durationSeconds: 0)
    var box = BoundingBox(south: 0, west: 0, north: 0, east: 0)
    var photos = 0
    var waypoints = 0
    /// Whether it was read from its own file, because the index does not list it.
    var isUnlisted = false

    /// The words that a search looks into.
    var words: String {
        [name, author, country, area, summary, path].joined(separator: " ").foldedForSearch
    }

    /// Metres from a coordinate to the box of the route; 0 inside it.
    func distance(from coordinate: Coordinate) -> Double {
        if box.contains(coordinate) { return 0 }
        let latitude = min(max(coordinate.latitude, box.south), box.north)
        return box.longitudeRanges.map { range in
            // Across the antimeridian the other end may be nearer.
            [
                range.lowerBound, range.upperBound,
                min(max(coordinate.longitude, range.lowerBound), range.upperBound),
            ]
            .map { coordinate.distance(to: Coordinate(latitude: latitude, longitude: $0)) }
            .min() ?? .infinity
        }.min() ?? .infinity
    }
}

extension CommunityEntry {
    /// Characters of a description that the index repeats.
    private static let longestSummary = 200

    /// Reads an entry of the index.
    init(index tree: JSONTree) throws(JSONFault) {
        self.init(path: try tree.read("path"))
        try readCommon(tree)
        summary = try tree.readIfPresent("summary") ?? ""
        photos = try tree.readIfPresent("photoCount") ?? 0
        waypoints = try tree.readIfPresent("waypointCount") ?? 0
    }

    /// Reads the file of a route; `photos` counts the pictures beside it.
    init(route tree: JSONTree, path: String, photos: Int) throws(JSONFault) {
        self.init(path: path)
        try readCommon(tree)
        let text: String = try tree.readIfPresent("description") ?? ""
        summary = String(text.prefix(Self.longestSummary)) + (text.count > Self.longestSummary ? "..." : "")
        self.photos = photos
        waypoints = tree["waypoints"]?.items?.count ?? 0
    }

    private mutating func readCommon(_ tree: JSONTree) throws(JSONFault) {
        id = try tree.read("id")
        name = try tree.read("name")
        activity = try tree.read("activityType")
        author = try tree.readIfPresent("author") ?? ""
        created = try tree.readIfPresent("createdAt") ?? ""
        let region: JSONTree = try tree.read("region")
        country = try region.readIfPresent("country") ?? ""
        area = try region.readIfPresent("area") ?? ""
        stats = try tree.read("stats")
        let sides: JSONTree = try tree.read("boundingBox")
        box = BoundingBox(
            south: try sides.read("south"), west: try sides.read("west"), north: try sides.read("north"),
            east: try sides.read("east"))
        let corners = [
            Coordinate(latitude: box.south, longitude: box.west),
            Coordinate(latitude: box.north, longitude: box.east),
        ]
        guard corners.allSatisfy(\.isValid), box.south <= box.north else {
            throw JSONFault(value: "the box is not one of degrees").inside(key: "boundingBox")
        }
    }

    /// The entry in the index, with the keys in the community's order.
    var tree: JSONTree {
        JSONTree(members: [
            "id": .text(id), "name": .text(name), "activityType": .text(activity), "author": .text(author),
            "summary": .text(summary), "createdAt": .text(created),
            "region": JSONTree(members: ["country": .text(country), "area": .text(area)]),
            "stats": JSONTree(members: [
                "distanceMeters": JSONTree(stats.distanceMeters),
                "elevationGainMeters": JSONTree(stats.elevationGainMeters),
                "elevationLossMeters": JSONTree(stats.elevationLossMeters),
                "durationSeconds": JSONTree(stats.durationSeconds),
            ]),
            "boundingBox": JSONTree(members: [
                "north": JSONTree(box.north), "south": JSONTree(box.south), "east": JSONTree(box.east),
                "west": JSONTree(box.west),
            ]),
            "path": .text(path), "photoCount": JSONTree(photos), "waypointCount": JSONTree(waypoints),
        ])
    }
}

/// A route of the community as a value.
struct CommunityObject: FieldedObject {
    let entry: CommunityEntry
    /// The file of the route.
    let file: URL

    static let dataFieldNames = fields.names.filter { !columns.contains($0) }
    var typeName: String { "communityRoute" }
    var summary: String { entry.name.nonEmpty ?? entry.path }

    static let fields = FieldTable<Self> {
        Field(column: "name") { .text($0.entry.name) }
        Field(column: "activity") { .text($0.entry.activity) }
        Field(column: "country") { .text($0.entry.country) }
        Field(column: "area") { .text($0.entry.area) }
        Field(column: "distance") { .quantity(.metres($0.entry.stats.distanceMeters)) }
        Field(column: "gain") { $0.climb($0.entry.stats.elevationGainMeters) }
        Field(column: "author") { .text($0.entry.author) }
        Field("loss") { $0.climb($0.entry.stats.elevationLossMeters) }
        // The format has no unknown duration: a plan without one has 0.
        Field("duration") {
            $0.entry.stats.durationSeconds > 0
                ? .quantity(.seconds($0.entry.stats.durationSeconds)) : .nothing
        }
        Field("created") { Value(ISO8601.timestamp($0.entry.created)) { .date($0) } }
        Field("photos") { .integer($0.entry.photos) }
        Field("waypoints") { .integer($0.entry.waypoints) }
        Field("summary") { .text($0.entry.summary) }
        Field("at") { .coordinate($0.entry.box.center) }
        Field("id") { .text($0.entry.id) }
        Field("path") { .text($0.entry.path) }
        Field("listed") { .boolean(!$0.entry.isUnlisted) }
    }

    /// Climbs that are all 0 stand for unknown ones, as in the file.
    private func climb(_ metres: Double) -> Value {
        entry.stats.elevationGainMeters > 0 || entry.stats.elevationLossMeters > 0
            ? .quantity(.altitude(metres.rounded())) : .nothing
    }
}
