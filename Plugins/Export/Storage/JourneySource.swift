import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Creates journeys from arguments and piped values: hikes with their waypoints, planned routes, coordinates.
struct JourneySource: Sendable {
    let waypoints: ActiveStore<WaypointStore>

    /// The journeys of a named object, or else of the piped value. Throws `E-EXPORT-NOTHING`.
    func journeys(_ named: (any DomainObject)?, _ input: Value, _ context: Context) throws -> [ExportJourney]
    {
        if let named {
            if case .nothing = input {
                return Self.categorised([try journey(named, context)].compactMap { $0 }, context)
            }
            throw CommonErrors.inputKind(
                "both a piped value and a name are given", fix: "omit one of them")
        }
        let found = try journeys(of: input, context)
        guard !found.isEmpty else {
            throw ExportErrors.nothing(
                "nothing to export",
                fix: "name a hike or route, or pipe a value with a coordinate")
        }
        return Self.categorised(found, context)
    }

    /// Journeys whose waypoints are named and drawn by the categories of the workspace.
    private static func categorised(_ journeys: [ExportJourney], _ context: Context) -> [ExportJourney] {
        let categories = CategoryList.shown(in: context.workspace)
        return journeys.map { journey in
            var journey = journey
            journey.categories = categories
            for index in journey.places.indices {
                let point = journey.places[index].point
                // Other programs show the symbol's words: the name of an own category says more than its identifier.
                guard let own = categories.own.first(where: { $0.raw == point.type }),
                    point.symbol == nil || point.symbol == own.raw
                else { continue }
                journey.places[index].point.symbol = own.displayName
            }
            return journey
        }
    }

    private func journeys(of value: Value, _ context: Context) throws -> [ExportJourney] {
        if case .nothing = value { return [] }
        var journeys: [ExportJourney] = []
        var places: [MapPlace] = []
        var others: [Value] = []
        var problems: [String] = []
        for row in try value.items() {
            try context.checkCancelled()
            if let problem = UnreadableRows.problem(of: row) {
                problems.append(problem)
                continue
            }
            guard case .object(let object) = row else {
                others.append(row)
                continue
            }
            if let made = try journey(object, context) {
                journeys.append(made)
            } else if let marked = object as? any WaypointRepresentable {
                places.append(MapPlace(marked.waypoint))
            } else {
                others.append(row)
            }
        }
        if !problems.isEmpty {
            context.log.notice(
                "rows that cannot be read are skipped (\(problems.count)): \(problems.joined(separator: "; "))"
            )
        }
        let (further, lines) = try Self.placed(others)
        places += further
        guard !places.isEmpty || !lines.isEmpty else { return journeys }
        var collection = ExportJourney(kind: lines.isEmpty ? .places : .planned)
        collection.places = places
        collection.routes = lines
        collection.photos = photos(of: places, context)
        collection.computeFacts(documentTime: places.compactMap(\.point.time).max())
        return journeys + [collection]
    }

    /// The journey of a hike, route or import; `nil` for other objects.
    private func journey(_ object: any DomainObject, _ context: Context) throws -> ExportJourney? {
        switch object {
        case let imported as JourneyObject: return imported.journey
        case let recorded as any RecordedHike:
            var journey = ExportJourney(
                recorded.hike, try Self.recording(of: recorded),
                waypoints: try waypoints.storeIfFits(context)?.waypoints(ofHike: recorded.hike.id) ?? [])
            journey.photos = photos(of: journey.places, context)
            return journey
        case let kept as any StoredRoute: return ExportJourney(kept)
        case let route as any TravelRoute: return ExportJourney(route)
        default: return nil
        }
    }

    /// The recording of a hike. A few invalid coordinates are tolerated; throws `E-STORE-TRACK` if most are
    /// invalid: then the stored bytes are not a track.
    private static func recording(of hike: any RecordedHike) throws -> Recording {
        let recording = try hike.recording()
        let count = recording.line.pointCount
        let lost = recording.line.segments.reduce(0) { $0 + $1.count { !$0.coordinate.isValid } }
        guard lost * 2 <= count else {
            throw StoreErrors.track(
                "\(hike.hike.name): \(lost) of \(count) points of the track have invalid coordinates",
                fix: "run `store check`, and copy the hike from the device again")
        }
        return recording
    }

    /// The photos of waypoints of the active store; the thumbnail if the device has only that.
    private func photos(of places: [MapPlace], _ context: Context) -> [JourneyPhoto] {
        let waypoints = waypoints
        return places.enumerated().filter(\.element.hasPhoto).map { index, place in
            JourneyPhoto(
                caption: place.name, coordinate: place.point.coordinate.withoutAltitude,
                subject: .waypoint(index)
            ) {
                guard let id = place.id, let store = try waypoints.storeIfFits(context) else { return nil }
                let photo = try store.photo(of: id)
                return photo.photo ?? photo.thumbnail
            }
        }
    }

    /// Other values with a coordinate.
    private static func placed(
        _ values: [Value]
    ) throws -> (places: [MapPlace], lines: [GPXLine]) {
        if values.isEmpty { return ([], []) }
        var places: [MapPlace] = []
        var lines: [GPXLine] = []
        for feature in try GeoFeature.all(of: .list(values)) {
            switch feature.shape {
            case .point(let place): places.append(MapPlace(feature, at: place))
            case .area:
                throw CommonErrors.noPlace(
                    "the formats of journeys have no areas", fix: "… | to geojson | save area.geojson")
            case .line(let points):
                lines.append(
                    GPXLine(
                        name: feature.text("label", "name"), description: feature.text("note", "description"),
                        type: feature.text("category", "type"),
                        segments: [points.map { GPXPoint(coordinate: $0) }]))
            }
        }
        return (places, lines)
    }
}

extension MapPlace {
    /// A feature with a coordinate; fields unknown to the formats become properties.
    init(_ feature: GeoFeature, at coordinate: Coordinate) {
        var coordinate = coordinate
        if case .quantity(let altitude)? = feature.field("altitude"), altitude.dimension == .length {
            coordinate.altitude = altitude.value
        }
        var point = GPXPoint(
            coordinate: coordinate, name: feature.text("label", "name", "title"),
            description: feature.text("note", "description"), symbol: feature.text("symbol"),
            type: feature.text("category", "type"))
        if case .date(let time)? = feature.field("time", "timestamp") { point.time = time }
        self.init(point: point)
        let known: Set = [
            "label", "name", "title", "note", "description", "symbol", "category", "type", "time",
            "timestamp",
            "altitude",
        ]
        for (name, value) in zip(feature.fields.keys, feature.fields.values) where !known.contains(name) {
            if let text = GeoFeature.text(of: value), !text.isEmpty { properties.append((name, text)) }
        }
    }
}

extension GeoFeature {
    /// The first of these fields that is not empty, as text.
    fileprivate func text(_ names: String...) -> String? {
        for name in names {
            if let text = fields[name].flatMap(Self.text(of:)), !text.isEmpty { return text }
        }
        return nil
    }

    /// A scalar as text; `nil` for lists, tables and objects.
    fileprivate static func text(of value: Value) -> String? {
        switch value {
        case .boolean(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .number(let number): Literal.number(number)
        case .quantity(let quantity): Literal.quantity(quantity)
        case .text(let text): text
        case .coordinate(let place): Literal.coordinate(place)
        default: nil
        }
    }
}
