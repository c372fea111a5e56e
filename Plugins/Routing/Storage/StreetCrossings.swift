import Geodesy
import PluginKit

/// Finds where two streets meet: the junctions that have a way of either name.
struct StreetCrossings {
    /// The kind of such a place.
    static let kind = "intersection"
    /// Metres within which junctions of the same two streets are one place: a dual carriageway has several.
    private static let same = 60.0
    /// Streets of each name that are tried.
    private static let streets = 12
    /// Longer texts are not parted into two names.
    private static let mostWords = 12
    /// As of a place between streets.
    private static let rank = 6

    let graph: RoutingGraph
    let source: String
    /// The town of a coordinate.
    let town: (Coordinate) throws -> String?

    /// A pair of streets, each by its name.
    private struct Pair: Hashable {
        let first: String
        let second: String
    }

    /// The places that the words of two streets name, wherever the first ends; `streets` finds a street by its words.
    func matches(
        _ query: PlaceQuery, streets: (PlaceQuery) throws -> [PlaceMatch]
    ) throws -> [PlaceMatch] {
        let words = query.words.texts
        guard (2...Self.mostWords).contains(words.count) else { return [] }
        func found(_ words: ArraySlice<String>) throws -> [PlaceMatch] {
            try streets(PlaceQuery(PlaceWords(words.joined(separator: " ")), limit: Self.streets))
        }
        var scores: [Pair: PlaceMatch.Quality] = [:]
        for end in 1..<words.count {
            let first = try found(words[..<end])
            guard !first.isEmpty else { continue }
            let second = try found(words[end...])
            for one in first {
                for other in second where other.name != one.name {
                    let worse = one.score < other.score ? one.quality : other.quality
                    let pair = Pair(first: one.name, second: other.name)
                    if worse.score > scores[pair]?.score ?? 0 { scores[pair] = worse }
                }
            }
        }
        guard !scores.isEmpty else { return [] }
        let nodes = nodes(of: Set(scores.keys.flatMap { [$0.first, $0.second] }))
        var result: [PlaceMatch] = []
        for (pair, quality) in scores {
            let shared = (nodes[pair.first] ?? []).intersection(nodes[pair.second] ?? [])
            for place in places(shared.sorted()) {
                let distance = query.near.map { $0.distance(to: place) }
                if let area = query.area, !area.contains(place) { continue }
                if let radius = query.radius, let distance, distance > radius { continue }
                result.append(
                    PlaceMatch(
                        place: NamedPlace(
                            name: "\(pair.first) / \(pair.second)", kind: Self.kind, source: source,
                            coordinate: place, rank: Self.rank, context: try town(place)),
                        quality: quality, distance: distance))
            }
        }
        return query.best(result)
    }

    /// The junctions of the ways of each name.
    private func nodes(of names: Set<String>) -> [String: Set<Int32>] {
        var known: [Int32: String?] = [:]
        var nodes: [String: Set<Int32>] = [:]
        for edge in 0..<graph.edgeCount where graph.hasName(edge) {
            let number = graph.nameIndex[edge]
            let name: String?
            if let found = known[number] {
                name = found
            } else {
                name = graph.name(of: edge).flatMap { names.contains($0) ? $0 : nil }
                known[number] = name
            }
            guard let name else { continue }
            nodes[name, default: []].formUnion([graph.source[edge], graph.target[edge]])
        }
        return nodes
    }

    /// One place for the junctions near each other: the one nearest to their middle.
    private func places(_ nodes: [Int32]) -> [Coordinate] {
        var groups: [[Coordinate]] = []
        for node in nodes {
            let place = graph.coordinate(of: Int(node))
            if let index = groups.firstIndex(where: { $0.contains { $0.distance(to: place) <= Self.same } }) {
                groups[index].append(place)
            } else {
                groups.append([place])
            }
        }
        return groups.compactMap { group in
            guard let middle = BoundingBox(around: group)?.center else { return nil }
            return group.min {
                ($0.distance(to: middle), $0.latitude, $0.longitude)
                    < ($1.distance(to: middle), $1.latitude, $1.longitude)
            }
        }
    }
}
