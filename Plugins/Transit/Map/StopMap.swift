import CivilTime
import Foundation
import Geodesy
import Pictures
import PluginKit

/// The app's screen as a value: a map of stops, and the drawer of the selected one.
struct StopMap: Sendable {
    /// The centre of the map.
    private(set) var center: Coordinate
    private(set) var zoom: Double
    /// The region whose stops are loaded.
    private(set) var loadedRegion: BoundingBox?
    /// The loaded stops, and the number of stops in the region.
    private(set) var loaded: [StopRecord] = []
    private(set) var total = 0
    /// The time of the last move, until stops are loaded or found loaded already.
    private(set) var movedAt: Timestamp?
    /// The latest events, oldest first.
    private(set) var events: [MapEvent] = []
    /// The drawer of the selected stop.
    var drawer: Drawer?

    /// A map without loaded stops.
    init(center: Coordinate, zoom: Double) {
        self.center = center.withoutAltitude
        self.zoom = zoom
    }

    /// The viewport in points.
    var view: MapView {
        let size = SceneSize(
            width: Double(TransitSettings.mapColumns) * PictureSettings.cellWidth,
            height: Double(TransitSettings.mapRows) * PictureSettings.cellHeight)
        return MapView(center: center, zoom: zoom, size: size)
    }

    /// The region that the screen shows.
    var region: BoundingBox { view.bounds }

    /// The loaded stops that the screen shows.
    var inView: [StopRecord] {
        let region = region
        return loaded.filter { region.contains($0.coordinate) }
    }

    // MARK: Moving

    /// Moves the map; stops are loaded once it has been still.
    mutating func move(to place: Coordinate, zoom: Double, at time: Timestamp) {
        let isWaiting = movedAt != nil
        center = place.withoutAltitude
        self.zoom = max(TransitSettings.zooms.lowerBound, min(TransitSettings.zooms.upperBound, zoom))
        movedAt = time
        let wait = Literal.duration(Double(TransitSettings.settleMilliseconds) / 1000)
        note(
            MapEvent(
                time: time, kind: isWaiting ? .wait : .move, region: region,
                why: isWaiting
                    ? "moved again before it had been still for \(wait)"
                    : "stops are loaded once it has been still for \(wait)"))
    }

    /// The time at which a moved map loads stops.
    var dueAt: Timestamp? {
        movedAt.map { $0.advanced(bySeconds: Double(TransitSettings.settleMilliseconds) / 1000) }
    }

    /// Loads stops if the map was moved and has been still long enough. Returns whether it was due.
    mutating func settle(at now: Timestamp, load: (BoundingBox) throws -> FoundStops) rethrows -> Bool {
        guard let due = dueAt, now >= due else { return false }
        try loadIfNeeded(at: due, load: load)
        return true
    }

    /// Loads the stops of the region, unless half of it or more is loaded already.
    mutating func loadIfNeeded(at time: Timestamp, load: (BoundingBox) throws -> FoundStops) rethrows {
        let region = region
        let overlap = loadedRegion.map { Self.overlap(of: region, with: $0) }
        movedAt = nil
        if let overlap, overlap >= TransitSettings.reloadShare {
            note(
                MapEvent(
                    time: time, kind: .skip, region: region, overlap: overlap,
                    why: "half of the region or more was loaded already"))
            return
        }
        let found = try load(region)
        loadedRegion = region
        loaded = found.stops.map(\.stop)
        total = found.total
        note(
            MapEvent(
                time: time, kind: .load, region: region, overlap: overlap, count: loaded.count, total: total,
                why: overlap == nil ? "nothing was loaded yet" : "less than half of the region was loaded"))
    }

    /// The share of a region that another one covers, by area on the sphere.
    static func overlap(of region: BoundingBox, with other: BoundingBox) -> Double {
        func height(_ south: Double, _ north: Double) -> Double {
            max(0, sin(north.radians) - sin(south.radians))
        }
        let whole = height(region.south, region.north) * region.longitudeSpan
        guard whole > 0 else { return other.contains(region.center) ? 1 : 0 }
        let common = height(max(region.south, other.south), min(region.north, other.north))
        var width = 0.0
        for mine in region.longitudeRanges {
            for theirs in other.longitudeRanges {
                width += max(
                    0, min(mine.upperBound, theirs.upperBound) - max(mine.lowerBound, theirs.lowerBound))
            }
        }
        return min(1, common * width / whole)
    }

    private mutating func note(_ event: MapEvent) {
        events.append(event)
        if events.count > TransitSettings.keptEvents { events.removeFirst() }
    }

    // MARK: Marks

    /// The marks of the map: a pin for each visible stop, or clusters where there are many.
    func marks<Recorder: TraceRecorder>(recorder: inout Recorder) -> MapMarks {
        let stops = inView
        guard stops.count > TransitSettings.clusterAbove else { return MapMarks(pins: stops, clusters: []) }
        let made = StopClusters(stops.map(\.coordinate), keys: stops.map(\.id), recorder: &recorder)
        return MapMarks(
            pins: made.singles.map { stops[$0] },
            clusters: made.clusters.map {
                ClusterObject(center: $0.center, members: $0.members.map { stops[$0] })
            })
    }

    var marks: MapMarks {
        var none = NoTrace()
        return marks(recorder: &none)
    }
}

/// The marks of a map.
struct MapMarks: Sendable {
    var pins: [StopRecord]
    var clusters: [ClusterObject]

    var features: [MapFeature] {
        clusters.flatMap(\.mapFeatures) + pins.reversed().flatMap { StopObject($0).mapFeatures }
    }
}

/// A cluster of stops as a value.
struct ClusterObject: DomainObject, MapDrawable {
    let center: Coordinate
    /// The stop where it formed, then others by distance from it.
    let members: [StopRecord]

    let typeName = "cluster"
    let fieldNames = ["count", "at", "name", "mode", "radius", "members", "label"]

    func field(_ name: String) -> Value? {
        switch name {
        case "count": .integer(members.count)
        case "at": .coordinate(center)
        case "name": .text(members.first?.title ?? "")
        case "mode": .text(mode.rawValue)
        case "radius": .quantity(.metres(members.map { center.distance(to: $0.coordinate) }.max() ?? 0))
        case "members": .table(objects: members.map { StopObject($0) }, columns: StopObject.columns)
        case "label": .text(summary)
        default: nil
        }
    }

    /// The most frequent mode of its stops.
    private var mode: TransitMode {
        var counts: [TransitMode: Int] = [:]
        for member in members { counts[member.mode, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        return TransitMode.allCases.first { counts[$0] == most } ?? .other
    }

    var summary: String { members.count == 1 ? members[0].label : "\(members.count) stops" }

    /// A mark with the number of stops; a single stop is drawn as a pin.
    var mapFeatures: [MapFeature] {
        if members.count == 1 { return StopObject(members[0]).mapFeatures }
        return [
            .point(
                center,
                MapPointStyle(
                    color: Color(hex: mode.colorHex) ?? .black, radius: 12, symbol: "#", label: summary,
                    layer: MapLayer.waypoint))
        ]
    }
}
