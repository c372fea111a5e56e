import Foundation

/// Contours by marching squares.
enum Contours {
    /// A line of one height: points in columns and rows of the window.
    struct Line: Sendable, Hashable {
        var height: Double
        var points: [SIMD2<Double>]
    }

    /// The maximum number of pieces of lines: more are noise with a small height step.
    private static let mostPieces = 400_000

    /// The lines of heights that are multiples of `step`, joined end to end.
    static func lines(_ window: HeightWindow, step: Double) -> [Line] {
        var pieces: [Int: [(from: Int, to: Int)]] = [:]
        let (columns, rows) = (window.columns, window.rows)
        let values = window.values
        var count = 0
        for row in 0..<rows - 1 {
            for column in 0..<columns - 1 {
                let index = row * columns + column
                let (a, b) = (Double(values[index]), Double(values[index + 1]))
                let (c, d) = (Double(values[index + columns + 1]), Double(values[index + columns]))
                let (low, high) = (min(min(a, b), min(c, d)), max(max(a, b), max(c, d)))
                guard !(a + b + c + d).isNaN, high > low else { continue }
                var level = Int((low / step).rounded(.down)) + 1
                while Double(level) * step <= high, count < mostPieces {
                    let height = Double(level) * step
                    // Edges: 2·index across the top, 2·index + 1 down the left.
                    let (top, left) = (2 * index, 2 * index + 1)
                    let (bottom, right) = (2 * (index + columns), 2 * (index + 1) + 1)
                    var state = a >= height ? 1 : 0
                    if b >= height { state |= 2 }
                    if c >= height { state |= 4 }
                    if d >= height { state |= 8 }
                    let isHigh = (a + b + c + d) / 4 >= height
                    for (from, to) in segments(state, isHigh, top, right, bottom, left) {
                        pieces[level, default: []].append((from, to))
                        count += 1
                    }
                    level += 1
                }
            }
        }
        return pieces.keys.sorted().flatMap { level in
            joined(pieces[level] ?? []).map { edges in
                Line(
                    height: Double(level) * step,
                    points: edges.map { crossing($0, Double(level) * step, window) })
            }
        }
    }

    private static func segments(
        _ state: Int, _ isHigh: Bool, _ top: Int, _ right: Int, _ bottom: Int, _ left: Int
    ) -> [(Int, Int)] {
        switch state {
        case 1, 14: [(left, top)]
        case 2, 13: [(top, right)]
        case 3, 12: [(left, right)]
        case 4, 11: [(right, bottom)]
        case 6, 9: [(top, bottom)]
        case 7, 8: [(left, bottom)]
        // Saddle: the centre decides which corners are connected.
        case 5: isHigh ? [(top, right), (left, bottom)] : [(left, top), (right, bottom)]
        case 10: isHigh ? [(left, top), (right, bottom)] : [(top, right), (left, bottom)]
        default: []
        }
    }

    /// The position of a height on an edge.
    private static func crossing(_ edge: Int, _ height: Double, _ window: HeightWindow) -> SIMD2<Double> {
        let index = edge / 2
        let next = edge % 2 == 0 ? index + 1 : index + window.columns
        let (a, b) = (Double(window.values[index]), Double(window.values[next]))
        // Away from the corners, where four lines would meet in one point.
        let along = a == b ? 0.5 : max(0.001, min(0.999, (height - a) / (b - a)))
        let (column, row) = (Double(index % window.columns), Double(index / window.columns))
        return edge % 2 == 0 ? SIMD2(column + along, row) : SIMD2(column, row + along)
    }

    /// Chains of edges: each edge is crossed at most once, by the pieces of its two adjacent cells.
    private static func joined(_ pieces: [(from: Int, to: Int)]) -> [[Int]] {
        var neighbours: [Int: (Int, Int)] = [:]
        neighbours.reserveCapacity(pieces.count)
        for (index, piece) in pieces.enumerated() {
            for edge in [piece.from, piece.to] {
                if let known = neighbours[edge] {
                    neighbours[edge] = (known.0, index)
                } else {
                    neighbours[edge] = (index, -1)
                }
            }
        }
        var used = [Bool](repeating: false, count: pieces.count)
        func next(_ edge: Int) -> Int? {
            guard let known = neighbours[edge] else { return nil }
            if !used[known.0] { return known.0 }
            return known.1 >= 0 && !used[known.1] ? known.1 : nil
        }
        var chains: [[Int]] = []
        for index in pieces.indices where !used[index] {
            used[index] = true
            var chain = [pieces[index].from, pieces[index].to]
            for _ in 0..<2 {
                while let end = chain.last, let piece = next(end) {
                    used[piece] = true
                    chain.append(pieces[piece].from == end ? pieces[piece].to : pieces[piece].from)
                }
                chain.reverse()
            }
            chains.append(chain)
        }
        return chains
    }
}
