import Formats
import Foundation
import Geodesy
import PluginKit

/// The places of a route that become beacons.
struct RouteForBeacons {
    /// A place with what happens there.
    struct Stop: Sendable, Hashable {
        let coordinate: Coordinate
        let what: String
    }

    let name: String
    private let stops: [Stop]
    /// What is to be known about the choice and the order of the places; `nil` for nothing.
    private(set) var note: String?

    /// A route by name, a file, or what is in the pipe. Throws `E-BEACON-ROUTE` if there is none.
    init(_ given: String?, _ input: Value, _ context: Context) async throws {
        if let given {
            let ending = (given as NSString).pathExtension.lowercased()
            self =
                ["gz", "zip"].contains(ending) || TrackFormat.extensions.contains(ending)
                ? try Self(file: try context.files.input(given), context)
                : Self(try await Self.saved(given, context))
        } else if case .object(let object) = input.onlyItem, let route = object as? any TravelRoute {
            self.init(route)
        } else {
            try self.init(rows: input)
        }
    }

    private init(name: String, _ stops: [Stop]) {
        self.name = name
        self.stops = stops
    }

    /// The turns of a planned route, and its end.
    private init(_ route: any TravelRoute) {
        self.init(
            name: route.name,
            route.turns.filter { $0.direction != .start }.map {
                Stop(coordinate: $0.coordinate.withoutAltitude, what: $0.description)
            })
    }

    /// The named points of a file's route, else its waypoints in the order of its track, else all points of its route: those of a
    /// track are no places.
    private init(file url: URL, _ context: Context) throws {
        let file = try TrackFile(url, check: context.checkCancelled)
        let document = file.document
        let fileName = url.lastPathComponent
        let route = document.routes.first.map { $0.segments.flatMap(\.self) } ?? []
        let named = route.filter { $0.name?.allSatisfy(\.isWhitespace) == false }
        let waypoints = document.waypoints
        var note: String?
        var points = waypoints.count < 2 ? route : waypoints
        if waypoints.count > 1, named.count > 1, named.count == route.count {
            points = route
            let others = waypoints.count { place in
                !route.contains {
                    $0.coordinate.distance(to: place.coordinate) <= BeaconSettings.arrivalRadius
                }
            }
            note = others > 0 ? "the points of the route; \(others, of: "waypoint") beside it left out" : nil
        } else if waypoints.count > 1 {
            let line = document.tracks.flatMap { $0.segments.joined().map(\.coordinate) }
            switch OrderOnLine(waypoints.map(\.coordinate), line).order {
            case .asWritten: break
            case .along(let order):
                points = order.map { waypoints[$0] }
                note = "in the order of the track, which is not that of the file"
            case .unclear: note = "in the order of the file, which is not that of its track"
            }
        }
        guard points.count > 1 else {
            throw BeaconErrors.route(
                "\(fileName) has neither two waypoints nor a route: tracks have no turns",
                at: .parameter("route"),
                fix: "route match \(Literal.text(fileName)) | beacon route")
        }
        self.init(
            name: document.name ?? url.deletingPathExtension().lastPathComponent,
            points.map { Stop(coordinate: $0.coordinate.withoutAltitude, what: $0.name ?? "") })
        self.note = note
    }

    /// Rows with a place each, such as waypoints.
    private init(rows input: Value) throws {
        let items: [Value] =
            switch input {
            case .list(let items): items
            case .rows(let rows): try rows.collect()
            case .nothing: []
            default: [input]
            }
        let stops = items.compactMap { item -> Stop? in
            func field(_ name: String) -> Value? {
                switch item {
                case .object(let object): object.field(name)
                case .record(let record): record[name]
                default: nil
                }
            }
            guard case .coordinate(let place)? = field("at") else { return nil }
            var what = ""
            if case .text(let name)? = field("name") { what = name }
            return Stop(coordinate: place.withoutAltitude, what: what)
        }
        guard !stops.isEmpty, stops.count == items.count else {
            throw BeaconErrors.route(
                items.isEmpty
                    ? "`beacon route` requires a route"
                    : "\(items.count - stops.count) of \(items.count) rows have no place (`at`)",
                fix:
                    "name a saved route or a file with waypoints, or pipe one in: route plan A B | beacon route"
            )
        }
        self.init(name: "route", stops)
    }

    private static func saved(_ text: String, _ context: Context) async throws -> any TravelRoute {
        var found: [Reference] = []
        for resolver in context.all((any ReferenceResolving).self) where resolver.kind == "route" {
            found += try await resolver.resolve(text, context: context)
        }
        guard found.count == 1, let route = found[0].object as? any TravelRoute else {
            throw BeaconErrors.route(
                found.isEmpty ? "unknown route `\(text)`" : "`\(text)` matches more than one route",
                at: .parameter("route"),
                fix: "`route list` shows the saved routes; a file needs its extension")
        }
        return route
    }

    /// The places without those that would be reached together with the one before, and how many these are. The last one stays.
    func apart() -> (kept: [Stop], close: Int) {
        var kept: [Stop] = []
        for (index, stop) in stops.enumerated() {
            let isClose = kept.last.map {
                $0.coordinate.distance(to: stop.coordinate) <= BeaconSettings.arrivalRadius
            }
            if isClose != true {
                kept.append(stop)
            } else if index == stops.count - 1 {
                kept[kept.count - 1] = stop
            }
        }
        return (kept, stops.count - kept.count)
    }
}
