/// Properties that change the drawing of a feature.
struct MapFlags: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    static let bridge = MapFlags(rawValue: 1)
    static let tunnel = MapFlags(rawValue: 2)
    static let isPrivate = MapFlags(rawValue: 4)
    static let intermittent = MapFlags(rawValue: 8)
    static let hasName = MapFlags(rawValue: 16)
    static let hasValue = MapFlags(rawValue: 32)
    static let hasPlace = MapFlags(rawValue: 64)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The flags of a kind's tags; those of geometry are set when it is stored.
    init(_ tags: [String: String], kind: Int) {
        let use = MapUse(tags: tags)
        var flags: MapFlags = []
        if use.isSet("bridge") { flags.insert(.bridge) }
        if use.isSet("tunnel") { flags.insert(.tunnel) }
        if use.isClosed(kind) { flags.insert(.isPrivate) }
        if use.isIntermittent { flags.insert(.intermittent) }
        self = flags
    }
}

/// What tags say of the use of a feature, as far as it changes the drawing.
struct MapUse {
    let tags: [String: String]

    /// Values of access that keep walkers off a way; the others are open or doubtful. The values are those by which routes
    /// are planned.
    private static let closing: Set<String> = [
        "no", "private", "military", "forestry", "agricultural", "customers", "permit", "delivery",
        "residents",
        "emergency", "employees", "staff",
    ]
    /// Those that keep everybody away from a hut, a spring or a car park: guests and customers may use it.
    private static let shutting: Set<String> = ["no", "private", "military", "employees", "staff"]
    /// Keys by which something is out of use, or in ruins.
    private static let ended = [
        "abandoned", "demolished", "destroyed", "disused", "razed", "removed", "ruined", "ruins",
    ]
    /// Basins that hold water after rain alone (as openstreetmap-carto draws them).
    private static let dryBasins: Set<String> = ["detention", "infiltration"]

    func isSet(_ key: String) -> Bool { tags[key].map { $0 != "no" } ?? false }

    /// Whether walkers may not use a feature of a kind, or nobody does: it is drawn pale, or without its symbol.
    func isClosed(_ kind: Int) -> Bool {
        if MapKinds.isLandmark[kind] { return false }
        if Self.ended.contains(where: isSet) { return true }
        if let status = tags["operational_status"], TagWord.isOutOfOrder(status) { return true }
        // A road closed to all but walkers is theirs; a road that is closed to walkers is still a road.
        let isPlain = MapKinds.all[kind].shape == .line && !MapKinds.isWalkers[kind]
        let values = MapKinds.all[kind].shape == .point ? Self.shutting : Self.closing
        if let foot = tags["foot"], !isPlain || !values.contains(foot) { return values.contains(foot) }
        return tags["access"].map(values.contains) ?? false
    }

    /// Whether it holds water at times only.
    var isIntermittent: Bool {
        isSet("intermittent") || isSet("seasonal") || tags["waterway"] == "wadi"
            || tags["basin"].map(Self.dryBasins.contains) ?? false
    }
}

/// A stored coordinate: units of 1/2^30 of the world's side, x from 180° west, y from the north.
struct MapPoint: Sendable, Hashable {
    var x: Int32
    var y: Int32
}

/// A box of stored coordinates, edges included.
struct MapBox: Sendable, Hashable {
    var minX = Int32.max
    var minY = Int32.max
    var maxX = Int32.min
    var maxY = Int32.min

    var isEmpty: Bool { minX > maxX }
    var width: Int { Int(maxX) - Int(minX) }
    var height: Int { Int(maxY) - Int(minY) }

    mutating func add(_ point: MapPoint) {
        minX = min(minX, point.x)
        minY = min(minY, point.y)
        maxX = max(maxX, point.x)
        maxY = max(maxY, point.y)
    }

    func meets(_ other: MapBox) -> Bool {
        minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
    }

    mutating func add(_ other: MapBox) {
        minX = min(minX, other.minX)
        minY = min(minY, other.minY)
        maxX = max(maxX, other.maxX)
        maxY = max(maxY, other.maxY)
    }
}

/// A map feature with its coordinates.
struct DrawnFeature: Sendable, Hashable {
    /// The index among `MapKinds.all`.
    var kind: Int
    var flags: MapFlags
    /// Positive for bridges, negative for tunnels.
    var layer: Int
    var name: String?
    /// Height in hundredths of a metre of a peak or hut, population of a place, the area of a water body.
    var value: Int?
    /// The label position of an area.
    var place: MapPoint?
    var parts: [[MapPoint]]
    var box: MapBox

    /// The feature in an adjacent copy of the world.
    func moved(by shift: Int32) -> DrawnFeature {
        func moved(_ point: MapPoint) -> MapPoint { MapPoint(x: point.x + shift, y: point.y) }
        var copy = self
        copy.place = place.map(moved)
        copy.parts = parts.map { $0.map(moved) }
        copy.box.minX += shift
        copy.box.maxX += shift
        return copy
    }
}
