/// Lines inside a box, cut at its edges.
struct BoxEdge {
    let box: MapBox

    /// The corners, clockwise from the north west.
    var corners: [MapPoint] {
        [
            MapPoint(x: box.minX, y: box.minY), MapPoint(x: box.maxX, y: box.minY),
            MapPoint(x: box.maxX, y: box.maxY), MapPoint(x: box.minX, y: box.maxY),
        ]
    }

    func isInside(_ point: MapPoint) -> Bool {
        point.x > box.minX && point.x < box.maxX && point.y > box.minY && point.y < box.maxY
    }

    /// Whether a point is inside or on the edge.
    func holds(_ point: MapPoint) -> Bool { within(point) == point }

    /// The runs of a coastline inside the box, each from edge to edge unless it ends inside. A run that only touches the edge
    /// goes on: it leaves no gap through which water could pass.
    func runs(of chain: [MapPoint]) -> [[MapPoint]] {
        var runs: [[MapPoint]] = []
        var run: [MapPoint] = []
        func close() {
            if run.count > 1 { runs.append(run) }
            run = []
        }
        for (from, to) in zip(chain, chain.dropFirst()) {
            guard let (start, end) = clipped(from, to) else {
                close()
                continue
            }
            if run.last != start {
                close()
                run = [start]
            }
            if end != start { run.append(end) }
        }
        close()
        // A ring that crosses the edge: its first run continues its last one.
        if runs.count > 1, chain.first == chain.last, let first = runs.first, let last = runs.last,
            first[0] == last[last.count - 1]
        {
            runs[0] = last + first.dropFirst()
            runs.removeLast()
        }
        return runs
    }

    /// The part of a segment inside the box, whose ends lie exactly on the edge where it is cut; `nil` if it
    /// only touches the edge.
    func clipped(_ from: MapPoint, _ to: MapPoint) -> (MapPoint, MapPoint)? {
        if isInside(from), isInside(to) { return (from, to) }
        let (x, y) = (Double(from.x), Double(from.y))
        let (dx, dy) = (Double(to.x) - x, Double(to.y) - y)
        var (enter, leave) = (0.0, 1.0)
        for (step, room) in [
            (-dx, x - Double(box.minX)), (dx, Double(box.maxX) - x), (-dy, y - Double(box.minY)),
            (dy, Double(box.maxY) - y),
        ] {
            if step == 0 {
                if room <= 0 { return nil }
            } else if step < 0 {
                enter = max(enter, room / step)
            } else {
                leave = min(leave, room / step)
            }
        }
        guard enter < leave else { return nil }
        func point(_ share: Double, _ end: MapPoint, isCut: Bool) -> MapPoint {
            guard isCut else { return end }
            let near = MapPoint(
                x: Int32((x + share * dx).rounded()), y: Int32((y + share * dy).rounded()))
            return isInside(near) ? nearestEdge(near) : within(near)
        }
        return (point(enter, from, isCut: enter > 0), point(leave, to, isCut: leave < 1))
    }

    func within(_ point: MapPoint) -> MapPoint {
        MapPoint(
            x: max(box.minX, min(box.maxX, point.x)), y: max(box.minY, min(box.maxY, point.y)))
    }

    func nearestEdge(_ point: MapPoint) -> MapPoint {
        let x = max(box.minX, min(box.maxX, point.x))
        let y = max(box.minY, min(box.maxY, point.y))
        let ways = [
            (Int(x) - Int(box.minX), MapPoint(x: box.minX, y: y)),
            (Int(box.maxX) - Int(x), MapPoint(x: box.maxX, y: y)),
            (Int(y) - Int(box.minY), MapPoint(x: x, y: box.minY)),
            (Int(box.maxY) - Int(y), MapPoint(x: x, y: box.maxY)),
        ]
        return ways.min { $0.0 < $1.0 }?.1 ?? point
    }

    /// The position of a point along the edge of the box, clockwise from the north west, 0..<4.
    func way(_ point: MapPoint) -> Double {
        let (width, height) = (Double(max(1, box.width)), Double(max(1, box.height)))
        let (dx, dy) = (Double(Int(point.x) - Int(box.minX)), Double(Int(point.y) - Int(box.minY)))
        if point.y == box.minY { return dx / width }
        if point.x == box.maxX { return 1 + dy / height }
        if point.y == box.maxY { return 3 - dx / width }
        return (4 - dy / height).truncatingRemainder(dividingBy: 4)
    }
}
