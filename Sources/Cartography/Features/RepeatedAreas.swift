/// Areas that are in a file twice: as a closed way, and as a multipolygon whose outer edge that way is.
///
/// Many edges of lakes are tagged like the lake. The way knows nothing of the islands, and would be drawn over them: where
/// both are of one kind, the multipolygon is the area. Before 2012 the edges of islands were tagged like the lake, too.
struct RepeatedAreas: Sendable {
    /// The multipolygons with holes, by their indexes among the areas.
    private var holed: [Int] = []
    /// Those of them whose holes have ways with their tags.
    private var repeating: Set<Int> = []

    private struct Outline: Hashable {
        let kind: UInt16
        let count: Int
        let sum: Int
        let product: Int

        /// The same for one ring from whichever point and in whichever direction it runs.
        init(_ ring: some Collection<MapPoint>, kind: UInt16) {
            self.kind = kind
            let points = ring.dropFirst()
            count = points.count
            sum = points.reduce(0) { $0 &+ Int($1.x) &+ Int($1.y) << 31 }
            product = points.reduce(0) { $0 &+ (Int($1.x) &* Int($1.y)) &* (Int($1.x) ^ 0x9E37_79B9) }
        }
    }

    /// Notes an area that is about to be added with an index; its rings are those of the only feature of `rings`.
    mutating func note(_ index: Int, _ source: SourceFeature, rings: PackedFeatures) {
        guard source.origin == .relation, rings.parts(of: 0).count > 1 else { return }
        holed.append(index)
        if source.repeatsTags { repeating.insert(index) }
    }

    /// The features without those of one ring that are an edge of a multipolygon of their kind: an outer one, or any of a
    /// multipolygon whose tags they repeat.
    func removed(from features: PackedFeatures) -> PackedFeatures {
        var edges: Set<Outline> = []
        for feature in holed {
            let rings = features.parts(of: feature).map { Array(features.part($0)) }
            let areas = rings.map(RingMeasures.doubleArea)
            // Outer rings run one way round, holes the other.
            guard let largest = areas.max(by: { abs($0) < abs($1) }) else { continue }
            let isOriented = areas.contains { ($0 < 0) != (largest < 0) }
            for (ring, area) in zip(rings, areas)
            where repeating.contains(feature)
                || (isOriented ? (area < 0) == (largest < 0) : area == largest)
            {
                edges.insert(Outline(ring, kind: features.heads[feature].kind))
            }
        }
        guard !edges.isEmpty else { return features }
        let counts = Set(edges.map(\.count))
        func isRepeated(_ feature: Int) -> Bool {
            let parts = features.parts(of: feature)
            guard parts.count == 1, counts.contains(features.pointCount(of: parts.lowerBound) - 1) else {
                return false
            }
            return edges.contains(
                Outline(features.part(parts.lowerBound), kind: features.heads[feature].kind))
        }
        guard (0..<features.count).contains(where: isRepeated) else { return features }
        var kept = PackedFeatures()
        for feature in 0..<features.count where !isRepeated(feature) {
            kept.begin(features.heads[feature])
            for part in features.parts(of: feature) { features.withPart(part) { kept.add($0) } }
        }
        return kept
    }
}
