import Geodesy
import Pictures
import PluginKit

/// The content of the screen at an instant: all data of a map is read here, once.
struct StopMapFrame: Sendable {
    var marks: MapMarks
    /// The selected stop, which is always drawn.
    var selected: StopObject?
    /// Streets below, and their attribution.
    var streets: [MapFeature] = []
    var attribution = ""
    /// The lines of public transport.
    var shapes: [MapFeature] = []
    /// Pins that were dropped while the map is played.
    var dropped: [MapFeature] = []

    /// The features from bottom to top.
    var features: [MapFeature] { streets + shapes + marks.features + dropped + selection }
    /// The features for a file's map, where clusters are moved away from the selected stop: their discs
    /// would cover its pin, and its ring their numbers.
    func drawnFeatures(in view: MapView) -> [MapFeature] {
        streets + shapes + marks.features { self.coordinate(of: $0, in: view) } + selection
    }

    /// The distance in points from a selected stop up to the middle of its pin, and the radius around both
    /// that they cover.
    private static let pinHeight = 12.0
    private static let markRadius = 16.0

    /// The maximum radius of a cluster's disc, in points.
    private static func discRadius(_ count: Int) -> Double { 10 + 2.5 * Double("\(count)".count) }

    /// The position of a cluster: its centre, or as far from the selected stop as both need.
    func coordinate(of cluster: ClusterObject, in view: MapView) -> Coordinate {
        guard let place = selected?.stop.coordinate, cluster.count > 1 else { return cluster.center }
        let (stop, disc) = (view.point(for: place), view.point(for: cluster.center))
        // The nearest point between the stop and the middle of its pin.
        let nearest = ScenePoint(stop.x, max(stop.y - Self.pinHeight, min(disc.y, stop.y)))
        let (x, y) = (disc.x - nearest.x, disc.y - nearest.y)
        let distance = (x * x + y * y).squareRoot()
        let wanted = Self.markRadius + Self.discRadius(cluster.count)
        guard distance < wanted else { return cluster.center }
        // To the right if no direction is better.
        let (right, down) = distance > 0 ? (x / distance, y / distance) : (1, 0)
        return view.coordinate(at: ScenePoint(nearest.x + right * wanted, nearest.y + down * wanted))
    }

    private var selection: [MapFeature] {
        guard let selected, let place = selected.stop.coordinate else { return [] }
        let glyph = IconGlyph.named(selected.stop.mode.icon).ascii
        return selected.mapFeatures + [
            .badge(
                place,
                MapBadge(
                    "[\(glyph)]", isRing: true, color: Color(hex: TransitSettings.selectionColor) ?? .black,
                    label: selected.stop.label, layer: MapLayer.badge + 1))
        ]
    }
}

extension MapMarks {
    /// The marks of a map: a pin for each stop in view, or clusters if there are many. Their counts add up
    /// to the number of loaded stops in view.
    init(of map: StopMap, _ feed: Feed) throws {
        let points = map.inView
        var groups: [[Int]] = []
        var singles = Array(points.indices)
        if points.count > TransitSettings.clusterAbove {
            if let made = ScreenGroups(points.map(\.coordinate), zoom: map.zoom) {
                (groups, singles) = (made.groups, made.singles)
            }
        }
        let pins = try feed.stops.rows(singles.map { points[$0].number })
        let clusters = try groups.compactMap { group -> ClusterObject? in
            let members = group.map { points[$0] }
            guard let first = try feed.stops.rows([members[0].number]).first else { return nil }
            return ClusterObject(
                center: StopClusters.center(members.map(\.coordinate)), points: members, first: first,
                feed: feed)
        }
        self.init(pins: try feed.stops.described(pins), clusters: clusters)
    }
}
