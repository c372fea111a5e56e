import Geodesy
import PluginKit
import TrailStores

/// The names of a network's ways: one for each stretch that hangs together.
enum WayNames {
    /// Pieces of the same name that are no farther from each other than this many degrees are one: about 500 m.
    private static let gap = 0.005

    /// What a way is whose `highway` is not known.
    static let unknownKind = "way"

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
                    name: name, highway: kind.highway ?? unknownKind,
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
