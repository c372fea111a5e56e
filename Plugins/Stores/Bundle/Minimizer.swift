/// Finds a small subset of rows with the same result as all of them (Zeller and Hildebrandt, Simplifying and
/// Isolating Failure-Inducing Input, 2002: ddmin).
enum Minimizer {
    /// A small subset of `all` for which `shows` holds, within a number of attempts. `shows` must hold for
    /// all of them.
    static func smallest<T>(
        _ all: [T], tries: Int, _ shows: ([T]) async throws -> Bool
    ) async throws -> [T] {
        var left = tries
        func test(_ part: [T]) async throws -> Bool {
            guard left > 0 else { return false }
            left -= 1
            return try await shows(part)
        }
        if all.isEmpty { return all }
        if try await test([]) { return [] }
        var kept = all
        var parts = 2
        while kept.count > 1, left > 0 {
            let size = (kept.count + parts - 1) / parts
            let pieces = stride(from: 0, to: kept.count, by: size).map { $0..<min($0 + size, kept.count) }
            var smaller: [T]?
            for piece in pieces where try await test(Array(kept[piece])) {
                smaller = Array(kept[piece])
                parts = 2
                break
            }
            if smaller == nil, pieces.count > 2 {
                for piece in pieces {
                    let rest = Array(kept[..<piece.lowerBound] + kept[piece.upperBound...])
                    if try await test(rest) {
                        smaller = rest
                        parts = max(parts - 1, 2)
                        break
                    }
                }
            }
            if let smaller {
                kept = smaller
            } else if parts < kept.count {
                parts = min(parts * 2, kept.count)
            } else {
                break
            }
        }
        return kept
    }
}
