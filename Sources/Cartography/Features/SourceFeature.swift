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
    /// Its tags, of the keys that are read.
    public var tags: [String: String]
    /// Whether its parts are rings.
    public var isClosed: Bool
    /// Whether nodes or members are missing, or rings do not close.
    public var isBroken: Bool
    /// Latitude and longitude in turn, in 1e-7 degrees, by part.
    public var parts: [[Int32]]

    /// Makes a feature.
    public init(
        origin: Origin, tags: [String: String], isClosed: Bool, isBroken: Bool = false, parts: [[Int32]]
    ) {
        self.origin = origin
        self.tags = tags
        self.isClosed = isClosed
        self.isBroken = isBroken
        self.parts = parts
    }

    /// The kinds that it is, with the shape of each.
    func kinds() -> [Int] {
        guard !tags.isEmpty else { return [] }
        func first(_ shape: MapKind.Shape) -> Int? {
            MapKinds.all.indices.first {
                MapKinds.all[$0].shape == shape && MapKinds.all[$0].matches(tags)
            }
        }
        switch origin {
        case .node: return [first(.point)].compactMap { $0 }
        case .way:
            let area = isClosed && tags["area"] != "no" ? first(.area) : nil
            let line = tags["area"] == "yes" ? nil : first(.line)
            // A coast may be a border too, or a road on a quay; without it the sea would run in.
            let coast = MapKinds.byName[MapKinds.coastline].flatMap {
                line != $0 && MapKinds.all[$0].matches(tags) ? $0 : nil
            }
            // A closed way stands for its place too, such as the building of a hut.
            let point = isClosed ? first(.point) : nil
            return [area, line, coast, point].compactMap { $0 }
        case .relation: return [first(.area), first(.point)].compactMap { $0 }
        }
    }

    /// Whether it would be an area if it were whole.
    var lacksArea: Bool {
        isBroken && !isClosed && origin == .way
            && MapKinds.all.contains { $0.shape == .area && $0.matches(tags) }
            && !MapKinds.all.contains { $0.shape == .line && $0.matches(tags) }
    }
}
