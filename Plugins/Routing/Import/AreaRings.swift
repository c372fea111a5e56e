/// Joins the ways of an area's edge, which a map has in any order and direction, to rings.
enum AreaRings {
    /// The rings, each without its first node repeated at the end; `nil` unless every way is part of a ring that touches
    /// itself nowhere.
    static func joined(_ lines: [[Int32]]) -> [[Int32]]? {
        var ends: [Int32: [Int]] = [:]
        for (index, line) in lines.enumerated() {
            guard line.count > 1, !line.contains(-1), let first = line.first, let last = line.last else {
                return nil
            }
            ends[first, default: []].append(index)
            if last != first { ends[last, default: []].append(index) }
        }
        var isUsed = [Bool](repeating: false, count: lines.count)
        var rings: [[Int32]] = []
        for start in lines.indices where !isUsed[start] {
            isUsed[start] = true
            var ring = lines[start]
            while let last = ring.last, last != ring.first {
                guard let next = ends[last]?.first(where: { !isUsed[$0] }) else { return nil }
                isUsed[next] = true
                let line = lines[next]
                ring += line.first == last ? line.dropFirst() : line.reversed().dropFirst()
            }
            ring.removeLast()
            guard ring.count > 2, Set(ring).count == ring.count else { return nil }
            rings.append(ring)
        }
        return rings
    }
}
