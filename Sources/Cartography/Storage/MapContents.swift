import Core
import Geodesy

/// The features of a map in the order in which they are stored: areas, joined lines, points.
struct MapContents: Sendable {
    let areas: PackedFeatures
    let lines: JoinedLines
    let points: PackedFeatures
    let names: TextTable

    var count: Int { areas.count + lines.count + points.count }

    /// The memory of simplification, reused from feature to feature.
    struct Workspace {
        fileprivate var simplification = LineSimplification()
        fileprivate var joined: [MapPoint] = []
        fileprivate var simple: [MapPoint] = []
    }

    func head(of feature: Int) -> PackedFeatures.Head {
        if feature < areas.count { return areas.heads[feature] }
        let line = feature - areas.count
        return line < lines.count ? lines.head(of: line) : points.heads[line - lines.count]
    }

    /// Adds a feature at the detail of a level to others; `false` if it is too small to be visible.
    func simplify(
        _ feature: Int, level: Int, into target: inout PackedFeatures, _ space: inout Workspace
    ) -> Bool {
        target.begin(head(of: feature))
        let tolerance = MapLevel.tolerance(level)
        let isFull = level == MapLevel.all.count - 1
        let line = feature - areas.count
        if line < 0 {
            addRings(of: feature, tolerance, isFull, &target, &space)
        } else if line < lines.count {
            let box = isFull ? MapBox() : lines.box(of: line)
            if isFull || Double(max(box.width, box.height)) >= 2 * tolerance {
                lines.forEachPart(of: line, &space.joined) { part in
                    space.simplification.simplify(part, tolerance: tolerance, into: &space.simple)
                    if space.simple.count > 1 { target.add(space.simple) }
                }
            }
        } else {
            for part in points.parts(of: line - lines.count) { target.add(points.part(part)) }
        }
        if target.parts(of: target.count - 1).isEmpty {
            target.removeLast()
            return false
        }
        return true
    }

    private func addRings(
        of area: Int, _ tolerance: Double, _ isFull: Bool, _ target: inout PackedFeatures,
        _ space: inout Workspace
    ) {
        // Two pixels in each direction.
        let smallest = isFull ? 0 : 16 * tolerance * tolerance
        for part in areas.parts(of: area) {
            areas.withPart(part) { ring in
                guard isFull || Self.mayExceed(smallest, ring) else { return }
                space.simplification.simplify(ring, tolerance: tolerance, into: &space.simple)
                guard space.simple.count > 3, RingMeasures.exceeds(smallest, space.simple)
                else { return }
                target.add(space.simple)
            }
        }
    }

    /// Whether the area of a ring may exceed another. A ring turns around a point at most once for three of its edges, each time
    /// within its box.
    private static func mayExceed(_ area: Double, _ ring: UnsafeBufferPointer<MapPoint>) -> Bool {
        var box = MapBox()
        for point in ring { box.add(point) }
        return !box.isEmpty && Double(box.width) * Double(box.height) * Double(ring.count) > area
    }
}
