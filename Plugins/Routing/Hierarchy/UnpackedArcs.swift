/// The unpacked paths of a hierarchy's arcs by piece codes: edges and lower arcs in the order of travel.
///
/// A shortcut consists of two pieces, most of which are shortcuts again, and each look-up is a cache miss.
/// So nested pieces are stored expanded as long as the list stays short: an arc of a few edges takes one
/// look-up, and one of some hundred edges takes dozens instead of hundreds.
struct UnpackedArcs: Sendable {
    /// The start of each code's pieces; one more than there are codes.
    let first: Column<Int32>
    /// Codes of pieces.
    let pieces: Column<Int32>
    /// Owns the memory of the columns.
    private let owners: [any AnyObject & Sendable]

    /// Reads the sections of a file.
    init(first: Column<Int32>, pieces: Column<Int32>, owner: any AnyObject & Sendable) {
        (self.first, self.pieces, owners) = (first, pieces, [owner])
    }

    /// Expands the arcs that searches use, and the arcs that these consist of. `check` throws to cancel.
    init(origins: Block<ArcOrigin>, used: UpwardArcs, _ check: () throws -> Void) rethrows {
        let plan = try Plan(origins, check)
        let isNeeded = try Self.needed(origins, plan, used, check)
        let codes = origins.count
        let first = Block<Int32>(repeating: 0, count: codes + 1)
        var count = 0
        for code in 0..<codes {
            first.base[code] = Int32(truncatingIfNeeded: count)
            if isNeeded.base[code] { count += plan.steps.base[code].length }
        }
        first.base[codes] = Int32(truncatingIfNeeded: count)
        let pieces = Block<Int32>(repeating: 0, count: count)
        for code in 0..<codes where isNeeded.base[code] {
            if code % RoutingSettings.rowStep == 0 { try check() }
            var end = Int(first.base[code])
            plan.write(code, origins, pieces.base, &end)
        }
        (self.first, self.pieces, owners) = (first.column, pieces.column, [first, pieces])
    }

    /// Writes the edges of a path in order.
    @inline(__always)
    func unpack(_ code: Int32, _ waiting: inout PieceStack, _ edges: inout PieceStack) {
        var (next, end) = (first[code], first[Int(code) &+ 1])
        // In a damaged file arcs may contain themselves; no path has more pieces than there are.
        var room = pieces.count
        while room > 0 {
            while next < end, room > 0 {
                room &-= 1
                let piece = pieces[next]
                next &+= 1
                if piece < 0 {
                    edges.push(ArcPiece(code: piece).edgeAndDirection)
                } else {
                    // The rest stays on the stack.
                    if next < end {
                        waiting.push(next)
                        waiting.push(end)
                    }
                    (next, end) = (first[piece], first[Int(piece) &+ 1])
                }
            }
            guard let last = waiting.pop(), let rest = waiting.pop() else { return }
            (next, end) = (rest, last)
        }
    }

    /// The codes of the used arcs and of all their pieces. Pieces have lower codes than the arcs that
    /// contain them.
    private static func needed(
        _ origins: Block<ArcOrigin>, _ plan: Plan, _ used: UpwardArcs, _ check: () throws -> Void
    ) rethrows -> Block<Bool> {
        let isNeeded = Block(repeating: false, count: origins.count)
        for arcs in [used.forward, used.backward] {
            for arc in 0..<arcs.codes.count { isNeeded.base[Int(arcs.codes[arc])] = true }
        }
        let list = Block<Int32>(repeating: 0, count: RoutingSettings.piecesWrittenOut)
        for code in stride(from: origins.count - 1, through: 0, by: -1) where isNeeded.base[code] {
            if code % RoutingSettings.rowStep == 0 { try check() }
            var end = 0
            plan.write(code, origins, list.base, &end)
            for index in 0..<end where list.base[index] >= 0 { isNeeded.base[Int(list.base[index])] = true }
        }
        return isNeeded
    }
}

/// The degree of expansion of each arc.
private struct Plan {
    /// One byte per arc: there are millions of them.
    struct Step: BitwiseCopyable {
        private var bits: UInt8

        private static let (lengths, first, second): (UInt8, UInt8, UInt8) = (0x3F, 0x40, 0x80)

        init(length: Int, first: Bool = false, second: Bool = false) {
            bits = UInt8(length) | (first ? Self.first : 0) | (second ? Self.second : 0)
        }

        /// How many pieces there are.
        var length: Int { Int(bits & Self.lengths) }
        /// Whether the first and the second half are expanded.
        var first: Bool { bits & Self.first != 0 }
        var second: Bool { bits & Self.second != 0 }
    }

    let steps: Block<Step>

    init(_ origins: Block<ArcOrigin>, _ check: () throws -> Void) rethrows {
        let steps = Block(repeating: Step(length: 1), count: origins.count)
        let most = RoutingSettings.piecesWrittenOut
        for code in 0..<origins.count {
            if code % RoutingSettings.rowStep == 0 { try check() }
            let origin = origins.base[code]
            guard !origin.isEdge else { continue }
            func whole(_ piece: ArcPiece) -> Int { piece.isEdge ? 1 : steps.base[Int(piece.code)].length }
            let (one, other) = (whole(origin.first), whole(origin.second))
            if one + other <= most {
                steps.base[code] = Step(
                    length: one + other, first: !origin.first.isEdge, second: !origin.second.isEdge)
            } else if one + 1 <= most, one >= other || other + 1 > most {
                steps.base[code] = Step(length: one + 1, first: !origin.first.isEdge)
            } else if other + 1 <= most {
                steps.base[code] = Step(length: other + 1, second: !origin.second.isEdge)
            } else {
                steps.base[code] = Step(length: 2)
            }
        }
        self.steps = steps
    }

    /// Writes the pieces of a code.
    func write(
        _ code: Int, _ origins: Block<ArcOrigin>, _ list: UnsafeMutablePointer<Int32>, _ end: inout Int
    ) {
        let (origin, step) = (origins.base[code], steps.base[code])
        func put(_ piece: ArcPiece, _ isWritten: Bool) {
            if isWritten { return write(Int(piece.code), origins, list, &end) }
            list[end] = piece.code
            end += 1
        }
        put(origin.first, step.first)
        if !origin.isEdge { put(origin.second, step.second) }
    }
}
