import CivilTime
import Foundation
import Geodesy
import PluginKit

/// The JSON of planned routes, exactly as the apps write it: keys sorted, pretty-printed, moments without
/// fraction, absent keys for what is unknown.
public enum PlannedRouteJSON {
    /// The bytes of a route's file.
    public static func data(_ route: PlannedRoute) throws -> Data {
        try encoder.encode(RouteFile(route))
    }

    /// The route in a file's bytes; throws `DecodingError` where they are something else.
    public static func route(_ data: Data) throws -> PlannedRoute {
        try JSONDecoder().decode(RouteFile.self, from: data).route
    }

    /// The bytes of a route's file with another name; everything else in it stays, even what is not known here.
    public static func renamed(_ data: Data, to name: String, at moment: Timestamp) throws -> Data {
        var fields = try JSONDecoder().decode([String: JSONField].self, from: data)
        fields["name"] = .text(name)
        fields["modifiedAt"] = .text(ISO8601.text(moment, fraction: .never))
        return try encoder.encode(fields)
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return encoder
    }
}

/// The file's object.
private struct RouteFile: Codable {
    var id: String
    var name: String
    var mode: String
    var startCoordinate: CoordinateFile
    var endCoordinate: CoordinateFile
    var viaPoints: [CoordinateFile]
    var coordinates: [CoordinateFile]
    var turnInstructions: [TurnFile]
    var totalDistance: Double
    var estimatedDuration: Double
    var elevationGain: Double
    var elevationLoss: Double
    var createdAt: MomentFile
    var regionId: String?
    var elevationProfile: [ElevationFile]?
    var modifiedAt: MomentFile?
    var cloudKitRecordID: String?

    init(_ route: PlannedRoute) {
        id = route.id.uuidString
        name = route.name
        mode = route.mode.rawValue
        startCoordinate = CoordinateFile(route.start)
        endCoordinate = CoordinateFile(route.end)
        viaPoints = route.via.map(CoordinateFile.init)
        coordinates = route.coordinates.map(CoordinateFile.init)
        turnInstructions = route.turns.map(TurnFile.init)
        totalDistance = route.distance
        estimatedDuration = route.duration
        elevationGain = route.gain
        elevationLoss = route.loss
        createdAt = MomentFile(route.createdAt)
        regionId = route.regionID
        elevationProfile = route.profile?.map(ElevationFile.init)
        modifiedAt = route.modifiedAt.map(MomentFile.init)
        cloudKitRecordID = route.cloudKitRecordID
    }

    var route: PlannedRoute {
        get throws {
            guard let uuid = UUID(uuidString: id) else { throw Unusable.value("id", id) }
            guard let known = TravelMode(rawValue: mode) else { throw Unusable.value("mode", mode) }
            var route = PlannedRoute(
                id: uuid, name: name, mode: known, start: startCoordinate.place, end: endCoordinate.place,
                via: viaPoints.map(\.place), coordinates: coordinates.map(\.place),
                turns: try turnInstructions.map { try $0.turn }, distance: totalDistance,
                duration: estimatedDuration, gain: elevationGain, loss: elevationLoss,
                createdAt: createdAt.moment)
            route.regionID = regionId
            route.profile = elevationProfile?.map(\.point)
            route.modifiedAt = modifiedAt?.moment
            route.cloudKitRecordID = cloudKitRecordID
            return route
        }
    }
}

private enum Unusable {
    static func value(_ key: String, _ text: String) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(codingPath: [], debugDescription: "`\(text)` is no \(key) of a route"))
    }
}

private struct CoordinateFile: Codable {
    var latitude: Double
    var longitude: Double

    init(_ place: Coordinate) {
        latitude = place.latitude
        longitude = place.longitude
    }

    var place: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

private struct TurnFile: Codable {
    var coordinate: CoordinateFile
    var direction: String
    var bearing: Double
    var distanceFromPrevious: Double
    var cumulativeDistance: Double
    var trailName: String?
    var description: String

    init(_ turn: TurnInstruction) {
        coordinate = CoordinateFile(turn.coordinate)
        direction = turn.direction.rawValue
        bearing = turn.bearing
        distanceFromPrevious = turn.distanceFromPrevious
        cumulativeDistance = turn.cumulativeDistance
        trailName = turn.trailName
        description = turn.description
    }

    var turn: TurnInstruction {
        get throws {
            guard let known = TurnDirection(rawValue: direction) else {
                throw Unusable.value("direction", direction)
            }
            return TurnInstruction(
                coordinate: coordinate.place, direction: known, bearing: bearing,
                distanceFromPrevious: distanceFromPrevious, cumulativeDistance: cumulativeDistance,
                trailName: trailName, description: description)
        }
    }
}

private struct ElevationFile: Codable {
    var distance: Double
    var elevation: Double

    init(_ point: ElevationPoint) {
        distance = point.distance
        elevation = point.elevation
    }

    var point: ElevationPoint { ElevationPoint(distance: distance, elevation: elevation) }
}

/// A moment as ISO 8601 text; read with a fraction too.
private struct MomentFile: Codable {
    var moment: Timestamp

    init(_ moment: Timestamp) { self.moment = moment }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let moment = ISO8601.timestamp(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "`\(text)` is no moment")
        }
        self.moment = moment
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ISO8601.text(moment, fraction: .never))
    }
}
