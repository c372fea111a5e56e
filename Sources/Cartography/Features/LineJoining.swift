import Core

/// Lines of one kind and name, joined where they meet end to end, for fewer features and longer label lines.
///
/// The points stay where they are: a joined line is a list of pieces, each a part of one of the lines.
struct JoinedLines: Sendable {
    /// A part of a line in one of its directions.
    struct Piece: BitwiseCopyable, Sendable {
        private var bits: UInt32

        init(part: Int, isReversed: Bool = false, continues: Bool = false) {
            bits = UInt32(truncatingIfNeeded: part) << 2 | (isReversed ? 1 : 0) | (continues ? 2 : 0)
        }

        var part: Int { Int(bits >> 2) }
        var isReversed: Bool { bits & 1 != 0 }
        /// Whether it begins at the end of the piece before, as a part of the same line.
        var continues: Bool { bits & 2 != 0 }
    }

    private let lines: PackedFeatures
    /// For each joined line the first of its lines, whose properties it has.
    private var first: [UInt32] = []
    private var firstPiece: [UInt32] = [0]
    private var pieces: [Piece] = []

    /// The maximum number of points and extent of a joined line, in stored units: larger ones would be
    /// drawn outside the view.
    private static let mostPoints = 600
    private static let longest = Int(MapLevel.world) >> 12
    /// The maximum number of parts of all lines.
    static let mostParts = Int(UInt32.max >> 2)
    /// Lines between two checks for cancellation.
    private static let step = 1000

    /// Joins lines; the result is in the order of the first pieces. `check` throws to cancel.
    init(_ lines: PackedFeatures, check: () throws -> Void) rethrows {
        self.lines = lines
        var used = [Bool](repeating: false, count: lines.partCount)
        let groups = try Self.groups(lines, check)
        for group in 0..<groups.starts.count - 1 {
            if group % Self.step == 0 { try check() }
            let members = groups.members[groups.starts[group]..<groups.starts[group + 1]]
            try join(members, &used, check)
        }
    }

    var count: Int { first.count }

    func head(of line: Int) -> PackedFeatures.Head { lines.heads[Int(first[line])] }

    /// The pieces of all parts of a line.
    private func pieces(of line: Int) -> ArraySlice<Piece> {
        pieces[Int(firstPiece[line])..<Int(firstPiece[line + 1])]
    }

    func box(of line: Int) -> MapBox {
        var box = MapBox()
        for piece in pieces(of: line) { box.add(lines.box(ofPart: piece.part)) }
        return box
    }

    /// Passes each part of a line; `buffer` is reused for those of several pieces.
    @inline(__always)
    func forEachPart(
        of line: Int, _ buffer: inout [MapPoint], _ body: (UnsafeBufferPointer<MapPoint>) -> Void
    ) {
        let all = pieces(of: line)
        var start = all.startIndex
        while start < all.endIndex {
            var end = start + 1
            while end < all.endIndex, all[end].continues { end += 1 }
            if end == start + 1, !all[start].isReversed {
                lines.withPart(all[start].part, body)
            } else {
                buffer.removeAll(keepingCapacity: true)
                for piece in all[start..<end] { append(piece, to: &buffer) }
                buffer.withUnsafeBufferPointer(body)
            }
            start = end
        }
    }

    private func append(_ piece: Piece, to line: inout [MapPoint]) {
        let skipped = piece.continues ? 1 : 0
        if piece.isReversed {
            line.append(contentsOf: lines.part(piece.part).reversed().dropFirst(skipped))
        } else {
            line.append(contentsOf: lines.part(piece.part).dropFirst(skipped))
        }
    }

    // MARK: Groups

    private struct Key: Hashable {
        var kind: UInt16
        var flags: UInt8
        var layer: Int8
        var name: Int32
        var value: Int?

        init(_ head: PackedFeatures.Head) {
            (kind, flags, layer, name, value) = (head.kind, head.flags, head.layer, head.name, head.value)
        }
    }

    /// The lines of each kind and name, in the order of their first ones.
    private static func groups(
        _ lines: PackedFeatures, _ check: () throws -> Void
    ) rethrows -> (starts: [Int], members: [UInt32]) {
        var numbers: [Key: UInt32] = [:]
        var group = [UInt32](repeating: 0, count: lines.count)
        var starts = [0]
        for (index, head) in lines.heads.enumerated() {
            if index % step == 0 { try check() }
            let key = Key(head)
            let number: UInt32
            if let known = numbers[key] {
                number = known
            } else {
                number = UInt32(starts.count - 1)
                numbers[key] = number
                starts.append(0)
            }
            group[index] = number
            starts[Int(number) + 1] += 1
        }
        for number in starts.indices.dropFirst() { starts[number] += starts[number - 1] }
        var next = starts
        var members = [UInt32](repeating: 0, count: lines.count)
        for (index, number) in group.enumerated() {
            members[next[Int(number)]] = UInt32(index)
            next[Int(number)] += 1
        }
        return (starts, members)
    }

    // MARK: Joining

    private mutating func join(
        _ members: ArraySlice<UInt32>, _ used: inout [Bool], _ check: () throws -> Void
    ) rethrows {
        var parts: [Int] = []
        for member in members {
            for part in lines.parts(of: Int(member)) where lines.pointCount(of: part) > 1 {
                parts.append(part)
            }
        }
        guard parts.count > 1 else {
            for member in members {
                pieces += lines.parts(of: Int(member)).map { Piece(part: $0) }
                close(like: member)
            }
            return
        }
        let meetings = try Meetings(of: parts, lines, check)
        for (index, part) in parts.enumerated() {
            if index % Self.step == 0 { try check() }
            guard !used[part] else { continue }
            used[part] = true
            var (size, box) = (lines.pointCount(of: part), lines.box(ofPart: part))
            /// The pieces that follow an end of the part.
            func chain(from end: Meetings.End) -> [Piece] {
                var chain: [Piece] = []
                var end = end
                while let next = meetings.other(than: end), !used[parts[next.index]], size < Self.mostPoints,
                    max(box.width, box.height) < Self.longest
                {
                    let part = parts[next.index]
                    used[part] = true
                    size += lines.pointCount(of: part) - 1
                    box.add(lines.box(ofPart: part))
                    chain.append(Piece(part: part, isReversed: next.isLast, continues: true))
                    end = next.opposite
                }
                return chain
            }
            let after = chain(from: Meetings.End(index: index, isLast: true))
            let before = chain(from: Meetings.End(index: index, isLast: false))
            // In the direction of its first piece: a stream flows downhill.
            for (offset, piece) in before.reversed().enumerated() {
                pieces.append(Piece(part: piece.part, isReversed: !piece.isReversed, continues: offset > 0))
            }
            pieces.append(Piece(part: part, continues: !before.isEmpty))
            pieces += after
            if let first = members.first { close(like: first) }
        }
    }

    /// Ends a joined line.
    private mutating func close(like line: UInt32) {
        first.append(line)
        firstPiece.append(UInt32(truncatingIfNeeded: pieces.count))
    }
}

/// Where exactly two ends of lines meet.
private struct Meetings {
    /// The first or the last point of a line.
    struct End {
        var index: Int
        var isLast: Bool

        var number: Int { 2 * index + (isLast ? 1 : 0) }
        var opposite: End { End(index: index, isLast: !isLast) }

        init(index: Int, isLast: Bool) { (self.index, self.isLast) = (index, isLast) }
        init(number: Int) { (index, isLast) = (number / 2, number % 2 == 1) }
    }

    /// For each end by its number the other one; −1 where one or more than two meet.
    private var others: [Int32]

    init(of parts: [Int], _ lines: PackedFeatures, _ check: () throws -> Void) rethrows {
        var ends: [(key: UInt64, index: UInt32)] = []
        ends.reserveCapacity(2 * parts.count)
        for (index, part) in parts.enumerated() {
            if index % Self.step == 0 { try check() }
            lines.withPart(part) { points in
                for (point, number) in [(points[0], 2 * index), (points[points.count - 1], 2 * index + 1)] {
                    ends.append((Self.key(point), UInt32(number)))
                }
            }
        }
        try RadixSort.sort(&ends, check)
        others = [Int32](repeating: -1, count: ends.count)
        var start = 0
        while start < ends.count {
            var end = start + 1
            while end < ends.count, ends[end].key == ends[start].key { end += 1 }
            if end == start + 2 {
                others[Int(ends[start].index)] = Int32(ends[start + 1].index)
                others[Int(ends[start + 1].index)] = Int32(ends[start].index)
            }
            start = end
        }
    }

    func other(than end: End) -> End? {
        let other = others[end.number]
        return other < 0 ? nil : End(number: Int(other))
    }

    private static func key(_ point: MapPoint) -> UInt64 {
        UInt64(UInt32(bitPattern: point.x)) << 32 | UInt64(UInt32(bitPattern: point.y))
    }

    /// Lines between two checks for cancellation.
    private static let step = 1000
}
