/// The covered areas of an extract: boxes around clusters of features.
///
/// An extract may consist of several distant parts. The area between them is unknown, and not even known to
/// be sea.
struct CoveredParts {
    /// Zooms whose cells separate the parts, the coarsest first: from 156 to 10 km at the equator.
    static let zooms = 8...12

    /// Features in the same or adjacent cells belong to the same part.
    private let shift: Int

    private struct Cell: Hashable {
        var x: Int32
        var y: Int32
    }

    private var known: [Cell: MapBox] = [:]

    init(zoom: Int) { shift = MapLevel.worldBits - zoom }

    /// Adds a feature. One larger than a cell, such as a border or a ferry, is ignored.
    mutating func add(_ box: MapBox) {
        guard !box.isEmpty, max(box.width, box.height) <= 1 << shift else { return }
        known[cell(MapPoint(x: box.minX, y: box.minY)), default: MapBox()].add(box)
    }

    /// Adds a line by its points, whatever its length.
    mutating func add(_ line: [MapPoint]) {
        for point in line { known[cell(point), default: MapBox()].add(point) }
    }

    private func cell(_ point: MapPoint) -> Cell { Cell(x: point.x >> shift, y: point.y >> shift) }

    /// The parts, from the north west, and the part of each line by its first point.
    func pieces(of lines: [[MapPoint]]) -> [(box: MapBox, lines: [[MapPoint]])] {
        var piece: [Cell: Int] = [:]
        var pieces: [(box: MapBox, lines: [[MapPoint]])] = []
        for start in known.keys.sorted(by: { ($0.y, $0.x) < ($1.y, $1.x) }) where piece[start] == nil {
            var open = [start]
            var box = MapBox()
            piece[start] = pieces.count
            while let here = open.popLast() {
                box.add(known[here] ?? MapBox())
                for y in here.y - 1...here.y + 1 {
                    for x in here.x - 1...here.x + 1 {
                        let next = Cell(x: x, y: y)
                        guard known[next] != nil, piece[next] == nil else { continue }
                        piece[next] = pieces.count
                        open.append(next)
                    }
                }
            }
            pieces.append((box, []))
        }
        for line in lines {
            guard let first = line.first, let index = piece[cell(first)] else { continue }
            pieces[index].lines.append(line)
        }
        return pieces
    }
}
