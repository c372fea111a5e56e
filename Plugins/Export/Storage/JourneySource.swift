import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Makes journeys of what a command is given: hikes with their waypoints, planned routes, places.
struct JourneySource: Sendable {
    let waypoints: ActiveStore<WaypointStore>

    /// The journeys of a thing that was named, else of the value in the pipe. Throws `E-EXPORT-NOTHING`.
    func journeys(_ named: (any DomainObject)?, _ input: Value, _ context: Context) throws -> [Journey] {
        if let named {
            if case .nothing = input { return [try journey(named, context)].compactMap { $0 } }
            throw CommonErrors.inputKind(
                "there is a value in the pipe and a name as well", fix: "leave one of them out")
        }
        let found = try journeys(of: input, context)
        guard !found.isEmpty else {
            throw ExportErrors.nothing(
                "there is nothing to export",
                fix: "name a hike or route, or put something with a place before")
        }
        return found
    }

    private func journeys(of value: Value, _ context: Context) throws -> [Journey] {
        if case .nothing = value { return [] }
        var journeys: [Journey] = []
        var places: [MapPlace] = []
        var others: [Value] = []
        for row in try value.items() {
            try context.checkCancelled()
            guard case .object(let object) = row else {
                others.append(row)
                continue
            }
            if let made = try journey(object, context) {
                journeys.append(made)
            } else if let marked = object as? any MarkedWaypoint {
                places.append(MapPlace(marked.waypoint))
            } else {
                others.append(row)
            }
        }
        let (further, lines) = try Self.placed(others)
        places += further
        guard !places.isEmpty || !lines.isEmpty else { return journeys }
        var collection = Journey(kind: lines.isEmpty ? .places : .planned)
        collection.places = places
        collection.routes = lines
        collection.photos = photos(of: places, context)
        collection.reckon(documentTime: places.compactMap(\.point.time).max())
        return journeys + [collection]
    }

    /// The journey of a thing that is one; `nil` for other things.
    private func journey(_ object: any DomainObject, _ context: Context) throws -> Journey? {
        switch object {
        case let imported as JourneyObject: return imported.journey
        case let recorded as any RecordedHike:
            var journey = Journey(
                recorded.hike, points: try Self.points(of: recorded),
                waypoints: try waypoints.storeIfFits(context)?.waypoints(ofHike: recorded.hike.id) ?? [])
            journey.photos = photos(of: journey.places, context)
            return journey
        case let kept as any KeptRoute: return Journey(kept.planned, line: kept.line)
        case let route as any TravelRoute: return Journey(route)
        default: return nil
        }
    }

    /// The points of a hike; a few that are no place on Earth do no harm. Throws `E-STORE-TRACK` where they are most of
    /// it: then these are the bytes of something else.
    private static func points(of hike: any RecordedHike) throws -> [TrackPoint] {
        let points = try hike.recordedPoints()
        let lost = points.count { !$0.coordinate.isValid }
        guard lost * 2 <= points.count else {
            throw StoreErrors.track(
                "\(hike.hike.name): \(lost) of \(points.count) points of the track are no place on Earth",
                fix: "`store check` tells more; take the hike from the device anew")
        }
        return points
    }

    /// The photos of waypoints of the store in use, the thumbnail where a device has no more.
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

    /// Other values with a place.
    private static func placed(
        _ values: [Value]
    ) throws -> (places: [MapPlace], lines: [GPXLine]) {
        if values.isEmpty { return ([], []) }
        var places: [MapPlace] = []
        var lines: [GPXLine] = []
        for thing in try GeoFeature.all(of: .list(values)) {
            switch thing.shape {
            case .point(let place): places.append(MapPlace(thing, at: place))
            case .line(let points):
                lines.append(
                    GPXLine(
                        name: thing.text("label", "name"), description: thing.text("note", "description"),
                        type: thing.text("category", "type"),
                        segments: [points.map { GPXPoint(coordinate: $0) }]))
            }
        }
        return (places, lines)
    }
}

extension MapPlace {
    /// A thing with a place; fields that no format knows become properties.
    init(_ thing: GeoFeature, at place: Coordinate) {
        var place = place
        if case .quantity(let altitude)? = thing.field("altitude"), altitude.dimension == .length {
            place.altitude = altitude.value
        }
        var point = GPXPoint(
            coordinate: place, name: thing.text("label", "name", "title"),
            description: thing.text("note", "description"), symbol: thing.text("symbol"),
            type: thing.text("category", "type"))
        if case .date(let time)? = thing.field("time", "timestamp") { point.time = time }
        self.init(point: point)
        let known: Set = [
            "label", "name", "title", "note", "description", "symbol", "category", "type", "time",
            "timestamp",
            "altitude",
        ]
        for (name, value) in zip(thing.fields.keys, thing.fields.values) where !known.contains(name) {
            if let text = GeoFeature.text(of: value), !text.isEmpty { properties.append((name, text)) }
        }
    }
}

extension GeoFeature {
    /// The first of these fields that is there, as text.
    fileprivate func text(_ names: String...) -> String? {
        for name in names {
            if let text = fields[name].flatMap(Self.text(of:)), !text.isEmpty { return text }
        }
        return nil
    }

    /// A value in one word or line; `nil` for lists, tables and things.
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
