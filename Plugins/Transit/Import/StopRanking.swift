/// Computes for each stop the patterns that call there.
enum StopRanking {
    /// Counts the patterns of each stop and finds their most frequent route type, the smaller number on a tie. A call at
    /// a part of a station is also a call at the station.
    static func rank(_ content: inout FeedContent) {
        var seen = [Int32](repeating: -1, count: content.stops.count)
        var pairs: [UInt64] = []
        pairs.reserveCapacity(content.patternStops.count)
        for (index, pattern) in content.patterns.enumerated() {
            let type = UInt32(bitPattern: content.routes[Int(pattern.route)].type)
            for call in content.patternStops[pattern.first..<pattern.first + pattern.count] {
                var stop = Int(call.stop)
                while stop >= 0, seen[stop] != Int32(index) {
                    seen[stop] = Int32(index)
                    content.stops[stop].patterns += 1
                    pairs.append(UInt64(stop) << 32 | UInt64(type))
                    stop = Int(content.stops[stop].parent)
                }
            }
        }
        pairs.sort()
        var start = 0
        var best: (stop: Int, count: Int) = (-1, 0)
        while start < pairs.count {
            var end = start + 1
            while end < pairs.count, pairs[end] == pairs[start] { end += 1 }
            let stop = Int(pairs[start] >> 32)
            if stop != best.stop || end - start > best.count {
                best = (stop, end - start)
                content.stops[stop].routeType = Int32(truncatingIfNeeded: pairs[start])
            }
            start = end
        }
    }

    /// The stops in order of importance, as in search results: most patterns first, a station
    /// before its platforms, then by name and identifier.
    static func order(_ content: FeedContent) -> [Int] {
        let stops = content.stops
        return stops.indices.sorted { left, right in
            let (a, b) = (stops[left], stops[right])
            if a.patterns != b.patterns { return a.patterns > b.patterns }
            if (a.kind == .station) != (b.kind == .station) { return a.kind == .station }
            if a.name != b.name { return a.name < b.name }
            return content.stopIDs.text(left) < content.stopIDs.text(right)
        }
    }
}

/// The order of routes on signs: `2` before `10`, numbers before letters.
enum RouteOrder {
    /// Whether a name precedes another.
    static func precedes(_ left: String, _ right: String) -> Bool {
        let (a, b) = (number(left), number(right))
        if a != b { return a < b }
        return left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// The number a name begins with; names without one come last.
    private static func number(_ name: String) -> Int {
        let digits = name.utf8.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty, digits.count <= 9 else { return .max }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
