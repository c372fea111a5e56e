import CivilTime
import Foundation
import GPX
import Geodesy
import PluginKit
import TrailStores

/// A route as the apps' community shares it. Its keys are written in order, angles with 5 decimals, metres with one.
struct CommunityFile: Codable {
    struct Region: Codable {
        var country: String
        var area: String
    }

    struct Stats: Codable {
        var distanceMeters: Double
        var elevationGainMeters: Double
        var elevationLossMeters: Double
        var durationSeconds: Double
    }

    struct Box: Codable {
        var north: Double
        var south: Double
        var east: Double
        var west: Double
    }

    struct TrackPoint: Codable {
        var lat: Double
        var lon: Double
        var ele: Double
        var time: String
    }

    struct Waypoint: Codable {
        var id: String
        var lat: Double
        var lon: Double
        var ele: Double?
        var label: String
        var category: String
        var note: String
    }

    struct Photo: Codable {
        var filename: String
        var lat: Double?
        var lon: Double?
        var caption: String
        var waypointId: String?
    }

    var id: String
    var version: Int
    var name: String
    var activityType: String
    var author: String
    var description: String
    var createdAt: String
    var region: Region
    var stats: Stats
    var boundingBox: Box
    var track: [TrackPoint]
    var waypoints: [Waypoint]
    var photos: [Photo]
}

/// Journeys as the community's JSON, and back.
enum CommunityFormat {
    /// What the user tells for the community.
    struct Details {
        var author: String?
        var country: String?
        var area: String?
    }

    /// The file of a journey. Altitudes and times that are not known are written as the apps' tracks have them: 0, and the
    /// time of the point before or the date of the journey; what has no identifier gets one that is made of its content.
    static func bytes(_ journey: Journey, _ details: Details) throws -> [UInt8] {
        let told = journey.community
        let created =
            told?.created ?? ISO8601.text(journey.start ?? journey.dated ?? Timestamp(milliseconds: 0))
        var time = told?.standInTime ?? created
        let track = journey.points.map { point -> CommunityFile.TrackPoint in
            time = point.time.map { ISO8601.text($0) } ?? time
            return CommunityFile.TrackPoint(
                lat: angle(point.coordinate.latitude), lon: angle(point.coordinate.longitude),
                ele: metres(point.coordinate.altitude ?? 0), time: time)
        }
        let ids = identifiers(journey)
        let all = journey.points.map(\.coordinate) + journey.places.map(\.point.coordinate)
        guard let box = BoundingBox(around: all) else {
            throw ExportErrors.nothing("\(journey.title) has no place")
        }
        let facts = journey.facts
        let file = CommunityFile(
            id: journey.id?.uuidString ?? told?.id ?? ContentIdentifier.of(journey).uuidString,
            version: told?.version ?? ExportSettings.communityVersion,
            name: journey.name,
            activityType: journey.activity, author: details.author ?? journey.author ?? "",
            description: journey.comment, createdAt: created,
            region: .init(
                country: details.country ?? told?.country ?? "", area: details.area ?? told?.area ?? ""),
            stats: told?.stats
                ?? .init(
                    distanceMeters: metres(facts.distance ?? 0), elevationGainMeters: metres(facts.gain ?? 0),
                    elevationLossMeters: metres(facts.loss ?? 0), durationSeconds: metres(facts.duration ?? 0)
                ),
            boundingBox: .init(
                north: angle(box.north), south: angle(box.south), east: angle(box.east), west: angle(box.west)
            ),
            track: track, waypoints: zip(journey.places, ids).map(waypoint),
            photos: journey.photos.enumerated().map { photo($1, at: $0, ids) })
        return try JSONFile.bytes(file)
    }

    /// The name of a photo's file: the one it has, else that of its waypoint.
    static func fileName(_ photo: JourneyPhoto, at index: Int, in journey: Journey) -> String {
        fileName(photo, at: index, identifiers(journey))
    }

    /// The identifiers of the waypoints; one that has none gets one that is made of its content.
    private static func identifiers(_ journey: Journey) -> [UUID] {
        journey.places.enumerated().map { $1.id ?? ContentIdentifier.of($1.point, index: $0) }
    }

    private static func waypoint(_ place: JourneyPlace, _ id: UUID) -> CommunityFile.Waypoint {
        let coordinate = place.point.coordinate
        return CommunityFile.Waypoint(
            id: id.uuidString, lat: angle(coordinate.latitude), lon: angle(coordinate.longitude),
            ele: coordinate.altitude.map(metres), label: place.name,
            category: place.point.type ?? WaypointCategory.custom.raw, note: place.point.description ?? "")
    }

    private static func photo(
        _ photo: JourneyPhoto, at index: Int, _ ids: [UUID]
    ) -> CommunityFile.Photo {
        var waypoint: String?
        switch photo.subject {
        case .waypoint(let index): waypoint = ids[index].uuidString
        case .unknown(let id): waypoint = id
        case .none: break
        }
        return CommunityFile.Photo(
            filename: fileName(photo, at: index, ids), lat: photo.coordinate.map { angle($0.latitude) },
            lon: photo.coordinate.map { angle($0.longitude) }, caption: photo.caption, waypointId: waypoint)
    }

    private static func fileName(_ photo: JourneyPhoto, at index: Int, _ ids: [UUID]) -> String {
        if let name = photo.fileName { return name }
        if case .waypoint(let waypoint) = photo.subject { return ids[waypoint].uuidString + ".jpg" }
        return "photo-\(index + 1).jpg"
    }

    private static func angle(_ degrees: Double) -> Double {
        degrees.rounded(decimals: ExportSettings.communityAngleDecimals)
    }

    private static func metres(_ value: Double) -> Double {
        value.isFinite ? value.rounded(decimals: ExportSettings.communityAltitudeDecimals) : 0
    }
}

/// Reads the community's JSON.
enum CommunityReading {
    /// The journey of a file; `photo` gives the file of a photo by its name, `nil` where it is not there.
    static func journey(
        _ url: URL, photo: @escaping @Sendable (String) throws -> Data? = { _ in nil },
        check: () throws -> Void
    ) throws -> Journey {
        let file = try JSONFile.value(CommunityFile.self, of: url)
        let reader = Reader(file: url.lastPathComponent)
        var points: [GPXPoint] = []
        points.reserveCapacity(file.track.count)
        for (index, point) in file.track.enumerated() {
            if index % ExportSettings.checkInterval == 0 { try check() }
            let place = try reader.place(point.lat, point.lon, point.ele, "track[\(index)]")
            points.append(
                GPXPoint(coordinate: place, time: try reader.time(point.time, "track[\(index)].time")))
        }
        // The format has no word for what is not known: see its writer.
        if points.allSatisfy({ $0.coordinate.altitude == 0 }) {
            for index in points.indices { points[index].coordinate.altitude = nil }
        }
        let isTimed = points.contains { $0.time != points.first?.time }
        let standIn = isTimed ? nil : points.first?.time
        if !isTimed { for index in points.indices { points[index].time = nil } }
        var journey = Journey(kind: isTimed ? .recorded : .planned)
        journey.id = UUID(uuidString: file.id)
        journey.name = file.name
        journey.comment = file.description
        journey.author = file.author.nonEmpty
        journey.activity = file.activityType
        journey.tracks = [
            GPXLine(
                name: file.name, description: file.description.nonEmpty, type: file.activityType,
                segments: points.isEmpty ? [] : [points])
        ]
        journey.reckon(documentTime: try reader.time(file.createdAt, "createdAt"))
        journey.facts.adopt(file.stats, hasTimes: isTimed)
        journey.places = try file.waypoints.enumerated().map { index, waypoint in
            let place = try reader.place(waypoint.lat, waypoint.lon, waypoint.ele, "waypoints[\(index)]")
            let point = GPXPoint(
                coordinate: place, name: waypoint.label.nonEmpty, description: waypoint.note.nonEmpty,
                symbol: WaypointCategory.known(waypoint.category)?.displayName, type: waypoint.category)
            return JourneyPlace(point: point, id: UUID(uuidString: waypoint.id))
        }
        journey.photos = try file.photos.enumerated().map { index, entry in
            try reader.photo(entry, "photos[\(index)]", file.waypoints.map(\.id), photo)
        }
        journey.community = CommunityDetails(
            id: file.id, version: file.version, created: file.createdAt, country: file.region.country,
            area: file.region.area, stats: file.stats, standInTime: standIn.map { ISO8601.text($0) })
        return journey
    }

    private struct Reader {
        let file: String

        func place(_ latitude: Double, _ longitude: Double, _ altitude: Double?, _ path: String) throws
            -> Coordinate
        {
            let place = Coordinate(latitude: latitude, longitude: longitude, altitude: altitude)
            guard place.isValid else {
                throw ExportErrors.value(
                    "\(path): \(Literal.number(latitude)),\(Literal.number(longitude)) is no place on Earth",
                    at: .file(path: file, line: nil, column: nil))
            }
            return place
        }

        func photo(
            _ entry: CommunityFile.Photo, _ path: String, _ waypoints: [String],
            _ read: @escaping @Sendable (String) throws -> Data?
        ) throws -> JourneyPhoto {
            guard PhotoFolder.isPlain(entry.filename) else {
                throw ExportErrors.value(
                    "\(path).filename: `\(entry.filename.prefix(80))` is no name of a file in a folder",
                    at: .file(path: file, line: nil, column: nil))
            }
            var photo = JourneyPhoto(fileName: entry.filename, caption: entry.caption, subject: .none) {
                try read(entry.filename)
            }
            if let latitude = entry.lat, let longitude = entry.lon {
                photo.coordinate = try place(latitude, longitude, nil, path)
            }
            if let id = entry.waypointId {
                photo.subject = waypoints.firstIndex(of: id).map { .waypoint($0) } ?? .unknown(id)
            }
            return photo
        }

        func time(_ text: String, _ path: String) throws -> Timestamp {
            guard let time = ISO8601.timestamp(text) else {
                throw ExportErrors.value(
                    "\(path): `\(text.prefix(40))` is no time", at: .file(path: file, line: nil, column: nil))
            }
            return time
        }
    }
}

extension JourneyFacts {
    /// Takes over what a file tells: the points may have lost their segments, the numbers have not.
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
