import Geodesy
import PluginKit

/// Ways that end where another way has a node of its own: they look joined, and no route leads from one to the other.
struct UnjoinedNodes {
    /// The coordinates of such ends, in the order of the nodes, each once.
    private(set) var places: [Coordinate] = []

    /// Finds them among the nodes of kept ways; positions are in units of 1e-7 degrees, as in a file.
    init(_ ways: WayTable, latitude: [Int32], longitude: [Int32]) {
        var uses = [UInt8](repeating: 0, count: latitude.count)
        for node in ways.nodes where node >= 0 { uses[Int(node)] = min(2, uses[Int(node)] + 1) }
        func position(_ node: Int) -> Int64 {
            Int64(latitude[node]) << 32 | Int64(UInt32(bitPattern: longitude[node]))
        }
        var ends: [Int64: Int] = [:]
        for way in ways.ways {
            for place in [way.nodes.lowerBound, way.nodes.upperBound - 1] where way.nodes.contains(place) {
                let node = Int(ways.nodes[place])
                guard node >= 0, uses[node] == 1 else { continue }
                let key = position(node)
                // A way with two nodes at one place ends at itself.
                let beside = place == way.nodes.lowerBound ? place + 1 : place - 1
                if way.nodes.contains(beside), ways.nodes[beside] >= 0,
                    position(Int(ways.nodes[beside])) == key
                {
                    continue
                }
                ends[key] = min(ends[key] ?? node, node)
            }
        }
        guard !ends.isEmpty else { return }
        for node in uses.indices where uses[node] > 0 {
            let key = position(node)
            guard let end = ends[key], end != node else { continue }
            ends[key] = nil
            places.append(
                Coordinate(latitude: Double(latitude[node]) / 1e7, longitude: Double(longitude[node]) / 1e7))
        }
    }

    /// What an import says of them; `nil` if there are none.
    var notice: String? {
        places.first.map { first in
            "\(places.count, of: "place") where a way ends and another has a node of its own, so that no route leads across: "
                + (places.count > 1 ? "the first " : "") + "at \(Literal.coordinate(first))"
        }
    }
}
