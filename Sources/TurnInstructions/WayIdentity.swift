import Geodesy

/// The identity of a way for a walker: its name, else its kind.
struct WayIdentity: Sendable, Hashable {
    var name: String?
    var kind: WayKind?

    /// The identity of each leg of a path. A short piece between two pieces of the same way belongs to that
    /// way: a crossing that is mapped without a name, or a few metres along another street straight ahead.
    static func of(_ path: TurnPath) -> [WayIdentity] {
        var all = path.legs.map { WayIdentity(name: $0.name, kind: $0.name == nil ? $0.kind : nil) }
        // A way of two names, of which one was that of the way before, is that way still.
        for index in all.indices.dropFirst() {
            guard let before = all[index - 1].name, let name = all[index].name else { continue }
            let names = name.split(separator: TurnSettings.nameSeparator)
            if names.count > 1, names.contains(where: { $0 == before }) { all[index].name = before }
        }
        // A hook belongs to the way after it.
        for index in all.indices.reversed() where path.isHook(index) { all[index] = all[index + 1] }
        var index = 1
        while index < all.count {
            guard all[index] != all[index - 1] else {
                index += 1
                continue
            }
            if let end = endOfGap(path, all, from: index) {
                for filled in index..<end { all[filled] = all[index - 1] }
                index = end
            }
            index += 1
        }
        return all
    }

    /// The first leg after a gap in the way of the previous leg; `nil` if the gap is long or a way of its
    /// own.
    private static func endOfGap(_ path: TurnPath, _ all: [WayIdentity], from start: Int) -> Int? {
        var length = 0.0
        var index = start
        while index < all.count, all[index] != all[start - 1] {
            let leg = path.legs[index]
            length += leg.length
            guard length <= TurnSettings.gap, !leg.isRoundabout, leg.kind?.isAlwaysAnnounced != true,
                path.junctions[index - 1].via == nil
            else { return nil }
            index += 1
        }
        guard index < all.count, path.junctions[index - 1].via == nil else { return nil }
        let turns = (start...index).map { junction in
            abs(
                Angle.difference(
                    from: path.arriving(after: junction - 1), to: path.leaving(before: junction)))
        }
        return turns.allSatisfy { $0 < path.thresholds.slight } ? index : nil
    }
}
