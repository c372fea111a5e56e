/// Columns are read without a check in every loop, so what is in a mapped file is checked once when it is opened.
extension RoutingGraph {
    /// The graph of a file; `nil` where a section has another length or leads out of another one.
    convenience init?(mapped image: MemoryImage) {
        let texts = image.column(Tag.texts.rawValue, as: UInt8.self)
        guard image.column(Tag.textOffsets.rawValue, as: Int32.self).divides(texts.count) else { return nil }
        self.init(image: image)
        guard hasSoundNodes, hasSoundEdges, trailSet.lies(from: -1, below: textCount) else { return nil }
    }

    private var hasSoundNodes: Bool {
        [latitude.count, longitude.count, elevation.count, nodesByID.count].allSatisfy { $0 == nodeCount }
            && space.count == 3 * nodeCount && nodesByID.lies(below: nodeCount)
            && firstArc.count == nodeCount + 1 && firstArc.divides(arcs.count)
            && arcs.buffer.allSatisfy {
                (0..<nodeCount).contains(Int($0.head)) && (0..<edgeCount).contains($0.edge)
            }
    }

    private var hasSoundEdges: Bool {
        let counts = [
            target.count, edgeID.count, wayID.count, distance.count, gain.count, loss.count, cost.count,
            reverseCost.count, kind.count, nameIndex.count, boxItems.count, trailSet.count,
        ]
        return counts.allSatisfy { $0 == edgeCount }
            && source.lies(below: nodeCount) && target.lies(below: nodeCount)
            && kind.lies(below: kinds.count) && boxItems.lies(below: edgeCount)
            && firstPoint.count == edgeCount + 1 && firstPoint.divides(points.count)
            && boxes.count == PackedTree.levels(items: edgeCount).last
    }
}

extension Hierarchy {
    /// Whether every section has the length that a graph asks for, and none leads out of another one.
    func isSound(for graph: RoutingGraph) -> Bool {
        let count = graph.nodeCount
        return rank.count == count && rank.lies(below: count)
            && node.count == count && node.lies(below: count)
            && firstUp.count == count + 1 && firstUp.divides(heads.count)
            && heads.lies(below: count) && leadsUpwards
            && edgeArc.count == graph.edgeCount && edgeArc.lies(from: -1, below: heads.count)
    }

    /// Whether the arcs of each rank lead to higher ones: climbing to the parent would not end otherwise.
    private var leadsUpwards: Bool {
        (0..<nodeCount).allSatisfy { rank in
            (Int(firstUp[rank])..<Int(firstUp[rank + 1])).allSatisfy { Int(heads[$0]) > rank }
        }
    }
}

extension Column where Element == Int32 {
    /// Whether all values lie in a range.
    fileprivate func lies(from low: Int32 = 0, below end: Int) -> Bool {
        buffer.allSatisfy { $0 >= low && Int($0) < end }
    }

    /// Whether the values begin with 0, never fall, and end with a count: where the parts of a section begin.
    fileprivate func divides(_ end: Int) -> Bool {
        guard count > 0, self[0] == 0, Int(self[count - 1]) == end else { return false }
        return zip(buffer, buffer.dropFirst()).allSatisfy { $0 <= $1 }
    }
}
