import CivilTime
import ExportPlugin
import Formats
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import TrailStores
import Workbench

/// The hikes and planned routes of a session's stores by name, as the plugins of hikes and routing offer them.
struct StoredThings: Plugin {
    let name = "stored"
    let summary = "what the stores of the session hold"
    let version = "1.0"
    private let hikes = ActiveStore<HikeStore>()
    private let waypoints = ActiveStore<WaypointStore>()

    var commands: [any CommandProvider] { [] }
    var capabilities: [any Capability] {
        [
            Hikes(hikes: hikes), Routes(), Imports(), StoredWaypoints(),
            TrackImporter(hikes: hikes, waypoints: waypoints),
        ]
    }

    func close() async {
        hikes.close()
        waypoints.close()
    }

    /// Takes imported lines; routes have no turns.
    private struct Imports: HikeTaking, RouteTaking {
        func object(of hike: Hike, in store: HikeStore) -> any DomainObject {
            StoredHike(hike: hike, store: store)
        }

        func object(of route: PlannedRoute, _ context: Context) -> any DomainObject {
            FolderRoute(planned: route)
        }

        func route(along line: GPXLine, name: String, mode: TravelMode, id: UUID, now: Timestamp)
            -> PlannedRoute?
        {
            let places = line.segments.joined().map(\.coordinate)
            guard places.count > 1 else { return nil }
            let distance = Polyline.length(places)
            let heights = places.compactMap(\.altitude)
            let gain = zip(heights, heights.dropFirst()).reduce(0) { $0 + max(0, $1.1 - $1.0) }
            var route = PlannedRoute(
                id: id, name: name, mode: mode, start: places[0].withoutAltitude,
                end: places[places.count - 1].withoutAltitude, coordinates: places.map(\.withoutAltitude),
                // Naismith: 5 km and 600 m of climb an hour.
                distance: distance, duration: distance / 5 * 3.6 + gain * 6, gain: gain, loss: 0,
                createdAt: now)
            route.profile = zip(Polyline.cumulativeDistances(places), places).compactMap { distance, place in
                place.altitude.map { ElevationPoint(distance: distance, elevation: $0) }
            }
            return route
        }
    }

    private struct Hikes: ReferenceResolving {
        let hikes: ActiveStore<HikeStore>
        let kind = "hike"

        func resolve(_ text: String, context: Context) async throws -> [Reference] {
            let store = try hikes.store(context)
            return try store.hikes(named: text).map {
                Reference(name: $0.name, detail: $0.shortID, object: StoredHike(hike: $0, store: store))
            }
        }

        func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] {
            let names = try hikes.store(context).all().map(\.name).filter { $0.hasPrefix(prefix) }
            var found: [Reference] = []
            for name in names.prefix(limit) { found += try await resolve(name, context: context) }
            return found
        }
    }

    private struct Routes: ReferenceResolving {
        let kind = "route"

        func resolve(_ text: String, context: Context) async throws -> [Reference] {
            let folder = PlannedRouteFolder(
                context.workspace.appendingPathComponent("planned_routes", isDirectory: true))
            return try folder.routes().filter { $0.name == text }.map {
                Reference(name: $0.name, detail: "route", object: FolderRoute(planned: $0))
            }
        }

        func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] { [] }
    }
}

/// A hike of a store.
struct StoredHike: RecordedHike {
    let hike: Hike
    let store: HikeStore

    var typeName: String { "hike" }
    var fieldNames: [String] { ["name"] }
    var summary: String { hike.name }
    func field(_ name: String) -> Value? { name == "name" ? .text(hike.name) : nil }
    func recording() throws -> Recording { try store.recording(of: hike, checksCoordinates: false) }
}

/// A planned route of a folder, with altitudes where its profile has one for each place.
struct FolderRoute: StoredRoute {
    let planned: PlannedRoute

    var id: UUID { planned.id }
    var name: String { planned.name }
    var mode: TravelMode { planned.mode }
    var turns: [TurnInstruction] { planned.turns }
    var distance: Double { planned.distance }
    var duration: Double { planned.duration }
    var line: [Coordinate] {
        guard let profile = planned.profile, profile.count == planned.coordinates.count else {
            return planned.coordinates
        }
        return zip(planned.coordinates, profile).map {
            Coordinate(latitude: $0.latitude, longitude: $0.longitude, altitude: $1.elevation)
        }
    }
    var typeName: String { "route" }
    var fieldNames: [String] { ["name"] }
    var summary: String { name }
    func field(_ field: String) -> Value? { field == "name" ? .text(name) : nil }
}

extension TestSession {
    /// A session with exports, and the stores by name.
    static func exporting(
        _ files: [String: Data] = [:], environment: PluginKit.Environment = .notebook
    ) throws -> TestSession {
        try TestSession(
            plugins: { [ExportPlugin(), StoredThings()] }, files: files, environment: environment)
    }

    /// A file of the session's folder.
    func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    /// The bytes of a file of the session's folder.
    func data(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }

    /// The text of a file of the session's folder.
    func text(_ name: String) throws -> String { String(decoding: try data(name), as: UTF8.self) }

    /// The code of the error that an entry ends in.
    func code(_ entry: String) async -> String? { await result(entry).failure?.code }

    var hikeStore: HikeStore {
        get throws { try HikeStore(url("workspace/routes.db"), access: .foreignWritable) }
    }

    var waypointStore: WaypointStore {
        get throws { try WaypointStore(url("workspace/waypoints.db"), access: .foreignWritable) }
    }
}

/// A walk of three points, two minutes and two waypoints; a second segment after a rest.
enum Walk {
    static let gpx = """
        <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1" xmlns:g="urn:g">
        <metadata><name>Walk</name><desc>Fog &amp; sun</desc><author><name>Ann</name></author></metadata>
        <wpt lat="46.501" lon="7.9"><ele>520</ele><time>2026-02-05T08:01:40Z</time><name>Bench</name>
        <desc>A view</desc><sym>Viewpoint</sym><type>viewpoint</type></wpt>
        <wpt lat="46.502" lon="7.9"><name>Spring | cold</name><type>waterSource</type></wpt>
        <trk><name>Walk</name><desc>Fog &amp; sun</desc><type>hiking</type><trkseg>
        <trkpt lat="46.5" lon="7.9"><ele>500</ele><time>2026-02-05T08:00:00Z</time><extensions>
        <g:TrackPointExtension><g:hr>100</g:hr></g:TrackPointExtension></extensions></trkpt>
        <trkpt lat="46.501" lon="7.9"><ele>520</ele><time>2026-02-05T08:01:40Z</time><extensions>
        <g:TrackPointExtension><g:hr>120</g:hr></g:TrackPointExtension></extensions></trkpt>
        <trkpt lat="46.502" lon="7.9"><ele>540</ele><time>2026-02-05T08:03:20Z</time></trkpt></trkseg>
        <trkseg><trkpt lat="46.503" lon="7.9"><ele>540</ele><time>2026-02-05T08:13:20Z</time></trkpt>
        <trkpt lat="46.504" lon="7.9"><ele>530</ele><time>2026-02-05T08:15:00Z</time></trkpt></trkseg></trk></gpx>
        """

    static let files = ["walk.gpx": Data(gpx.utf8)]
}
