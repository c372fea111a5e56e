import Geodesy

/// Boxes around runs of neighbouring segments, boxes around pairs of boxes, and so on: finds the segments
/// near a position without scanning all of them.
///
/// Consecutive segments of a route are near each other, so no spatial sorting is required. Leaves hold `leafSize`
/// segments; the tree is an implicit binary heap.
struct SegmentTree: Sendable {
    private struct Box: Sendable {
        var south = Double.infinity
        var north = -Double.infinity
        /// Longitudes are continuous from the start of the line, and may exceed ±180.
        var west = Double.infinity
        var east = -Double.infinity

        mutating func add(_ other: Box) {
            south = min(south, other.south)
            north = max(north, other.north)
            west = min(west, other.west)
            east = max(east, other.east)
        }

        /// The square of the least distance to a position, in degrees of latitude.
        @inline(__always)
        func square(_ plane: LocalPlane) -> Double {
            let y = max(0, max(south - plane.latitude, plane.latitude - north))
            guard west <= east else { return .infinity }
            let middle = (west + east) / 2
            let aside = abs(Angle.difference(from: middle, to: plane.longitude))
            let x = max(0, aside - (east - west) / 2) * plane.eastScale
            return x * x + y * y
        }
    }

    private static let leafSize = 8

    private var boxes: [Box]
    private let leaves: Int
    private let count: Int

    init(_ segments: [RouteSegment]) {
        count = segments.count
        let needed = (segments.count + Self.leafSize - 1) / Self.leafSize
        var leaves = 1
        while leaves < needed { leaves *= 2 }
        self.leaves = leaves
        boxes = [Box](repeating: Box(), count: 2 * leaves)
        var longitude = segments.first?.longitude ?? 0
        for (index, segment) in segments.enumerated() {
            let end = longitude + segment.stepLongitude
            let top = segment.latitude + segment.stepLatitude
            boxes[leaves + index / Self.leafSize].add(
                Box(
                    south: min(segment.latitude, top), north: max(segment.latitude, top),
                    west: min(longitude, end), east: max(longitude, end)))
            longitude = end
        }
        for index in stride(from: leaves - 1, to: 0, by: -1) {
            boxes[index] = boxes[2 * index]
            boxes[index].add(boxes[2 * index + 1])
        }
    }

    /// The segment nearest to a position, the first of equals.
    func nearest(_ plane: LocalPlane, in segments: [RouteSegment]) -> (
        segment: Int, share: Double, square: Double
    ) {
        var best = (segment: 0, share: 0.0, square: Double.infinity)
        visit(1, plane, within: { best.square }) { index in
            let (share, square) = plane.project(segments[index])
            if square < best.square || (square == best.square && index < best.segment) {
                best = (index, share, square)
            }
        }
        return best
    }

    /// Calls a closure with each segment within a distance of a position, in the order of the line. The
    /// square of the distance is in degrees of latitude.
    func forEach(
        _ plane: LocalPlane, within square: Double, in segments: [RouteSegment],
        _ body: (_ segment: Int, _ share: Double, _ square: Double) -> Void
    ) {
        visitInOrder(1, plane, square) { index in
            let (share, found) = plane.project(segments[index])
            if found <= square { body(index, share, found) }
        }
    }

    /// Visits the nearer of two boxes first.
    private func visit(
        _ node: Int, _ plane: LocalPlane, within limit: () -> Double, _ body: (Int) -> Void
    ) {
        guard node < leaves else {
            let first = (node - leaves) * Self.leafSize
            for index in first..<max(first, min(count, first + Self.leafSize)) { body(index) }
            return
        }
        let left = boxes[2 * node].square(plane)
        let right = boxes[2 * node + 1].square(plane)
        let (near, far) = left <= right ? (2 * node, 2 * node + 1) : (2 * node + 1, 2 * node)
        if min(left, right) <= limit() { visit(near, plane, within: limit, body) }
        if max(left, right) <= limit() { visit(far, plane, within: limit, body) }
    }

    private func visitInOrder(_ node: Int, _ plane: LocalPlane, _ square: Double, _ body: (Int) -> Void) {
        guard boxes[node].square(plane) <= square else { return }
        guard node < leaves else {
            let first = (node - leaves) * Self.leafSize
            for index in first..<max(first, min(count, first + Self.leafSize)) { body(index) }
            return
        }
        visitInOrder(2 * node, plane, square, body)
        visitInOrder(2 * node + 1, plane, square, body)
    }
}
