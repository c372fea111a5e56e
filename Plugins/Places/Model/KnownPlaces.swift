import Geodesy
import PluginKit

/// Searches the names that plugins offer.
struct KnownPlaces {
    let context: Context

    /// The matches of all sources, best first, without duplicates. `leavesReferences` omits the sources that resolve `@`
    /// themselves.
    func search(_ query: PlaceQuery, leavesReferences: Bool = false) async throws -> [PlaceObject] {
        var matches: [PlaceMatch] = []
        for source in context.all((any NamedPlaces).self) where !(leavesReferences && source.areReferences) {
            try context.checkCancelled()
            for place in try await source.places(matching: query, context: context) {
                let folded = PlaceWords.fold(place.name)
                // A place found by one of its alternative names does not match by its main name.
                let match =
                    query.match(place, folded: folded)
                    ?? PlaceMatch(
                        place: place, score: Self.otherName,
                        distance: query.near.map { $0.distance(to: place.coordinate) })
                matches.append(match)
            }
        }
        var kept: [PlaceMatch] = []
        for match in matches.sorted(by: { $0.isBetter(than: $1) }) {
            let isKnown = kept.contains { other in
                other.place.name == match.place.name && other.place.kind == match.place.kind
                    && other.place.coordinate.distance(to: match.place.coordinate) <= PlaceSettings.duplicate
            }
            if !isKnown { kept.append(match) }
        }
        return kept.prefix(query.limit).map {
            PlaceObject(place: $0.place, score: $0.score, distance: $0.distance)
        }
    }

    /// The score of a match by an alternative name.
    private static let otherName = 0.4
}

/// Chooses one of several matches.
enum PlaceChoice {
    /// The only match, or the only exact match, after removing ways and other places of low rank; places with the same
    /// name at the same spot count as one. `nil` without a match. Throws `E-PLACE-AMBIGUOUS`.
    static func choose(_ text: String, of found: [PlaceObject]) throws -> PlaceObject? {
        let wanted = PlaceWords.fold(text)
        let exact = found.filter { PlaceWords.fold($0.place.name) == wanted }
        // A village takes precedence over a street named after it.
        let main = exact.filter { $0.place.rank < PlaceSettings.lesserRank }
        let candidates = exact.isEmpty ? found : main.isEmpty ? exact : main
        guard let first = candidates.first else { return nil }
        let isOne = candidates.allSatisfy {
            $0.place.coordinate.distance(to: first.place.coordinate) <= PlaceSettings.sameSpot
                && (exact.isEmpty ? $0.place.name == first.place.name : true)
        }
        if isOne { return first }
        let list = candidates.prefix(PlaceSettings.listed).map {
            "\(Literal.coordinate($0.place.coordinate)) (\($0.place.name), \($0.place.kind))"
        }
        let more =
            candidates.count > PlaceSettings.listed
            ? " and \(candidates.count - PlaceSettings.listed) more" : ""
        throw PlaceErrors.ambiguous(
            "`\(text)` matches \(candidates.count) places",
            fix: "one of: " + list.joined(separator: ", ") + more)
    }
}
