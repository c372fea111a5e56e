import Geodesy
import PluginKit

/// Searches the names provided by plugins.
struct KnownPlaces {
    let context: Context

    /// The matches of all sources, best first, without duplicates. `leavesReferences` omits the sources that resolve `@`
    /// themselves; `keepsDistinct` keeps the stops of a name side by side, of which one is to be chosen.
    func search(
        _ query: PlaceQuery, leavesReferences: Bool = false, keepsDistinct: Bool = false
    ) async throws -> [PlaceMatch] {
        try await answer(query, leavesReferences: leavesReferences, keepsDistinct: keepsDistinct).matches
    }

    /// The same, and whether a source may have more than it was asked for.
    private func answer(
        _ query: PlaceQuery, leavesReferences: Bool = false, keepsDistinct: Bool = false
    ) async throws -> (matches: [PlaceMatch], isCut: Bool) {
        var matches: [PlaceMatch] = []
        var isCut = false
        var log = TraceLog(limit: context.tracing?.limit ?? 0)
        if context.tracing != nil { log.record(PlaceTrace.started(query)) }
        for source in context.capabilities.compactMap(\.namedPlaces)
        where !(leavesReferences && source.areReferences) {
            try context.checkCancelled()
            let found = try await source.places(matching: query, context: context)
            if context.tracing != nil { log.record(PlaceTrace.asked(source.source, query, found.count)) }
            matches += found
            isCut = isCut || found.count >= query.limit
        }
        let kept = distinct(matches, query, keepsDistinct) { match, reason in
            if context.tracing != nil { log.record(PlaceTrace.left(match, reason)) }
        }
        if context.tracing != nil {
            PlaceTrace.record(kept, in: &log)
            log.record(PlaceTrace.ended(kept, query.limit))
            context.tracing?.keep(log, picture: PlaceTrace.picture)
        }
        return (kept, isCut || kept.count >= query.limit)
    }

    private func distinct(
        _ matches: [PlaceMatch], _ query: PlaceQuery, _ keepsDistinct: Bool,
        leave: (PlaceMatch, String) -> Void
    ) -> [PlaceMatch] {
        // If all words match some name, partial matches are dropped.
        let hasWords = matches.contains { !$0.quality.manner.isGuess && $0.score >= Self.sure }
        var kept: [PlaceMatch] = []
        for match in matches.sorted(by: { $0.isBetter(than: $1) }) {
            if hasWords, match.quality.manner == .partial {
                leave(match, "words of other names match completely: partial matches are dropped")
                continue
            }
            let isKnown = kept.contains { other in
                other.name == match.name && other.kind == match.kind
                    && other.coordinate.distance(to: match.coordinate) <= PlaceSettings.duplicate
                    && !(keepsDistinct && other.place.isDistinct && match.place.isDistinct)
            }
            if isKnown {
                leave(
                    match,
                    "a better match has the same name and kind within \(Int(PlaceSettings.duplicate)) m")
            } else {
                kept.append(match)
            }
            if kept.count == query.limit { break }
        }
        return kept
    }

    /// The minimum score of a match that is accepted on its own.
    private static let sure = 0.5

    /// Where one searches: a place with a radius in metres, or an area.
    struct Anchor {
        var near: Coordinate
        var radius: Double
        var area: PlaceArea?
        /// Which place it is, if several have the name.
        var note: String?
    }

    /// The centre or area in a text: `near Vaduz`, `in Vaduz`.
    func anchor(_ text: String, isInside: Bool) async throws -> Anchor? {
        let words = PlaceWords(text)
        if isInside {
            for source in context.capabilities.compactMap(\.namedPlaces) {
                if let area = try await source.area(named: words, context: context) {
                    return Anchor(near: area.box.center, radius: PlaceSettings.insideRadius, area: area)
                }
            }
        }
        let found = try await search(PlaceQuery(words, limit: PlaceSettings.candidates))
        guard let best = found.first, !best.quality.manner.isGuess else { return nil }
        return Anchor(
            near: best.coordinate, radius: isInside ? PlaceSettings.insideRadius : PlaceSettings.nearRadius,
            note: PlaceChoice.others(than: best, among: found, named: text).map { count in
                "\(count + 1) places match `\(text)`; this is near \(PlaceChoice.label(best)) at "
                    + Literal.coordinate(best.coordinate)
            })
    }

    /// The nearest places of a kind, the nearest first, whatever their importance.
    func nearest(
        _ kinds: Set<String>, to near: Coordinate, within radius: Double?, area: PlaceArea?, limit: Int
    ) async throws -> [PlaceMatch] {
        // Sources return the most important of a circle: it grows until it has enough, and shrinks while it has more than
        // are returned.
        let most = max(PlaceSettings.nearestMost, 2 * limit)
        let farthest = radius ?? .pi * GeodesySettings.earthRadius
        var (low, high) = (0.0, farthest)
        var reach = min(farthest, PlaceSettings.nearestFirst)
        while true {
            let (found, isCut) = try await answer(
                PlaceQuery(PlaceWords(""), near: near, radius: reach, area: area, kinds: kinds, limit: most))
            if isCut, reach - low > 1 {
                high = reach
                reach = low > 0 ? (low * high).squareRoot() : high / 4
            } else if !isCut, found.count < limit, high - reach > 1 {
                low = reach
                reach = high < farthest ? (low * high).squareRoot() : min(farthest, reach * 4)
            } else {
                let order = found.sorted {
                    ($0.distance ?? 0, $0.rank, $0.name) < ($1.distance ?? 0, $1.rank, $1.name)
                }
                return Array(order.prefix(limit))
            }
        }
    }
}

/// Chooses one of several matches.
enum PlaceChoice {
    /// The only match, or the only exact match, after removing ways and other places of low rank; places
    /// with the same name within `sameSpot` count as one, unless several are distinct, as stops are. `nil` without a match: similar names are not
    /// matches. Throws `E-PLACE-AMBIGUOUS`.
    static func choose(_ text: String, of all: [PlaceMatch]) throws -> PlaceMatch? {
        let found = all.filter { !$0.quality.manner.isGuess && $0.quality.manner != .category }
        let wanted = PlaceWords.fold(text)
        let exact = found.filter { $0.quality.manner == .whole || PlaceWords.fold($0.name) == wanted }
        // A village takes precedence over a street named after it.
        let main = exact.filter { $0.rank < PlaceSettings.lesserRank }
        let candidates = exact.isEmpty ? found : main.isEmpty ? exact : main
        guard let first = candidates.first else { return nil }
        // Two streets can meet twice; the lanes of one meet another within metres.
        let reach = first.kind == StreetPair.kind ? PlaceSettings.sameCrossing : PlaceSettings.sameSpot
        let isOne = candidates.allSatisfy {
            let distance = $0.coordinate.distance(to: first.coordinate)
            // A restaurant at the same coordinate as its house is there, whatever it is called.
            return distance <= reach
                && (!exact.isEmpty || $0.name == first.name || distance <= PlaceSettings.sameCoordinate)
        }
        let distinct = candidates.filter(\.place.isDistinct)
        let foremost = distinct.map(\.rank).min()
        if isOne, distinct.count(where: { $0.rank == foremost }) < 2 { return first }
        let list = candidates.lazy.map { "\(Literal.coordinate($0.coordinate)) (\(label($0)))" }
        throw PlaceErrors.ambiguous(
            "`\(text)` matches \(candidates.count) places",
            fix: "one of: " + list.listed(first: PlaceSettings.listed))
    }

    /// How many other places a name may mean as well as the one that was taken; `nil` if there is none.
    static func others(than best: PlaceMatch, among found: [PlaceMatch], named text: String) -> Int? {
        let wanted = PlaceWords.fold(text)
        func isExact(_ match: PlaceMatch) -> Bool {
            !match.quality.manner.isGuess && match.quality.manner != .category
                && (match.quality.manner == .whole || PlaceWords.fold(match.name) == wanted)
        }
        let others = found.filter { other in
            (isExact(other) || !isExact(best) && !other.quality.manner.isGuess)
                && (best.rank >= PlaceSettings.lesserRank || other.rank < PlaceSettings.lesserRank)
                && other.coordinate.distance(to: best.coordinate) > PlaceSettings.sameSpot
        }
        return others.isEmpty ? nil : others.count
    }

    /// A place in a list: its name, kind and town.
    static func label(_ match: PlaceMatch) -> String {
        [match.name, match.kind, match.context].compactMap { $0 }.joined(separator: ", ")
    }
}
