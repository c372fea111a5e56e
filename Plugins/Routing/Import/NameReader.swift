import COsmium
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Reads the named things of an OSM file that are no ways to go: peaks, huts, villages, springs, stations.
struct NameReader {
    private let url: URL
    private let progress: ProgressReporter

    init(_ url: URL, progress: ProgressReporter) {
        self.url = url
        self.progress = progress
    }

    /// The named things; with a box only those inside. Throws as reading the ways does.
    func read(bounds: BoundingBox?) throws -> [PlaceNameTable.Entry] {
        let keys = ["name"] + NamedKinds.classes.map(\.key) + NamedKinds.otherNames
        var names = cosm_names()
        defer { cosm_free_names(&names) }
        let reader = OSMReader(url, progress: progress)
        let outcome = CStrings.withPointers(keys) { pointers in
            reader.withProgress("reading names") { function, context in
                cosm_read_names(
                    url.path, pointers, NamedKinds.classes.count, keys.count, function, context, &names)
            }
        }
        try reader.check(outcome)
        let places = try places(of: names, reader)
        return (0..<names.count).compactMap { index in
            guard let place = places[index], bounds?.contains(place) ?? true else { return nil }
            let values = (0..<keys.count).map { text(names, names.values[index * keys.count + $0]) }
            let classes = Array(values[1...NamedKinds.classes.count])
            guard let name = values[0], let (kind, rank) = NamedKinds.kind(classes) else { return nil }
            let others = values[(NamedKinds.classes.count + 1)...].compactMap { $0 }.filter { $0 != name }
            return PlaceNameTable.Entry(
                name: name, kind: kind, rank: rank, coordinate: place, otherNames: others)
        }
    }

    /// Where each thing is: a node's own position, of a way the middle between two of its nodes.
    private func places(of names: cosm_names, _ reader: OSMReader) throws -> [Coordinate?] {
        let refs = UnsafeBufferPointer(start: names.refs, count: 2 * names.count)
        let ids = Array(
            Set((0..<names.count).filter { isWay(names, $0) }.flatMap { refs[2 * $0...2 * $0 + 1] })
        )
        .sorted()
        var latitudes = [Int32](repeating: COSM_UNDEFINED, count: ids.count)
        var longitudes = latitudes
        if !ids.isEmpty {
            var seen: UInt64 = 0
            try reader.check(
                reader.withProgress("reading names") { function, context in
                    cosm_read_nodes(
                        url.path, ids, ids.count, function, context, &latitudes, &longitudes, &seen)
                })
        }
        let numbers = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
        func node(_ id: Int64) -> Coordinate? {
            numbers[id].flatMap { Self.coordinate(latitudes[$0], longitudes[$0]) }
        }
        return (0..<names.count).map { index in
            guard isWay(names, index) else {
                return Self.coordinate(names.positions[2 * index], names.positions[2 * index + 1])
            }
            guard let first = node(refs[2 * index]), let second = node(refs[2 * index + 1]) else {
                return node(refs[2 * index]) ?? node(refs[2 * index + 1])
            }
            return first == second ? first : first.midpoint(to: second)
        }
    }

    private func isWay(_ names: cosm_names, _ index: Int) -> Bool {
        names.positions[2 * index] == COSM_UNDEFINED
    }

    private static func coordinate(_ latitude: Int32, _ longitude: Int32) -> Coordinate? {
        guard latitude != COSM_UNDEFINED else { return nil }
        return Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
    }

    private func text(_ names: cosm_names, _ index: Int32) -> String? {
        guard index >= 0 else { return nil }
        let (start, end) = (names.first_byte[Int(index)], names.first_byte[Int(index) + 1])
        let bytes = UnsafeRawBufferPointer(start: names.bytes + Int(start), count: Int(end - start))
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The names of a network's ways: one for each stretch that hangs together.
enum WayNames {
    /// Pieces of the same name that are no farther from each other than this many degrees are one: about 500 m.
    private static let gap = 0.005

    private struct Piece {
        var name: String
        var highway: String
        var middle: Coordinate
        var count: Int
        var box: BoundingBox
    }

    static func entries(of network: RegionNetwork) -> [PlaceNameTable.Entry] {
        var pieces: [String: [Piece]] = [:]
        for way in network.ways.ways {
            guard let name = way.name, !name.isEmpty else { continue }
            let nodes = network.ways.nodes[way.nodes].filter { $0 >= 0 }
            guard !nodes.isEmpty, let box = BoundingBox(around: nodes.lazy.map(network.nodes.coordinate))
            else { continue }
            let kind = network.ways.verdicts[Int(way.verdict)].kind
            pieces[name, default: []].append(
                Piece(
                    name: name, highway: kind.highway ?? "way",
                    middle: network.nodes.coordinate(nodes[nodes.count / 2]), count: nodes.count, box: box))
        }
        return pieces.keys.sorted().flatMap { joined(pieces[$0] ?? []) }.map { piece in
            PlaceNameTable.Entry(
                name: piece.name, kind: piece.highway,
                rank: NamedKinds.highways[piece.highway] ?? NamedKinds.otherHighway, coordinate: piece.middle)
        }
    }

    /// Pieces whose boxes touch become one, at the middle of its longest piece.
    private static func joined(_ pieces: [Piece]) -> [Piece] {
        var result: [Piece] = []
        for piece in pieces {
            var whole = piece
            var longest = piece.count
            // Joining can bring two stretches together that were apart.
            while let index = result.firstIndex(where: { touch($0.box, whole.box) }) {
                let other = result.remove(at: index)
                if other.count >= longest {
                    longest = other.count
                    (whole.middle, whole.highway) = (other.middle, other.highway)
                }
                whole.count = longest
                whole.box = BoundingBox(
                    south: min(whole.box.south, other.box.south), west: min(whole.box.west, other.box.west),
                    north: max(whole.box.north, other.box.north), east: max(whole.box.east, other.box.east))
            }
            result.append(whole)
        }
        return result
    }

    private static func touch(_ a: BoundingBox, _ b: BoundingBox) -> Bool {
        a.south - gap <= b.north && b.south - gap <= a.north && a.west - gap <= b.east
            && b.west - gap <= a.east
    }
}
