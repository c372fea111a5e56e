import Geodesy
import PluginKit

/// The places at a coordinate, from all sources, and a name for it.
struct ReversePlaces: PlaceNaming {
    /// The data about a coordinate; `nil` if no region covers it.
    func surroundings(of coordinate: Coordinate, context: Context) async throws -> (any PlaceSurroundings)? {
        for source in context.capabilities.compactMap(\.namedPlaces) {
            try context.checkCancelled()
            if let found = try await source.surroundings(of: coordinate, context: context) { return found }
        }
        return nil
    }

    func name(of coordinate: Coordinate, context: Context) async throws -> String? {
        guard let found = try await surroundings(of: coordinate, context: context) else { return nil }
        do {
            return try Self.name(found)
        } catch let error as RutterError where error.kind != Interruption.stopped.kind {
            // A damaged source leaves a route or hike without a name, and is not an error.
            context.log.warning("\(found.source): \(error.message)")
            return nil
        }
    }

    /// The kinds of candidates for the name of a coordinate, the most specific first: a peak or hut at the coordinate,
    /// the address, the street, a place nearby.
    private enum Manner: String, CaseIterable {
        case landmark, address, street, near

        /// The maximum distance in metres.
        var reach: Double {
            switch self {
            case .landmark: PlaceSettings.namingRadius
            case .address: PlaceSettings.addressRadius
            case .street: PlaceSettings.streetRadius
            case .near: PlaceSettings.besideRadius
            }
        }

        func places(_ found: any PlaceSurroundings) throws -> [SurroundingPlace] {
            switch self {
            case .landmark: try found.around.filter { $0.place.rank < PlaceSettings.lesserRank }
            case .address: try [found.address].compactMap(\.self)
            case .street: try [found.street].compactMap(\.self)
            case .near:
                try found.around.sorted { ($0.place.rank, $0.distance) < ($1.place.rank, $1.distance) }
            }
        }

        func name(_ place: SurroundingPlace, _ found: any PlaceSurroundings) throws -> String {
            let name = place.place.name
            switch self {
            case .landmark: return name
            case .near: return "near \(name)"
            case .address, .street: return try ReversePlaces.town(found).map { "\(name), \($0)" } ?? name
            }
        }
    }

    private static func town(_ found: any PlaceSurroundings) throws -> String? {
        try found.town ?? found.nearestTown?.place.name
    }

    /// The most specific name: of the first candidate that is near enough, else of the town.
    static func name(_ found: any PlaceSurroundings) throws -> String? {
        for manner in Manner.allCases {
            if let best = try manner.places(found).first(where: { $0.distance <= manner.reach }) {
                return try manner.name(best, found)
            }
        }
        return try found.town ?? found.nearestTown.map { "near \($0.place.name)" }
    }

    /// A step for each candidate, and for the town.
    static func considered(_ found: any PlaceSurroundings) throws -> [TraceStep] {
        var steps: [TraceStep] = []
        var isNamed = false
        for manner in Manner.allCases {
            for place in try manner.places(found) {
                let isNear = place.distance <= manner.reach
                steps.append(
                    .candidate(
                        [
                            ("what", .text(manner.rawValue)), ("name", .text(try manner.name(place, found))),
                            ("distance", PlaceObject.distance(place.distance)),
                            ("within", .quantity(.metres(manner.reach))),
                        ], isNear && !isNamed ? .best : .refused,
                        why: !isNear
                            ? "too far away to name it"
                            : isNamed
                                ? "a more specific candidate is near enough"
                                : "the most specific candidate that is near enough"))
                isNamed = isNamed || isNear
            }
        }
        if let town = try town(found) {
            steps.append(
                .candidate(
                    [("what", .text("town")), ("name", .text(town))], isNamed ? .refused : .best,
                    why: isNamed ? "a candidate is near enough" : "no candidate is near enough"))
        }
        return steps
    }
}
