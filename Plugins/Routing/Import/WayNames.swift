import Geodesy
import PluginKit
import TurnInstructions

/// Names of a network's ways, for regions without a map: one for each connected stretch.
enum WayNames {
    /// The kind of a way without a known `highway`.
    static let unknownKind = "way"

    /// A name as it is said: several that are listed with semicolons are apart; `nil` if there is nothing between these.
    static func spoken(_ name: String) -> String? {
        guard name.contains(";") else { return name }
        let names = name.split(separator: ";").map { String($0).inOneLine }.filter { !$0.isEmpty }
        return names.isEmpty ? nil : names.joined(separator: TurnSettings.nameSeparator)
    }

    static func entries(of network: RegionNetwork) -> [PlaceIndex.Entry] {
        var pieces: [String: [LineJoiner.Piece]] = [:]
        for way in network.ways.ways {
            guard let name = network.ways.name(of: way), !name.isEmpty else { continue }
            let nodes = network.ways.nodes[way.nodes].filter { $0 >= 0 }
            guard !nodes.isEmpty, let box = BoundingBox(around: nodes.lazy.map(network.nodes.coordinate))
            else { continue }
            let kind = network.ways.verdicts[Int(way.verdict)].kind.highway ?? unknownKind
            pieces[name, default: []].append(
                LineJoiner.Piece(
                    kind: kind, rank: NamedKinds.highways[kind] ?? NamedKinds.otherHighway,
                    middle: network.nodes.coordinate(nodes[nodes.count / 2]), count: nodes.count, box: box))
        }
        return pieces.keys.sorted().flatMap { name in
            LineJoiner.joined(pieces[name] ?? []).map { piece in
                PlaceIndex.Entry(name: name, kind: piece.kind, rank: piece.rank, coordinate: piece.middle)
            }
        }
    }
}
