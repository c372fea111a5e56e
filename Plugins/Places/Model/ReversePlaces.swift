import Geodesy
import PluginKit

/// The places at a coordinate, from all sources, and a name for it.
struct ReversePlaces: PlaceNaming {
    /// The data about a coordinate; `nil` if no region covers it.
    func surroundings(of place: Coordinate, context: Context) async throws -> PlaceSurroundings? {
        for source in context.all((any NamedPlaces).self) {
            try context.checkCancelled()
            if let found = try await source.surroundings(of: place, context: context) { return found }
        }
        return nil
    }

    func name(of place: Coordinate, context: Context) async throws -> String? {
        try await surroundings(of: place, context: context).flatMap(Self.name)
    }

    /// A candidate for the name of a coordinate, and its maximum distance.
    private struct Candidate {
        let kind: String
        let item: PlaceSurroundings.Item
        let reach: Double
        let name: String
        var isNear: Bool { item.distance <= reach }
    }

    /// The most specific first: a peak or hut at the coordinate, the address, the street, a place nearby.
    private static func candidates(_ found: PlaceSurroundings) -> [Candidate] {
        let town = town(found)
        func inTown(_ item: PlaceSurroundings.Item) -> String {
            town.map { "\(item.place.name), \($0)" } ?? item.place.name
        }
        let landmarks = found.around.filter { $0.place.rank < PlaceSettings.lesserRank }.map {
            Candidate(kind: "landmark", item: $0, reach: PlaceSettings.namingRadius, name: $0.place.name)
        }
        let address = found.address.map {
            Candidate(kind: "address", item: $0, reach: PlaceSettings.addressRadius, name: inTown($0))
        }
        let street = found.street.map {
            Candidate(kind: "street", item: $0, reach: PlaceSettings.streetRadius, name: inTown($0))
        }
        let beside = found.around.sorted { ($0.place.rank, $0.distance) < ($1.place.rank, $1.distance) }.map {
            Candidate(
                kind: "near", item: $0, reach: PlaceSettings.besideRadius, name: "near \($0.place.name)")
        }
        return landmarks + [address, street].compactMap(\.self) + beside
    }

    private static func town(_ found: PlaceSurroundings) -> String? {
        found.town ?? found.nearestTown?.place.name
    }

    /// The most specific name: of the first candidate that is near enough, else of the town.
    static func name(_ found: PlaceSurroundings) -> String? {
        candidates(found).first(where: \.isNear)?.name
            ?? town(found).map { found.town == nil ? "near \($0)" : $0 }
    }

    /// A step for each candidate, and for the town.
    static func considered(_ found: PlaceSurroundings) -> [TraceStep] {
        let candidates = candidates(found)
        let best = candidates.firstIndex(where: \.isNear)
        var steps = candidates.enumerated().map { index, candidate in
            TraceStep.candidate(
                [
                    ("what", .text(candidate.kind)), ("name", .text(candidate.name)),
                    ("distance", PlaceObject.distance(candidate.item.distance)),
                    ("within", .quantity(.metres(candidate.reach))),
                ], index == best ? .best : .refused,
                why: index == best
                    ? "the most specific candidate that is near enough"
                    : candidate.isNear
                        ? "a more specific candidate is near enough" : "too far away to name it")
        }
        if let town = town(found) {
            steps.append(
                .candidate(
                    [("what", .text("town")), ("name", .text(town))], best == nil ? .best : .refused,
                    why: best == nil ? "no candidate is near enough" : "a candidate is near enough"))
        }
        return steps
    }
}
