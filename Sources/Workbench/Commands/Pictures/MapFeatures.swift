import Geodesy
import Pictures
import PluginKit

/// The parts of a value that can be drawn on a map.
enum MapFeatures {
    /// Colour of points without a category.
    private static let plain = Color(0x2F7DE1)
    /// Fields used as a row's label; the first that has text is used.
    private static let labelFields = ["label", "name", "title", "id"]

    /// A map of a value; `nil` when it has no coordinates.
    static func fitted(to thing: any DomainObject, _ units: ScaleUnits) throws -> MapScene? {
        let features = try of(.object(thing))
        let nearest = (thing as? any MapDrawable)?.nearestZoom ?? MapView.nearestZoom
        return MapView(fitting: features.lazy.flatMap(\.coordinates), nearest: nearest).map {
            MapScene(view: $0, features: features, furniture: MapFurniture(scale: units))
        }
    }

    /// The features of a value; empty when it has no coordinates.
    static func of(_ value: Value) throws -> [MapFeature] {
        var none: TrackColoring?
        return try of(value, &none)
    }

    /// The features of a value with tracks coloured by a measure, on one common scale.
    static func of(_ value: Value, coloredBy measure: TrackMeasure, _ units: ScaleUnits) throws
        -> [MapFeature]
    {
        var coloring: TrackColoring? = TrackColoring(measure)
        let features = try of(value, &coloring)
        guard let coloring, !coloring.isEmpty else {
            throw PictureErrors.nothing(
                "there is no track to colour by \(measure.words)", at: .parameter("color"),
                fix: "hike show NAME | map --color \(measure.rawValue)")
        }
        guard coloring.isKnown else {
            throw PictureErrors.nothing("the \(measure.words) was not recorded", at: .parameter("color"))
        }
        return features + coloring.features(units: units)
    }

    private static func of(_ value: Value, _ coloring: inout TrackColoring?) throws -> [MapFeature] {
        try Interruption.check()
        switch value {
        case .coordinate(let place): return [point(place, label: "")]
        case .box(let box): return [outline(box)]
        case .object(let object):
            if let drawable = object as? any MapDrawable { return try features(drawable, &coloring) }
            return row(value)
        case .record(let record): return row(value) + (try lines(in: record, &coloring))
        case .list(let items): return try items.flatMap { try of($0, &coloring) }
        case .rows(let rows): return try rows.collect().flatMap { try of($0, &coloring) }
        default: return []
        }
    }

    /// The features of a value, without the line that is replaced by coloured segments.
    private static func features(
        _ drawable: any MapDrawable, _ coloring: inout TrackColoring?
    ) throws -> [MapFeature] {
        let features = try drawable.mapFeatures
        guard let measure = coloring?.measure,
            let segments = try (drawable as? any MeasuredTrack)?.measuredSegments(measure)
        else { return features }
        coloring?.add(segments)
        let hasTrack = features.contains { if case .track = $0 { true } else { false } }
        return features.filter {
            switch $0 {
            case .track: false
            case .route: hasTrack
            default: true
            }
        }
    }

    private static func row(_ value: Value) -> [MapFeature] {
        guard let record = value.asRecord else { return [] }
        let place = value.asCoordinate ?? record.values.lazy.compactMap { $0.asCoordinate }.first
        guard let place else { return [] }
        let label = labelFields.lazy.compactMap { record[$0] }.map { ValueText.inline($0) }.first {
            !$0.isEmpty
        }
        return [point(place, label: label ?? "")]
    }

    /// The lines and areas that a record has in its fields.
    private static func lines(
        in record: Record, _ coloring: inout TrackColoring?
    ) throws -> [MapFeature] {
        try record.values.flatMap { field -> [MapFeature] in
            guard case .object(let object) = field, let drawable = object as? any MapDrawable else {
                return []
            }
            return try features(drawable, &coloring).filter {
                switch $0 {
                case .line, .polygon, .route, .track: true
                default: false
                }
            }
        }
    }

    private static func point(_ coordinate: Coordinate, label: String) -> MapFeature {
        .point(coordinate, MapPointStyle(color: plain, label: label))
    }

    private static func outline(_ box: BoundingBox) -> MapFeature {
        let corners = [
            Coordinate(latitude: box.south, longitude: box.west),
            Coordinate(latitude: box.south, longitude: box.east),
            Coordinate(latitude: box.north, longitude: box.east),
            Coordinate(latitude: box.north, longitude: box.west),
        ]
        return .polygon([corners], MapAreaStyle(stroke: Stroke(plain, width: 2)))
    }
}
