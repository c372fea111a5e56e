/// Columns are read without bounds checks on their values, so a mapped file is validated as it is read: the
/// checksum of a block, and that its values are valid indexes of other sections.
extension RoutingGraph {
    /// The graph of a file; `nil` if a section has an unexpected length.
    convenience init?(mapped image: MemoryImage) {
        self.init(image: image)
        guard hasSoundNodes, hasSoundEdges else { return nil }
        let (nodes, edges, arcs, points, kinds) = (nodeCount, edgeCount, arcs.count, points.count, kindCount)
        let (texts, letters) = (texts.count, texts.bytes.count)
        for tag in [Tag.nodesByID, .source, .target] { image.expect(tag) { $0.lies(below: nodes) } }
        image.expect(Tag.kind) { $0.lies(below: kinds) }
        image.expect(Tag.boxItems) { $0.lies(below: edges) }
        image.expect(Tag.trailSet) { $0.lies(from: -1, below: texts) }
        image.expect(Tag.firstArc) { $0.rises(to: arcs) }
        image.expect(Tag.firstPoint) { $0.rises(to: points) }
        image.expect(Tag.textOffsets) { $0.rises(to: letters) }
        let (corners, areaWays) = (areaCorners.count, areaWays.count)
        image.expect(Tag.areas.rawValue, as: CrossedAreaRow.self) { block, _ in
            block.allSatisfy {
                (0..<edges).contains(Int($0.edge)) && $0.first >= 0 && $0.count > 0
                    && Int($0.first) + Int($0.count) <= corners
                    && $0.firstWay >= 0 && $0.wayCount >= 0 && Int($0.firstWay) + Int($0.wayCount) <= areaWays
            }
        }
        image.expect(Tag.areaCorners.rawValue, as: CrossedAreaCorner.self) { block, _ in
            block.allSatisfy { (-1..<nodes).contains(Int($0.node)) }
        }
        image.expect(Tag.arcs.rawValue, as: Arc.self) { block, _ in
            block.allSatisfy { (0..<nodes).contains(Int($0.head)) && (0..<edges).contains($0.edge) }
        }
    }

    private var hasSoundNodes: Bool {
        [latitude.count, longitude.count, elevation.count, nodesByID.count].allSatisfy { $0 == nodeCount }
            && space.count == 3 * nodeCount && firstArc.count == nodeCount + 1
            && arcs.count == 2 * edgeCount && (edgeCount == 0 || nodeCount > 0)
            && limits.count == (nodeCount > 0 ? 4 : 0)
    }

    private var hasSoundEdges: Bool {
        let counts = [
            target.count, edgeID.count, wayID.count, distance.count, gain.count, loss.count, cost.count,
            reverseCost.count, kind.count, nameIndex.count, boxItems.count, trailSet.count,
        ]
        return counts.allSatisfy { $0 == edgeCount } && (edgeCount == 0 || kindCount > 0)
            && firstPoint.count == edgeCount + 1 && boxes.count == PackedTree.levels(items: edgeCount).last
    }
}

extension Hierarchy {
    /// The hierarchy of a file; `nil` if the length of a section does not match the graph.
    convenience init?(mapped image: MemoryImage, of graph: RoutingGraph) {
        self.init(image: image)
        let (count, arcs) = (graph.nodeCount, heads.count)
        guard rank.count == count, node.count == count, firstUp.count == count + 1,
            edgeArc.count == graph.edgeCount
        else { return nil }
        for tag in [Tag.rank, .node, .heads] { image.expect(tag) { $0.lies(below: count) } }
        image.expect(Tag.firstUp) { $0.rises(to: arcs) }
        image.expect(Tag.edgeArc) { $0.lies(from: -1, below: arcs) }
    }
}

extension UnsafeBufferPointer<Int32> {
    /// Whether all values are in a range.
    func lies(from low: Int32 = 0, below end: Int) -> Bool {
        allSatisfy { $0 >= low && Int($0) < end }
    }

    /// Whether the values are non-decreasing and at most a count, as offsets must be.
    func rises(to end: Int) -> Bool {
        guard let first, let last else { return true }
        return first >= 0 && Int(last) <= end && zip(self, dropFirst()).allSatisfy { $0 <= $1 }
    }
}
