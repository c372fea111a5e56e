import Geodesy
import Pictures
import PluginKit

/// `ROUTE | place along`
struct PlacesAlong: CommandProvider {
    var name: String { "place along" }

    var command: Command {
        Command(
            name, "list huts, water and other places along a way",
            details: """
                The way is a route, a hike, or a list of coordinates. `along` is the distance from its start to the point nearest to the \
                place, `distance` that from the way to the place; a place at which the way passes twice is listed where it is nearest. \
                Without --kind: huts, peaks, passes, water, viewpoints, camps, food, toilets and stations. Only what imported \
                regions, stops, waypoints and beacons name is found.
                """,
            .option(
                "radius", .quantity(.length, in: 0...PlaceSettings.farthestBeside), default: "100m",
                "greatest distance from the way"
            ).formerly("within"),
            .options("kind", .text, "hut, water, …, or a tag such as tourism=hotel; repeatable"),
            input: .any, output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "how many are known",
                    "[46.5,7.9 46.5,7.92] | place along --kind hut --radius 1km | count",
                    gives: "0"),
                .init(
                    "a number is no way", "expect-error E-INPUT-KIND 5 | place along",
                    gives: "`place along` takes a route, a hike or coordinates"),
            ],
            searchTerms: [
                "near the route", "along the way", "beside my route",
                "restaurants", "shops", "what is along the route",
                "points of interest", "poi", "on the way", "beside the route", "huts on my route",
                "water on the way", "somewhere to eat", "along my route", "refill",
            ]
        ) { input, context, within, kinds in
            let lines = try Self.lines(input)
            guard let lines else {
                throw CommonErrors.inputKind(
                    "`place along` takes a route, a hike or coordinates",
                    fix: "pipe a way into it: route show NAME | place along")
            }
            let wanted = try kinds.isEmpty ? Self.usual : kinds.map(FindPlaces.category)
            return try await Self.table(lines, within, wanted, context)
        }.deciding(
            "[46.5,7.9 46.5,7.901] | place along --kind hut",
            after: ["waypoint add 46.5,7.9 --label Hut --category campsite | get label"])
    }

    private static let columns = ["name", "kind", "along", "distance", "at"]
    /// What people look for along a way.
    private static var usual: [PlaceCategories.Category] {
        ["hut", "peak", "pass", "water", "viewpoint", "camp", "food", "toilets", "station"].compactMap {
            PlaceCategories.category(PlaceWords($0))
        }
    }

    /// The lines of a way; parts of a recording are not joined. A route whose ends are one place has no length; `nil` if the
    /// input is no way.
    private static func lines(_ input: Value) throws -> [[Coordinate]]? {
        if let route = input.object(as: (any TravelRoute).self) { return [route.line] }
        if let drawn = try input.object(as: (any MapDrawable).self)?.mapFeatures {
            let lines = drawn.compactMap { feature in
                switch feature {
                case .route(let line), .track(let line): line
                default: nil
                }
            }
            return lines.contains { $0.count > 1 } ? lines : nil
        }
        let rows = try input.asRows?.collect() ?? []
        let line = rows.compactMap(\.asCoordinate)
        // A way without the points that could not be read would be another way.
        return line.count == rows.count && line.count > 1 ? [line] : nil
    }

    private static func table(
        _ lines: [[Coordinate]], _ within: Double, _ wanted: [PlaceCategories.Category], _ context: Context
    ) async throws -> Value {
        let kinds = wanted.reduce(into: Set<String>()) { $0.formUnion($1.kinds) }
        let places = KnownPlaces(context: context)
        var nearest: [NamedPlace: PlaceBeside] = [:]
        var isCut = false
        for piece in WayPiece.pieces(of: lines) {
            try context.checkCancelled()
            guard let box = piece.box(within) else { continue }
            let limit = PlaceSettings.besideMost
            let found = try await places.search(
                PlaceQuery(PlaceWords(""), area: .box(box), kinds: kinds, limit: limit), keepsDistinct: true)
            isCut = isCut || found.count >= limit
            for match in found {
                let beside = piece.nearest(match)
                guard beside.distance <= within, beside.distance < nearest[match.place]?.distance ?? .infinity
                else { continue }
                nearest[match.place] = beside
            }
        }
        let sorted = nearest.values.sorted {
            ($0.along, $0.distance, $0.match.name, $0.match.kind, $0.match.source) < (
                $1.along, $1.distance, $1.match.name, $1.match.kind, $1.match.source
            )
        }
        let objects = sorted.map { beside in
            var object = PlaceObject(
                PlaceMatch(
                    place: beside.match.place, quality: beside.match.quality, distance: beside.distance))
            object.along = beside.along
            return object
        }
        let boxes = try await PlaceCoverages(context).all().map(\.box)
        let outside = WayPiece.pieces(of: lines).reduce(0) { $0 + $1.length(outside: boxes) }
        let unknown =
            outside > 0
            ? "\(Literal.inMessage(.metres(outside))) of the way lie in no imported region: what is beside it is unknown"
            : nil
        let most = "there are so many places that less important ones are left out; choose fewer with --kind"
        let isPoint = !lines.contains { $0.count > 1 }
        return .table(
            objects: objects, columns: columns,
            note: Rows.note([isPoint ? "the way has no length" : nil, unknown, isCut ? most : nil]))
    }
}

/// A place, and the point of a way that is nearest to it, in metres.
struct PlaceBeside {
    let match: PlaceMatch
    let along: Double
    let distance: Double
}

/// A piece of a way, so short that the box around it holds few places that are not beside it.
struct WayPiece {
    let line: ArraySlice<Coordinate>
    /// Metres of the way before it.
    let start: Double

    /// The pieces of lines; between lines nothing is walked.
    static func pieces(of lines: [[Coordinate]]) -> [WayPiece] {
        var pieces: [WayPiece] = []
        var before = 0.0
        for line in lines where line.count > 1 {
            let along = Polyline.cumulativeDistances(line)
            var first = 0
            for index in line.indices.dropFirst()
            where along[index] - along[first] >= PlaceSettings.pieceLength || index == line.count - 1 {
                pieces.append(WayPiece(line: line[first...index], start: before + along[first]))
                first = index
            }
            before += along.last ?? 0
        }
        return pieces
    }

    /// The box of everything within a number of metres.
    func box(_ metres: Double) -> BoundingBox? {
        guard let box = BoundingBox(around: line) else { return nil }
        let corners = [(box.south, box.west), (box.north, box.east)].map {
            BoundingBox(center: Coordinate(latitude: $0.0, longitude: $0.1), radius: metres)
        }
        return BoundingBox(
            south: corners[0].south, west: corners[0].west, north: corners[1].north, east: corners[1].east)
    }

    /// Metres of it whose ends lie in none of the boxes.
    func length(outside boxes: [BoundingBox]) -> Double {
        zip(line, line.dropFirst()).reduce(0) { sum, ends in
            let isInside = boxes.contains { $0.contains(ends.0) || $0.contains(ends.1) }
            return isInside ? sum : sum + ends.0.distance(to: ends.1)
        }
    }

    /// Where the piece is nearest to a place, at the first of equal points.
    func nearest(_ match: PlaceMatch) -> PlaceBeside {
        let plane = LocalPlane(at: match.coordinate)
        var best = (square: Double.infinity, along: start)
        var along = start
        for (from, to) in zip(line, line.dropFirst()) {
            let length = from.distance(to: to)
            let (square, share) = PlanePoint.nearest(from: plane.point(from), to: plane.point(to))
            if square < best.square { best = (square, along + share * length) }
            along += length
        }
        return PlaceBeside(match: match, along: best.along, distance: best.square.squareRoot())
    }
}
