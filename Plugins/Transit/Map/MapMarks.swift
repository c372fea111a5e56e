import Geodesy
import Pictures
import PluginKit

/// The marks of a map: every stop in view is in one of them.
struct MapMarks: Sendable {
    var pins: [StopObject]
    var clusters: [ClusterObject]

    /// The number of stops.
    var stops: Int { pins.count + clusters.reduce(0) { $0 + $1.count } }

    var features: [MapFeature] { features(\.center) }

    /// The features with clusters at given coordinates.
    func features(_ place: (ClusterObject) -> Coordinate) -> [MapFeature] {
        // The largest clusters and the most important pins are on top.
        pins.reversed().flatMap(\.mapFeatures)
            + clusters.sorted { $0.count < $1.count }.flatMap { $0.mapFeatures(at: place($0)) }
    }
}

/// A cluster of stops as a value.
struct ClusterObject: FieldedObject, MapDrawable {
    let center: Coordinate
    let count: Int
    /// The most frequent mode of its stops.
    let mode: TransitMode
    /// The greatest distance of a stop from the centre, metres.
    let radius: Double
    /// The stop at which it formed.
    let first: StopRecord
    /// The stop at which it formed, then the others by distance from it.
    let members: Rows
    /// The lines of a single stop, where they are known.
    private(set) var lines: [Feed.Route]?

    /// A stop on its own; `nil` if its place is unknown.
    init?(_ single: StopObject) {
        guard let center = single.stop.coordinate else { return nil }
        self.init(center: center, stops: [single.stop], first: single.stop)
        lines = single.lines
    }

    /// A cluster of stops that have been read.
    init(center: Coordinate, stops: [StopRecord], first: StopRecord) {
        self.init(
            center: center, points: stops.map { (mode: $0.mode, coordinate: $0.coordinate ?? center) },
            first: first,
            members: Rows(objects: stops.map { StopObject($0) }, columns: StopObject.columns))
    }

    /// A cluster of stops that are read on demand.
    init(center: Coordinate, points: [StopPoint], first: StopRecord, feed: Feed) {
        let numbers = points.map(\.number)
        self.init(
            center: center, points: points.map { (mode: $0.mode, coordinate: $0.coordinate) }, first: first,
            members: Rows(columns: StopObject.columns) {
                var rest = try feed.stops.rows(numbers).makeIterator()
                return Rows.Iterator { rest.next().map { .object(StopObject($0)) } }
            })
    }

    private init(
        center: Coordinate, points: [(mode: TransitMode, coordinate: Coordinate)], first: StopRecord,
        members: Rows
    ) {
        self.center = center
        self.first = first
        self.members = members
        count = points.count
        var counts: [TransitMode: Int] = [:]
        for point in points { counts[point.mode, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        mode = TransitMode.allCases.first { counts[$0] == most } ?? .other
        radius = points.map { center.distance(to: $0.coordinate) }.max() ?? 0
    }

    let typeName = "cluster"

    static let fields = FieldTable<Self> {
        Field("count") { .integer($0.count) }
        Field("at") { .coordinate($0.center) }
        Field("name") { .text($0.first.title) }
        Field("mode") { .text($0.mode.rawValue) }
        Field("radius") { .quantity(.metres($0.radius)) }
        Field("members") { .rows($0.members) }
        Field("label") { .text($0.summary) }
        // Those of a single stop, which is a pin.
        Field(hidden: "id") { $0.count == 1 ? .text($0.first.id) : .nothing }
        Field(hidden: "platform") { $0.count == 1 ? Value($0.first.platform, Value.text) : .nothing }
        Field(hidden: "lines") { cluster in
            guard cluster.count == 1, let lines = cluster.lines else { return .nothing }
            return StopObject(cluster.first, lines: lines).field("lines") ?? .nothing
        }
    }

    var summary: String { count == 1 ? first.label : "\(count) stops" }

    var mapFeatures: [MapFeature] { mapFeatures(at: center) }

    /// The number of stops on a disc; a single stop is drawn as a pin.
    func mapFeatures(at coordinate: Coordinate) -> [MapFeature] {
        if count == 1 { return StopObject(first, lines: lines).mapFeatures }
        return [.badge(coordinate, MapBadge("\(count)", color: Color(hex: mode.colorHex) ?? .black))]
    }
}
