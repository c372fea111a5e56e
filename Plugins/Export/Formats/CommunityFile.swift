import Archives
import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// A route in the format of the apps' community. Its keys are written in order, angles with 5 decimals,
/// metres with one.
enum CommunityFile {
    /// Its statistics.
    struct Stats: JSONReadable {
        var distanceMeters: Double
        var elevationGainMeters: Double
        var elevationLossMeters: Double
        var durationSeconds: Double
    }
}

extension CommunityFile.Stats {
    init(json tree: JSONTree) throws(JSONFault) {
        self.init(
            distanceMeters: try tree.read("distanceMeters"),
            elevationGainMeters: try tree.read("elevationGainMeters"),
            elevationLossMeters: try tree.read("elevationLossMeters"),
            durationSeconds: try tree.read("durationSeconds"))
    }

    fileprivate var tree: JSONTree {
        JSONTree(members: [
            "distanceMeters": JSONTree(distanceMeters), "durationSeconds": JSONTree(durationSeconds),
            "elevationGainMeters": JSONTree(elevationGainMeters),
            "elevationLossMeters": JSONTree(elevationLossMeters),
        ])
    }
}

/// Converts journeys to and from the community's JSON.
enum CommunityFormat {
    /// Data added by the user for the community.
    struct Details {
        var author: String?
        var country: String?
        var area: String?
    }

    /// Warnings about the values written for unknown ones, which the format requires.
    static func placeholders(_ journey: ExportJourney) -> [String] {
        let points = journey.points
        let unknown = points.count { $0.coordinate.altitude == nil }
        var all: [String] = []
        if unknown > 0 {
            let how = unknown == points.count ? "written as 0" : "interpolated"
            all.append("elevation: unknown for \(unknown) of \(points.count) points, \(how) (community JSON)")
        }
        let untimed = points.count { $0.time == nil }
        if untimed > 0 {
            all.append(
                "time: unknown for \(untimed) of \(points.count) points, written as that of the previous point (community JSON)"
            )
        }
        return all
    }

    /// The file of a journey. Unknown altitudes and times are written as in the apps' tracks: altitudes
    /// interpolated, or 0 if all are unknown; the time of the previous point or the date of the journey.
    /// Missing identifiers are derived from the content.
    static func bytes(_ journey: ExportJourney, _ details: Details) throws -> [UInt8] {
        let given = journey.community
        let created =
            given?.created ?? ISO8601.text(journey.start ?? journey.dated ?? Timestamp(milliseconds: 0))
        var time = given?.standInTime ?? created
        let points = journey.points
        let heights = Interpolation.filled(points.map(\.coordinate.altitude))
        let track = zip(points, heights).map { point, height -> JSONTree in
            time = point.time.map { ISO8601.text($0) } ?? time
            return place(point.coordinate, ["ele": metres(height ?? 0), "time": .text(time)])
        }
        let ids = identifiers(journey)
        let all = journey.points.map(\.coordinate) + journey.places.map(\.point.coordinate)
        guard let box = BoundingBox(around: all) else {
            throw ExportErrors.nothing("\(journey.title) has no coordinates")
        }
        let facts = journey.facts
        let stats =
            given?.stats.tree
            ?? JSONTree(members: [
                "distanceMeters": metres(facts.distance ?? 0), "durationSeconds": metres(facts.duration ?? 0),
                "elevationGainMeters": metres(facts.gain ?? 0),
                "elevationLossMeters": metres(facts.loss ?? 0),
            ])
        let file = JSONTree(members: [
            "activityType": .text(journey.activity ?? "hiking"),
            "author": .text(details.author ?? journey.author ?? ""),
            "boundingBox": JSONTree(members: [
                "east": angle(box.east), "north": angle(box.north), "south": angle(box.south),
                "west": angle(box.west),
            ]),
            "createdAt": .text(created), "description": .text(journey.comment),
            "id": .text(journey.id?.uuidString ?? given?.id ?? ContentIdentifier.of(journey).uuidString),
            "name": .text(journey.name),
            "photos": .list(journey.photos.enumerated().map { photo($1, at: $0, ids) }),
            "region": JSONTree(members: [
                "area": .text(details.area ?? given?.area ?? ""),
                "country": .text(details.country ?? given?.country ?? ""),
            ]),
            "stats": stats, "track": .list(track),
            "version": JSONTree(given?.version ?? ExportSettings.communityVersion),
            "waypoints": .list(zip(journey.places, ids).map(waypoint)),
        ])
        return Array((file.compactText + "\n").utf8)
    }

    /// The file name of a photo: its own, or else that of its waypoint.
    static func fileName(_ photo: JourneyPhoto, at index: Int, in journey: ExportJourney) -> String {
        fileName(photo, at: index, identifiers(journey))
    }

    /// The identifiers of the waypoints; missing ones are derived from the content.
    private static func identifiers(_ journey: ExportJourney) -> [UUID] {
        journey.places.enumerated().map { $1.id ?? ContentIdentifier.of($1.point, index: $0) }
    }

    private static func waypoint(_ waypoint: MapPlace, _ id: UUID) -> JSONTree {
        let point = waypoint.point
        return place(
            point.coordinate,
            [
                "category": .text(point.type ?? WaypointCategory.custom.raw),
                "ele": point.coordinate.altitude.map(metres), "id": .text(id.uuidString),
                "label": .text(waypoint.name), "note": .text(point.description ?? ""),
            ])
    }

    private static func photo(_ photo: JourneyPhoto, at index: Int, _ ids: [UUID]) -> JSONTree {
        var waypoint: String?
        switch photo.subject {
        case .waypoint(let index): waypoint = ids[index].uuidString
        case .unknown(let id): waypoint = id
        case .none: break
        }
        return place(
            photo.coordinate,
            [
                "caption": .text(photo.caption), "filename": .text(fileName(photo, at: index, ids)),
                "waypointId": waypoint.map(JSONTree.text),
            ])
    }

    /// An object with a coordinate, its keys in order.
    private static func place(
        _ coordinate: Coordinate?, _ members: KeyValuePairs<String, JSONTree?>
    ) -> JSONTree {
        var tree = JSONTree(members: members)
        tree["lat"] = coordinate.map { angle($0.latitude) }
        tree["lon"] = coordinate.map { angle($0.longitude) }
        return tree.sorted
    }

    private static func fileName(_ photo: JourneyPhoto, at index: Int, _ ids: [UUID]) -> String {
        if let name = photo.fileName { return name }
        if case .waypoint(let waypoint) = photo.subject { return ids[waypoint].uuidString + ".jpg" }
        return "photo-\(index + 1).jpg"
    }

    private static func angle(_ degrees: Double) -> JSONTree {
        JSONTree(degrees.rounded(decimals: ExportSettings.communityAngleDecimals))
    }

    private static func metres(_ value: Double) -> JSONTree {
        JSONTree(value.isFinite ? value.rounded(decimals: ExportSettings.communityAltitudeDecimals) : 0)
    }
}

/// Reads the community's JSON.
enum CommunityReader {
    /// The journey of a file; `photo` returns the file of a photo by name, `nil` if it is missing.
    static func journey(
        _ source: SourceBytes, photo: @escaping @Sendable (String) throws -> Data? = { _ in nil },
        check: () throws -> Void
    ) throws -> ExportJourney {
        try JSONSource.read(source, limit: ExportSettings.longestJSON, check: check) {
            try journey($0, photo)
        }
    }

    private static func journey(
        _ file: JSONTree, _ photo: @escaping @Sendable (String) throws -> Data?
    ) throws(JSONFault) -> ExportJourney {
        var aside: [String] = []
        var points = try file.list("track") { (point) throws(JSONFault) in
            try kept(orCountedIn: &aside, "points that cannot be read") { () throws(JSONFault) in
                GPXPoint(
                    coordinate: try place(point, altitude: try point.read("ele")),
                    time: try time(point, "time"))
            }
        }.compactMap(\.self)
        // The format cannot represent unknown values: see the writer.
        if points.allSatisfy({ $0.coordinate.altitude == 0 }) {
            for index in points.indices { points[index].coordinate.altitude = nil }
        }
        let isTimed = points.contains { $0.time != points.first?.time }
        let standIn = isTimed ? nil : points.first?.time
        if !isTimed { for index in points.indices { points[index].time = nil } }
        var journey = ExportJourney(kind: isTimed ? .recorded : .planned)
        let id: String = try file.read("id")
        journey.id = UUID(uuidString: id)
        journey.name = try file.read("name")
        journey.comment = try file.read("description")
        journey.author = try file.read("author", as: String.self).nonEmpty
        journey.activity = try file.read("activityType")
        journey.tracks = [
            GPXLine(
                name: journey.name, description: journey.comment.nonEmpty, type: journey.activity,
                segments: points.isEmpty ? [] : [points])
        ]
        journey.computeFacts(documentTime: try time(file, "createdAt"))
        let stats: CommunityFile.Stats = try file.read("stats")
        journey.facts.adopt(stats, hasTimes: isTimed)
        let ids = try file.list("waypoints") { (waypoint) throws(JSONFault) in
            try waypoint.read("id", as: String.self)
        }
        let places = try file.list("waypoints") { (tree) throws(JSONFault) in
            try kept(orCountedIn: &aside, "waypoints that cannot be read") { () throws(JSONFault) in
                try waypoint(tree)
            }
        }
        // The photos name their waypoints by identifier.
        let known = zip(places, ids).compactMap { place, id in place.map { (point: $0, id: id) } }
        journey.places = known.map { MapPlace(point: $0.point, id: UUID(uuidString: $0.id)) }
        journey.document.account = PointAccount(used: points.count + known.count, aside: aside)
        journey.document.doubts +=
            journey.document.account?.aside.map { "\($0.what), left out: \($0.count)" } ?? []
        journey.photos = try file.list("photos") { (entry) throws(JSONFault) in
            try Self.photo(entry, known.map(\.id), photo)
        }
        let region: JSONTree = try file.read("region")
        journey.community = CommunityDetails(
            id: id, version: try file.read("version"), created: try file.read("createdAt"),
            country: try region.read("country"), area: try region.read("area"), stats: stats,
            standInTime: standIn.map { ISO8601.text($0) })
        return journey
    }

    /// The result of reading one of many, or nothing and its count: one that is damaged does not lose the others.
    private static func kept<T>(
        orCountedIn aside: inout [String], _ what: String, _ read: () throws(JSONFault) -> T
    ) throws(JSONFault) -> T? {
        do {
            return try read()
        } catch {
            guard [.content, .value].contains(error.kind) else { throw error }
            aside.append(what)
            return nil
        }
    }

    private static func waypoint(_ tree: JSONTree) throws(JSONFault) -> GPXPoint {
        let category: String = try tree.read("category")
        return GPXPoint(
            coordinate: try place(tree, altitude: try tree.readIfPresent("ele")),
            name: try tree.read("label", as: String.self).nonEmpty,
            description: try tree.read("note", as: String.self).nonEmpty,
            symbol: WaypointCategory.known(category)?.displayName, type: category)
    }

    private static func photo(
        _ tree: JSONTree, _ waypoints: [String], _ read: @escaping @Sendable (String) throws -> Data?
    ) throws(JSONFault) -> JourneyPhoto {
        let name: String = try tree.read("filename")
        guard PhotoFolder.isPlain(name) else {
            throw JSONFault(value: "`\(name.prefix(80))` is not the name of a file in a folder")
                .inside(key: "filename")
        }
        var photo = JourneyPhoto(fileName: name, caption: try tree.read("caption"), subject: .none) {
            try read(name)
        }
        if try tree.readIfPresent("lat", as: Double.self) != nil,
            try tree.readIfPresent("lon", as: Double.self) != nil
        {
            photo.coordinate = try place(tree, altitude: nil)
        }
        if let id = try tree.readIfPresent("waypointId", as: String.self) {
            photo.subject = waypoints.firstIndex(of: id).map { .waypoint($0) } ?? .unknown(id)
        }
        return photo
    }

    private static func place(_ tree: JSONTree, altitude: Double?) throws(JSONFault) -> Coordinate {
        let place = Coordinate(
            latitude: try tree.read("lat"), longitude: try tree.read("lon"), altitude: altitude)
        guard place.isValid else {
            throw JSONFault(
                value: "\(Literal.number(place.latitude)),\(Literal.number(place.longitude)) is out of range")
        }
        return place
    }

    private static func time(_ tree: JSONTree, _ key: String) throws(JSONFault) -> Timestamp {
        let text: String = try tree.read(key)
        guard let time = ISO8601.timestamp(text) else {
            throw JSONFault(value: "`\(text.prefix(40))` is not a date and time").inside(key: key)
        }
        return time
    }
}

extension JourneyFacts {
    /// Uses the statistics of a file: its points may have lost their segments, but its statistics include
    /// them.
    fileprivate mutating func adopt(_ stats: CommunityFile.Stats, hasTimes: Bool) {
        distance = stats.distanceMeters
        if gain != nil || stats.elevationGainMeters > 0 || stats.elevationLossMeters > 0 {
            gain = stats.elevationGainMeters
            loss = stats.elevationLossMeters
            method = nil
        }
        guard stats.durationSeconds > 0 else { return }
        if hasTimes, let walking {
            resting = max(0, stats.durationSeconds - walking)
        } else {
            estimated = stats.durationSeconds
        }
    }
}
