/// The pieces of the world that an extract knows: boxes around things that lie close together.
///
/// An extract may be put together of several, far from each other. Between them nothing is known, not even that it is sea.
struct KnownPieces {
    /// Zooms whose cells tell pieces apart, the coarsest first: from 156 to 10 km at the equator.
    static let zooms = 8...12

    /// Things in the same cell or in one beside it lie in the same piece.
    private let shift: Int

    private struct Cell: Hashable {
        var x: Int32
        var y: Int32
    }

    private var known: [Cell: MapBox] = [:]

    init(zoom: Int) { shift = MapLevel.worldBits - zoom }

    /// Adds a thing. One that is larger than a cell, such as a border or a ferry, says nothing of what is known around it.
    mutating func add(_ box: MapBox) {
        guard !box.isEmpty, max(box.width, box.height) <= 1 << shift else { return }
        known[cell(MapPoint(x: box.minX, y: box.minY)), default: MapBox()].add(box)
    }

    /// Adds a line by its places, however long it is.
    mutating func add(_ line: [MapPoint]) {
        for point in line { known[cell(point), default: MapBox()].add(point) }
    }

    private func cell(_ point: MapPoint) -> Cell { Cell(x: point.x >> shift, y: point.y >> shift) }

    /// The pieces, from the north west, and which of them lines lie in by their first place.
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
