/// Lines and rings across the 180° meridian, in both copies of the world that they lie in.
enum MeridianCut {
    private static let world = Int32(1) << Int32(MapLevel.worldBits)

    /// Whether consecutive points are on different sides of the meridian: the shorter way between them crosses it.
    static func jumps(_ a: MapPoint, _ b: MapPoint) -> Bool { abs(Int(a.x) - Int(b.x)) > Int(world) / 2 }

    /// The parts on each side, none of which crosses the meridian.
    static func sides(_ parts: [[MapPoint]]) -> [[[MapPoint]]] {
        let continued = parts.map(continued)
        return [-world, 0, world].map { shift in
            continued.flatMap { part -> [[MapPoint]] in
                let moved = part.map { (x: Double($0.x) - Double(shift), y: Double($0.y)) }
                let pieces =
                    part.first == part.last && part.count > 3
                    ? [ring(ring(moved, 0, 1), MapLevel.world - 1, -1)] : line(moved)
                return pieces.map { $0.map { MapPoint(x: Int32($0.x.rounded()), y: Int32($0.y.rounded())) } }
                    .filter { $0.count > 1 }
            }
        }.filter { !$0.isEmpty }
    }

    /// The part with points beyond the meridian where it goes on, in place of a jump back.
    private static func continued(_ part: [MapPoint]) -> [MapPoint] {
        var shift: Int32 = 0
        var result: [MapPoint] = []
        for index in part.indices {
            if index > 0, jumps(part[index - 1], part[index]) {
                shift += part[index].x < part[index - 1].x ? world : -world
            }
            // A way around the world is not drawn beyond its second copy.
            shift = max(-world, min(world, shift))
            result.append(MapPoint(x: part[index].x + (shift == world ? world : shift), y: part[index].y))
        }
        return result
    }

    private typealias Place = (x: Double, y: Double)

    private static func crossing(_ a: Place, _ b: Place, _ edge: Double) -> Place {
        (edge, a.y + (b.y - a.y) * (edge - a.x) / (b.x - a.x))
    }

    /// A ring on one side of a vertical line, by Sutherland and Hodgman (1974).
    private static func ring(_ points: [Place], _ edge: Double, _ sign: Double) -> [Place] {
        var result: [Place] = []
        for (a, b) in zip(points, points.dropFirst()) {
            let (isIn, staysIn) = ((a.x - edge) * sign >= 0, (b.x - edge) * sign >= 0)
            if isIn { result.append(a) }
            if isIn != staysIn { result.append(crossing(a, b, edge)) }
        }
        if let first = result.first { result.append(first) }
        return result
    }

    /// The pieces of a line within the world.
    private static func line(_ points: [Place]) -> [[Place]] {
        let (low, high) = (0.0, MapLevel.world - 1)
        var pieces: [[Place]] = []
        var piece: [Place] = []
        for (a, b) in zip(points, points.dropFirst()) {
            guard !(a.x < low && b.x < low), !(a.x > high && b.x > high) else {
                if piece.count > 1 { pieces.append(piece) }
                piece = []
                continue
            }
            let from = a.x < low ? crossing(a, b, low) : a.x > high ? crossing(a, b, high) : a
            let to = b.x < low ? crossing(a, b, low) : b.x > high ? crossing(a, b, high) : b
            if piece.isEmpty { piece = [from] }
            piece.append(to)
            if to.x != b.x || to.y != b.y {
                pieces.append(piece)
                piece = []
            }
        }
        if piece.count > 1 { pieces.append(piece) }
        return pieces
    }
}
