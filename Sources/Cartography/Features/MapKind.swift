import Core

/// The kind of a map feature, such as a wood or a stream, with the tags that define it.
public struct MapKind: Sendable, Hashable {
    /// The geometry of a kind.
    public enum Shape: String, Sendable, Hashable, CaseIterable {
        /// An area.
        case area = "areas"
        /// A line.
        case line = "lines"
        /// A point.
        case point = "points"
    }

    /// Its name in styles.
    public let name: String
    /// Its geometry.
    public let shape: Shape
    /// The minimum zoom at which it is stored.
    public let zoom: Int
    /// Alternatives of conditions that must all be met.
    let alternatives: [[TagCondition]]

    /// A condition on a tag.
    struct TagCondition: Sendable, Hashable {
        var key: String
        /// The accepted values; empty for any.
        var values: Set<String>
        /// Whether the tag must be absent instead.
        var isAbsent: Bool
        /// Whether the values are those that it must not have.
        var isExcluding = false

        init(_ text: Substring) {
            if text.hasPrefix("!") {
                (key, values, isAbsent) = (String(text.dropFirst()), [], true)
                return
            }
            let sides = text.split(separator: "=", maxSplits: 1)
            let name = sides.first ?? ""
            isExcluding = name.hasSuffix("!")
            key = String(isExcluding ? name.dropLast() : name)
            let list = sides.count > 1 ? sides[1] : "*"
            values = list == "*" ? [] : Set(list.split(separator: "|").map(String.init))
            isAbsent = false
        }

        func holds(_ tags: [String: String]) -> Bool {
            guard let value = tags[key] else { return isAbsent || isExcluding }
            if isExcluding { return !accepts(value) }
            if isAbsent || value == "no" { return false }
            guard values.isEmpty else { return accepts(value) }
            return TagWord.isUsual(value) || TagWord.usual(value) != "no"
        }

        /// Whether a value, or one of a list such as `hotel;alpine_hut`, is among the values, also in another spelling.
        private func accepts(_ value: String) -> Bool {
            if values.contains(value) { return true }
            if TagWord.isUsual(value) { return false }
            func contains(_ list: String) -> Bool {
                list.split(separator: ";").contains { part in
                    values.contains(String(part.trimmingPrefix(" ")))
                }
            }
            return contains(value) || contains(TagWord.usual(value))
        }
    }

    func matches(_ tags: [String: String]) -> Bool {
        alternatives.contains { conditions in conditions.allSatisfy { $0.holds(tags) } }
    }
}

/// All kinds, as the file of kinds lists them.
public enum MapKinds {
    /// Every kind, in the order of the file.
    public static let all: [MapKind] = parse(
        String(decoding: PackageResources.kinds_txt, as: UTF8.self))

    /// The kind with a name.
    static let byName: [String: Int] = Dictionary(
        all.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// The kinds of lines for walking, cycling or driving.
    static let isRoad: [Bool] = all.map { kind in
        kind.shape == .line && kind.alternatives.allSatisfy { $0.first?.key == "highway" }
    }

    /// The kinds of places that people live in, whose value is their population.
    static let isSettlement: [Bool] = all.map { kind in
        kind.shape == .point && kind.alternatives.allSatisfy { $0.first?.key == "place" }
    }

    /// The kinds of ways on which walkers are at home, such as paths and tracks.
    static let isWalkers: [Bool] = all.map { kind in
        kind.shape == .line
            && kind.alternatives.allSatisfy { conditions in
                conditions.first.map { $0.key == "highway" && !$0.values.isDisjoint(with: walkers) } ?? false
            }
    }
    private static let walkers: Set<String> = [
        "path", "footway", "steps", "track", "bridleway", "pedestrian", "via_ferrata",
    ]

    /// The kinds of points that are part of the ground or seen from afar, whoever may enter them.
    static let isLandmark: [Bool] = all.map { kind in
        kind.shape == .point
            && kind.alternatives.allSatisfy { $0.first.map { landmarks.contains($0.key) } ?? false }
    }
    private static let landmarks: Set<String> = [
        "natural", "waterway", "place", "mountain_pass", "historic", "man_made",
    ]

    /// The sea: derived from coastlines, not from tags.
    static let sea = "sea"
    static let coastline = "coastline"

    /// The keys of tags that define kinds, in order.
    public static let keys: [String] = {
        let conditions = all.flatMap(\.alternatives).compactMap(\.first)
        return Set(conditions.map(\.key)).sorted()
    }()

    /// The keys that decide the kind: `keys`, then those of further conditions.
    public static let deciding: [String] = {
        let further = all.flatMap(\.alternatives).flatMap { $0.dropFirst() }.map(\.key)
        return keys + Set(further + ["area"]).subtracting(keys).sorted()
    }()

    /// The keys whose values are drawn, whatever the kind.
    public static let drawn = [
        "abandoned", "access", "basin", "bridge", "capital", "demolished", "destroyed", "disused", "ele",
        "foot",
        "intermittent", "layer", "name", "operational_status", "population", "razed", "ref", "removed",
        "ruined",
        "ruins", "seasonal", "tunnel", "waterway",
    ]

    /// All keys that are read of stored features, the deciding ones first.
    public static let read: [String] = deciding + drawn.filter { !deciding.contains($0) }

    private static func parse(_ text: String) -> [MapKind] {
        var kinds: [MapKind] = []
        var shape = MapKind.Shape.area
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            if first.hasPrefix("[") {
                shape = MapKind.Shape(rawValue: String(first.dropFirst().dropLast())) ?? shape
                continue
            }
            guard words.count > 2, let zoom = Int(words[1]) else { continue }
            let alternatives = words.dropFirst(2).map {
                $0.split(separator: "&").map(MapKind.TagCondition.init)
            }
            kinds.append(
                MapKind(name: String(first), shape: shape, zoom: zoom, alternatives: alternatives))
        }
        return kinds
    }
}

/// The levels of detail of stored features: each level serves some zooms.
enum MapLevel {
    /// The levels from the coarsest: maximum zoom served, zoom of the cells that features are grouped in,
    /// bits of a rounded coordinate.
    static let all: [(nearest: Int, cells: Int, bits: Int)] = [
        (9, 7, 21), (11, 9, 23), (13, 11, 25), (22, 13, 28),
    ]

    /// The level that serves a zoom.
    static func serving(_ zoom: Double) -> Int {
        let whole = Int(zoom.rounded(.down))
        return all.firstIndex { whole <= $0.nearest } ?? all.count - 1
    }

    /// The side of the world in stored units, as a power of two.
    static let worldBits = 30
    /// The same as a number.
    static let world = Double(1 << worldBits)

    /// The tolerance of simplification, in stored units: half a pixel at the maximum zoom served, and about
    /// a pixel of zoom 18 in full detail.
    static func tolerance(_ level: Int) -> Double {
        level == all.count - 1
            ? world / Double(256 << 17) * 0.4 : world / Double(256 << all[level].nearest) * 0.5
    }
}
