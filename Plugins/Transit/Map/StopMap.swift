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
    /// The loaded stops; `nil` before the first load.
    private(set) var loaded: LoadedStops?
    /// The time of the last move; `nil` once stops are loaded or the load was skipped.
    private(set) var movedAt: Timestamp?
    /// The latest events, oldest first.
    private(set) var events: [MapEvent] = []
    /// The cells of a terminal that it fills.
    private(set) var columns = TransitSettings.mapColumns
    private(set) var rows = TransitSettings.mapRows
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
            width: Double(columns) * PictureSettings.cellWidth,
            height: Double(rows) * PictureSettings.cellHeight)
        return MapView(center: center, zoom: zoom, size: size)
    }

    /// The region that the screen shows.
    var region: BoundingBox { view.bounds }

    /// The loaded stops that the screen shows.
    var inView: [StopPoint] {
        let region = region
        return loaded?.points.filter { region.contains($0.coordinate) } ?? []
    }

    /// Whether the screen shows a coordinate.
    func shows(_ coordinate: Coordinate) -> Bool { region.contains(coordinate) }

    /// Fills a different part of a terminal, by default that of the command `stop map`.
    mutating func resize(columns: Int = TransitSettings.mapColumns, rows: Int = TransitSettings.mapRows) {
        (self.columns, self.rows) = (columns, rows)
    }

    /// Selects a stop, as a tap on its pin does: its drawer opens collapsed.
    mutating func select(_ stop: StopRecord, at time: Timestamp) {
        drawer = Drawer(stop)
        note(
            MapEvent(
                time: time, kind: .tap, region: region,
                why: "\(stop.label) was selected: light haptic feedback"))
    }

    // MARK: Moving

    /// Moves the map; stops are loaded once it has been still.
    mutating func move(to coordinate: Coordinate, zoom: Double, at time: Timestamp) {
        let isWaiting = movedAt != nil
        center = coordinate.withoutAltitude
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

    /// Loads stops if the map was moved and has been still long enough. Returns whether a load was due.
    mutating func settle(at now: Timestamp, load: (BoundingBox) throws -> LoadedStops) rethrows -> Bool {
        guard let due = dueAt, now >= due else { return false }
        try loadIfNeeded(at: due, load: load)
        return true
    }

    /// Loads the stops of the region, unless half of it or more is loaded already. A load that was cut at
    /// the limit covers only the circle that it loaded.
    mutating func loadIfNeeded(at time: Timestamp, load: (BoundingBox) throws -> LoadedStops) rethrows {
        let region = region
        let overlap = loaded?.share(of: region)
        let wasCut = loaded?.isCut ?? false
        movedAt = nil
        if let overlap, overlap >= TransitSettings.reloadShare {
            note(
                MapEvent(
                    time: time, kind: .skip, region: region, overlap: overlap,
                    why: "half of the region or more was loaded already"))
            return
        }
        let found = try load(region)
        loaded = found
        note(
            MapEvent(
                time: time, kind: .load, region: region, overlap: overlap, count: found.points.count,
                total: found.total,
                why: overlap == nil
                    ? "nothing was loaded yet"
                    : wasCut
                        ? "the previous load was cut and does not cover the region"
                        : "less than half of the region was loaded"))
    }

    /// Drops the stops, because their timetable was replaced.
    mutating func forgetStops() { loaded = nil }

    /// The share of a region covered by another, by area on the sphere.
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
}
