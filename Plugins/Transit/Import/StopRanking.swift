/// Computes for each stop the patterns that call there.
enum StopRanking {
    /// Counts the patterns of each stop and finds their most frequent route type, the smaller number on a
    /// tie. A call at a part of a station counts for the station.
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
    /// before its platforms, then by name and identifier, both by bytes.
    static func order(_ content: FeedContent) -> [Int] {
        var names = KeyTable()
        var ranks = content.stops.indices.map { index in
            let stop = content.stops[index]
            var name = stop.name
            return Rank(
                patterns: stop.patterns, isStation: stop.kind == .station,
                name: name.withUTF8 { names.add($0).index }, index: index)
        }
        ranks.sort { a, b in
            if a.patterns != b.patterns { return a.patterns > b.patterns }
            if a.isStation != b.isStation { return a.isStation }
            return a.name == b.name
                ? content.stopIDs.precedes(a.index, b.index) : names.precedes(a.name, b.name)
        }
        return ranks.map(\.index)
    }

    /// The sort key of a stop, without its texts: sorting moves it often.
    private struct Rank {
        var patterns: Int32
        var isStation: Bool
        var name: Int
        var index: Int
    }
}

/// Natural order of names: `2` before `10`, `RNV 5` before `RNV 24`, numbers before letters, empty names
/// last. Case matters only between names that are otherwise equal.
enum RouteNameOrder {
    /// Whether a name precedes another.
    static func precedes(_ left: String, _ right: String) -> Bool {
        if left.isEmpty || right.isEmpty { return !left.isEmpty }
        let (a, b) = (Array(left.utf8), Array(right.utf8))
        var (i, j) = (0, 0)
        while i < a.count, j < b.count {
            let (first, second) = (digits(a, i), digits(b, j))
            if first.isEmpty != second.isEmpty { return !first.isEmpty }
            if first.isEmpty {
                let (x, y) = (lowered(a[i]), lowered(b[j]))
                if x != y { return x < y }
                (i, j) = (i + 1, j + 1)
            } else {
                let (x, y) = (a[first].drop { $0 == 0x30 }, b[second].drop { $0 == 0x30 })
                if x.count != y.count { return x.count < y.count }
                if !x.elementsEqual(y) { return x.lexicographicallyPrecedes(y) }
                (i, j) = (first.upperBound, second.upperBound)
            }
        }
        if i < a.count || j < b.count { return i == a.count }
        return a.lexicographicallyPrecedes(b)
    }

    /// The run of digits from an index.
    private static func digits(_ bytes: [UInt8], _ start: Int) -> Range<Int> {
        var end = start
        while end < bytes.count, (0x30...0x39).contains(bytes[end]) { end += 1 }
        return start..<end
    }

    private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
