import Geodesy

/// A thing as OpenStreetMap describes it, before it is drawn.
public struct SourceFeature: Sendable {
    /// Where it comes from.
    public enum Origin: Sendable, Hashable {
        /// A node.
        case node
        /// A way; its own ring where it is closed.
        case way
        /// A multipolygon, assembled.
        case relation
    }

    /// Where it comes from.
    public var origin: Origin
    /// Its tags, of the keys that are read; with a verdict only those of `MapKinds.drawn` count.
    public var tags: [String: String]
    /// Whether its parts are rings.
    public var isClosed: Bool
    /// Whether nodes or members are missing, or rings do not close.
    public var isBroken: Bool
    /// Latitude and longitude in turn, in 1e-7 degrees, by part.
    public var parts: [[Int32]]
    /// What it is, where that is known already.
    var known: MapVerdict?

    /// Makes a feature.
    public init(
        origin: Origin, tags: [String: String], isClosed: Bool, isBroken: Bool = false, parts: [[Int32]],
        known: MapVerdict? = nil
    ) {
        self.origin = origin
        self.tags = tags
        self.isClosed = isClosed
        self.isBroken = isBroken
        self.parts = parts
        self.known = known
    }

    /// What it is.
    var verdict: MapVerdict { known ?? MapVerdict(tags, origin: origin, isClosed: isClosed) }
}

/// What a thing is on a map, by its tags: the same for all things of one origin with the same tags.
public struct MapVerdict: Sendable {
    /// The kinds that it is, one of a shape at most.
    let kinds: [Int]
    /// Whether it would be an area if it were whole, and is nothing else.
    private let isOpenArea: Bool

    /// Looks at the tags of `MapKinds.deciding`.
    public init(_ tags: [String: String], origin: SourceFeature.Origin, isClosed: Bool) {
        func first(_ shape: MapKind.Shape) -> Int? {
            MapKinds.all.indices.first {
                MapKinds.all[$0].shape == shape && MapKinds.all[$0].matches(tags)
            }
        }
        isOpenArea = origin == .way && !isClosed && first(.area) != nil && first(.line) == nil
        guard !tags.isEmpty else {
            kinds = []
            return
        }
        switch origin {
        case .node: kinds = [first(.point)].compactMap { $0 }
        case .way:
            let area = isClosed && tags["area"] != "no" ? first(.area) : nil
            let line = tags["area"] == "yes" ? nil : first(.line)
            // A coast may be a border too, or a road on a quay; without it the sea would run in.
            let coast = MapKinds.byName[MapKinds.coastline].flatMap {
                line != $0 && MapKinds.all[$0].matches(tags) ? $0 : nil
            }
            // A closed way stands for its place too, such as the building of a hut.
            let point = isClosed ? first(.point) : nil
            kinds = [area, line, coast, point].compactMap { $0 }
        case .relation: kinds = [first(.area), first(.point)].compactMap { $0 }
        }
    }

    /// Whether a thing is an area that misses a part of its edge, and nothing else.
    func lacksArea(isBroken: Bool) -> Bool { isBroken && isOpenArea }

    /// Whether a map tells anything of such a thing.
    public func matters(isBroken: Bool) -> Bool { !kinds.isEmpty || lacksArea(isBroken: isBroken) }
}
