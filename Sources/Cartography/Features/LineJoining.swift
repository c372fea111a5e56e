/// Joins lines of one kind and name that meet end to end, for fewer features and longer label lines.
enum LineJoining {
    private struct Key: Hashable {
        var kind: Int
        var flags: UInt8
        var layer: Int
        var name: String?
        var value: Int?
    }

    /// The maximum number of points and extent of a joined line, in stored units: larger ones would be
    /// drawn outside the view.
    private static let mostPoints = 600
    private static let longest = Int(MapLevel.world) >> 12

    /// Adds the joined lines, in the order of their first pieces. `check` throws to cancel.
    static func join(
        _ lines: [DrawnFeature], into all: inout [DrawnFeature], check: () throws -> Void
    ) rethrows {
        var groups: [Key: [Int]] = [:]
        var keys: [Key] = []
        for (index, line) in lines.enumerated() {
            if index % step == 0 { try check() }
            let key = Key(
                kind: line.kind, flags: line.flags.rawValue, layer: line.layer, name: line.name,
                value: line.value)
            if groups[key] == nil { keys.append(key) }
            groups[key, default: []].append(index)
        }
        for key in keys { try join(lines, groups[key] ?? [], &all, check) }
    }

    /// Lines between two checks for cancellation.
    private static let step = 1000

    private static func join(
        _ lines: [DrawnFeature], _ members: [Int], _ all: inout [DrawnFeature], _ check: () throws -> Void
    ) rethrows {
        try check()
        let pieces = members.flatMap { index in lines[index].parts.filter { $0.count > 1 } }
        guard let first = members.first, pieces.count > 1 else {
            for member in members { all.append(lines[member]) }
            return
        }
        for chain in try chains(pieces, check) {
            var feature = lines[first]
            feature.parts = [chain]
            feature.box = MapBox()
            for point in chain { feature.box.add(point) }
            all.append(feature)
        }
    }

    /// Joins pieces where exactly two of them meet, in either direction.
    private static func chains(
        _ pieces: [[MapPoint]], _ check: () throws -> Void
    ) rethrows -> [[MapPoint]] {
        var ends: [MapPoint: [Int]] = [:]
        for (index, piece) in pieces.enumerated() {
            if index % step == 0 { try check() }
            ends[piece[0], default: []].append(index)
            ends[piece[piece.count - 1], default: []].append(index)
        }
        var used = [Bool](repeating: false, count: pieces.count)
        /// Extends a chain at its end.
        func lengthened(_ chain: inout [MapPoint]) {
            var box = MapBox()
            for point in chain { box.add(point) }
            while let end = chain.last, let meeting = ends[end], meeting.count == 2,
                let next = meeting.first(where: { !used[$0] }), chain.count < mostPoints,
                max(box.width, box.height) < longest
            {
                used[next] = true
                let piece = pieces[next]
                let further = piece[0] == end ? piece : piece.reversed()
                for point in further { box.add(point) }
                chain += further.dropFirst()
            }
        }
        var chains: [[MapPoint]] = []
        for index in pieces.indices {
            if index % step == 0 { try check() }
            guard !used[index] else { continue }
            used[index] = true
            var chain = pieces[index]
            lengthened(&chain)
            chain.reverse()
            lengthened(&chain)
            // In the direction of its first piece: a stream flows downhill.
            chain.reverse()
            chains.append(chain)
        }
        return chains
    }
}
