import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit

/// The JSON of planned routes, exactly as the apps write it: keys sorted, pretty-printed, times without
/// fraction, missing keys for unknown values; with `rutterWarnings` if the route has warnings.
public enum PlannedRouteJSON {
    private static let writer = JSONWriter(.apple(escapesSlashes: true))
    /// A key of this program's own, which the apps skip; only routes with warnings have it.
    fileprivate static let warningsKey = "rutterWarnings"

    /// The key under which the apps keep the name of a route's record in the cloud.
    public static let recordKey = "cloudKitRecordID"

    /// The bytes of a route's file.
    public static func data(_ route: PlannedRoute) -> Data {
        Data(writer.text(JSONTree(route).sorted).utf8)
    }

    /// Decodes a route from a file's bytes; throws `JSONFault` if they are invalid.
    public static func route(_ data: Data) throws -> PlannedRoute {
        try JSONTree.read(data) { try PlannedRoute(json: $0) }
    }

    /// The bytes of a route's file with another name; everything else is kept, including unknown keys.
    public static func renamed(_ data: Data, to name: String, at moment: Timestamp) throws -> Data {
        var tree = try JSONTree(parsing: data)
        tree["name"] = .text(name)
        tree["modifiedAt"] = JSONTree(moment)
        return Data(writer.text(tree.sorted).utf8)
    }
}

extension JSONTree {
    /// A time as the apps write it.
    fileprivate init(_ moment: Timestamp) { self = .text(ISO8601.text(moment, fraction: .never)) }

    fileprivate init(_ route: PlannedRoute) {
        self.init(members: [
            "id": .text(route.id.uuidString), "name": .text(route.name), "mode": .text(route.mode.rawValue),
            "startCoordinate": JSONTree(route.start), "endCoordinate": JSONTree(route.end),
            "viaPoints": .list(route.via.map { JSONTree($0) }),
            "coordinates": .list(route.coordinates.map { JSONTree($0) }),
            "turnInstructions": .list(route.turns.map { JSONTree($0) }),
            "totalDistance": JSONTree(route.distance), "estimatedDuration": JSONTree(route.duration),
            "elevationGain": JSONTree(route.gain), "elevationLoss": JSONTree(route.loss),
            "createdAt": JSONTree(route.createdAt), "regionId": route.regionID.map(JSONTree.text),
            "elevationProfile": route.profile.map { .list($0.map { JSONTree($0) }) },
            "modifiedAt": route.modifiedAt.map { JSONTree($0) },
            PlannedRouteJSON.recordKey: route.cloudKitRecordID.map(JSONTree.text),
            PlannedRouteJSON.warningsKey: route.warnings.isEmpty
                ? nil : .list(route.warnings.map(JSONTree.text)),
        ])
    }

    private init(_ point: ElevationPoint) {
        self.init(members: ["distance": JSONTree(point.distance), "elevation": JSONTree(point.elevation)])
    }

    private init(_ turn: TurnInstruction) {
        self.init(members: [
            "coordinate": JSONTree(turn.coordinate), "direction": .text(turn.direction.rawValue),
            "bearing": JSONTree(turn.bearing), "distanceFromPrevious": JSONTree(turn.distanceFromPrevious),
            "cumulativeDistance": JSONTree(turn.cumulativeDistance),
            "trailName": turn.trailName.map(JSONTree.text), "description": .text(turn.description),
        ])
    }
}

extension PlannedRoute: JSONReadable {
    /// Decodes a route from a file's object.
    public init(json tree: JSONTree) throws(JSONFault) {
        self.init(
            id: try tree.read("id"), name: try tree.read("name"), mode: try tree.read("mode"),
            start: try tree.read("startCoordinate"), end: try tree.read("endCoordinate"),
            via: try tree.read("viaPoints"), coordinates: try tree.read("coordinates"),
            turns: try tree.read("turnInstructions"), distance: try tree.read("totalDistance"),
            duration: try tree.read("estimatedDuration"), gain: try tree.read("elevationGain"),
            loss: try tree.read("elevationLoss"), createdAt: try tree.read("createdAt"))
        regionID = try tree.readIfPresent("regionId")
        profile = try tree.readIfPresent("elevationProfile")
        modifiedAt = try tree.readIfPresent("modifiedAt")
        cloudKitRecordID = try tree.readIfPresent(PlannedRouteJSON.recordKey)
        warnings = try tree.readIfPresent(PlannedRouteJSON.warningsKey) ?? []
    }
}

extension TravelMode: JSONReadable {}
extension TurnDirection: JSONReadable {}

extension TurnInstruction: JSONReadable {
    /// Decodes a turn of a route.
    public init(json tree: JSONTree) throws(JSONFault) {
        self.init(
            coordinate: try tree.read("coordinate"), direction: try tree.read("direction"),
            bearing: try tree.read("bearing"), distanceFromPrevious: try tree.read("distanceFromPrevious"),
            cumulativeDistance: try tree.read("cumulativeDistance"),
            trailName: try tree.readIfPresent("trailName"), description: try tree.read("description"))
    }
}

extension ElevationPoint: JSONReadable {
    /// Decodes a point of an elevation profile.
    public init(json tree: JSONTree) throws(JSONFault) {
        self.init(distance: try tree.read("distance"), elevation: try tree.read("elevation"))
    }
}
