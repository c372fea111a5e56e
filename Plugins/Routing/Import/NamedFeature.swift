import COsmium
import Geodesy
import PluginKit

/// A named feature of a map file that is not a way: a peak, a hut, a village, a spring, a station.
struct NamedFeature {
    private let name: String
    private let kind: String
    private let rank: Int
    private let otherNames: [String]
    /// Where it is, when the file says so at once: of a node, or of a way whose nodes have positions there.
    let place: Coordinate?
    /// Two nodes of a way, in whose middle it lies.
    let nodes: [Int64]

    /// The tags read: name, kind, further names.
    private static let keys = ["name"] + NamedKinds.classes.map(\.key) + NamedKinds.otherNames

    /// Lends the tags to the library.
    static func withKeys(_ body: (UnsafePointer<cosm_name_keys>) -> cosm_result) -> cosm_result {
        CStrings.withPointers(keys) { pointers in
            var keys = cosm_name_keys(
                keys: pointers, kind_count: NamedKinds.classes.count, key_count: Self.keys.count)
            return withUnsafePointer(to: &keys, body)
        }
    }

    /// The features found by the library, without ignored kinds.
    static func all(_ names: cosm_names) -> [NamedFeature] {
        (0..<names.count).compactMap { NamedFeature(names, $0) }
    }

    private init?(_ names: cosm_names, _ index: Int) {
        func value(_ key: Int) -> String? {
            let text = names.values[index * Self.keys.count + key]
            guard text >= 0 else { return nil }
            let (start, end) = (names.first_byte[Int(text)], names.first_byte[Int(text) + 1])
            let bytes = UnsafeRawBufferPointer(start: names.bytes + Int(start), count: Int(end - start))
            return String(decoding: bytes, as: UTF8.self)
        }
        let kinds = 1..<1 + NamedKinds.classes.count
        guard let name = value(0), let (kind, rank) = NamedKinds.kind(kinds.map(value)) else { return nil }
        (self.name, self.kind, self.rank) = (name, kind, rank)
        otherNames = (kinds.upperBound..<Self.keys.count).compactMap(value).filter { $0 != name }
        place = Self.coordinate(names.positions[2 * index], names.positions[2 * index + 1])
        nodes = [names.refs[2 * index], names.refs[2 * index + 1]]
    }

    /// The names of things; with a box only those inside. `ends` are the two nodes of each that has no place yet, in
    /// the same order; one whose nodes are both missing is left out.
    static func entries(
        _ things: [NamedFeature], ends: [Coordinate?], _ bounds: BoundingBox?
    ) -> [PlaceIndex.Entry] {
        var next = ends.startIndex
        return things.compactMap { thing in
            var place = thing.place
            if place == nil, next + 1 < ends.endIndex {
                place = middle(ends[next], ends[next + 1])
                next += thing.nodes.count
            }
            guard let place, bounds?.contains(place) ?? true else { return nil }
            return PlaceIndex.Entry(
                name: thing.name, kind: thing.kind, rank: thing.rank, coordinate: place,
                otherNames: thing.otherNames)
        }
    }

    /// A position from the library; `nil` if unknown.
    static func coordinate(_ latitude: Int32, _ longitude: Int32) -> Coordinate? {
        guard latitude != COSM_UNDEFINED else { return nil }
        return Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
    }

    private static func middle(_ first: Coordinate?, _ second: Coordinate?) -> Coordinate? {
        guard let first, let second else { return first ?? second }
        return first == second ? first : first.midpoint(to: second)
    }
}
