import Geodesy

/// An OpenStreetMap object, before it becomes a map feature.
public struct SourceFeature: Sendable {
    /// The type of its OSM object.
    public enum Origin: Sendable, Hashable {
        /// A node.
        case node
        /// A way; a ring if it is closed.
        case way
        /// A multipolygon, assembled.
        case relation
    }

    /// The type of its OSM object.
    public var origin: Origin
    /// Its tags, of the keys that are read; with a verdict only those of `MapKinds.drawn` are used.
    public var tags: [String: String]
    /// Whether its parts are rings.
    public var isClosed: Bool
    /// Whether nodes or members are missing, or rings are open.
    public var isBroken: Bool
    /// Whether ways around its holes are tagged like it, as was usual before 2012: they are holes nevertheless.
    public var repeatsTags: Bool
    /// Its class, if already known.
    var known: MapVerdict?

    /// Creates a feature.
    public init(
        origin: Origin, tags: [String: String], isClosed: Bool, isBroken: Bool = false,
        repeatsTags: Bool = false, known: MapVerdict? = nil
    ) {
        self.origin = origin
        self.tags = tags
        self.isClosed = isClosed
        self.isBroken = isBroken
        self.repeatsTags = repeatsTags
        self.known = known
    }

    /// Its class.
    var verdict: MapVerdict { known ?? MapVerdict(tags, origin: origin, isClosed: isClosed) }
}

/// The coordinates of an object by part, borrowed from a reader: valid only during a call.
public struct SourceLines {
    /// The number of parts.
    public let count: Int
    /// The start of each part; one more than there are parts.
    private let firstPoint: UnsafePointer<Int>
    /// Alternating latitude and longitude in 1e-7 degrees.
    private let points: UnsafePointer<Int32>

    /// A view of borrowed coordinates.
    public init(count: Int, firstPoint: UnsafePointer<Int>, points: UnsafePointer<Int32>) {
        (self.count, self.firstPoint, self.points) = (count, firstPoint, points)
    }

    /// A part.
    struct Part {
        fileprivate let points: UnsafePointer<Int32>
        let count: Int

        subscript(index: Int) -> Coordinate {
            Coordinate(
                latitude: Double(points[2 * index]) / 1e7, longitude: Double(points[2 * index + 1]) / 1e7)
        }
    }

    subscript(part: Int) -> Part {
        Part(points: points + 2 * firstPoint[part], count: firstPoint[part + 1] - firstPoint[part])
    }
}

/// The class of an object by its tags: the same for all objects of a type with the same tags.
public struct MapVerdict: Sendable {
    /// Its kinds, at most one per geometry.
    let kinds: [Int]
    /// Whether it would be an area if it were complete, and nothing else.
    private let isOpenArea: Bool

    /// Classifies by the tags of `MapKinds.deciding`.
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
            // A coast may also be a border, or a road on a quay; without it the sea would flood the land.
            let coast = MapKinds.byName[MapKinds.coastline].flatMap {
                line != $0 && MapKinds.all[$0].matches(tags) ? $0 : nil
            }
            // A closed way also represents a point, such as the building of a hut.
            let point = isClosed ? first(.point) : nil
            kinds = [area, line, coast, point].compactMap { $0 }
        case .relation: kinds = [first(.area), first(.point)].compactMap { $0 }
        }
    }

    /// Whether an object is an incomplete area and nothing else.
    func lacksArea(isBroken: Bool) -> Bool { isBroken && isOpenArea }

    /// Whether a map shows such an object.
    public func matters(isBroken: Bool) -> Bool { !kinds.isEmpty || lacksArea(isBroken: isBroken) }
}
