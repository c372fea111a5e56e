import PluginKit

/// Splits a route into a number of days that differ little in time and end at accommodation.
///
/// Method: dynamic programming over the possible ends in their order. A day costs the square of its difference from the
/// mean day, relative to it; an end without accommodation costs a fixed amount more.
struct BalancedStages {
    /// The cost of a day that ends without accommodation: that of a day 45 % longer than the mean.
    static let withoutLodging = 0.2

    private let clock: RouteClock
    private let days: Int
    private let isClosed: (StageSplit.Lodging, Int) -> Bool
    /// The possible ends of a day in order: places, and the ends of equal days; the start and the end of the route.
    private let ends: [(share: Double, seconds: Double, lodging: StageSplit.Lodging?)]

    /// A split into at least one day. None ends where `isClosed` says that a place is closed on its day, from 1 on.
    init(
        _ clock: RouteClock, huts: [(share: Double, lodging: StageSplit.Lodging)], days: Int,
        isClosed: @escaping (StageSplit.Lodging, Int) -> Bool = { _, _ in false }
    ) {
        self.clock = clock
        self.days = days
        self.isClosed = isClosed
        let total = clock.time(at: 1)
        let inner = huts.filter { $0.share > 1e-6 && $0.share < 1 - 1e-3 }
        let equal = (1..<max(2, days)).map { clock.share(after: total * Double($0) / Double(days)) }
        let all =
            inner.map { (share: $0.share, lodging: Optional($0.lodging)) }
            + equal.map { (share: $0, lodging: nil) }
        let sorted = all.sorted {
            ($0.share, $0.lodging == nil ? 1 : 0, $0.lodging?.name ?? "")
                < ($1.share, $1.lodging == nil ? 1 : 0, $1.lodging?.name ?? "")
        }
        let last = huts.last { 1 - $0.share < 1e-3 }?.lodging
        ends =
            [(0, 0, nil)] + sorted.map { ($0.share, clock.time(at: $0.share), $0.lodging) }
            + [(1, total, last)]
    }

    /// The days.
    func stages<T: TraceRecorder>(trace: inout T) -> [StageSplit.Stage] {
        let mean = (ends.last?.seconds ?? 0) / Double(days)
        guard mean > 0 else { return [] }
        let last = ends.count - 1
        var cost = ends.indices.map { $0 == 0 ? 0 : Double.infinity }
        var from: [[Int]] = []
        for day in 1...days {
            var next = [Double](repeating: .infinity, count: ends.count)
            var before = [Int](repeating: 0, count: ends.count)
            for end in ends.indices.dropFirst() where day < days || end == last {
                // Only the last day ends at the end of the route.
                if day < days, end == last { continue }
                if let place = ends[end].lodging, isClosed(place, day) { continue }
                let extra = end == last || ends[end].lodging != nil ? 0 : Self.withoutLodging
                for start in 0..<end where cost[start].isFinite && ends[start].share < ends[end].share {
                    let difference = (ends[end].seconds - ends[start].seconds) / mean - 1
                    let sum = cost[start] + difference * difference + extra
                    if sum < next[end] { (next[end], before[end]) = (sum, start) }
                }
            }
            cost = next
            from.append(before)
        }
        guard cost[last].isFinite else { return [] }
        var chosen = [last]
        for before in from.reversed() { chosen.append(before[chosen[chosen.count - 1]]) }
        chosen.reverse()
        record(chosen, mean, &trace)
        return zip(chosen, chosen.dropFirst()).map { start, end in
            StageSplit.Stage(
                from: ends[start].share, to: ends[end].share,
                seconds: ends[end].seconds - ends[start].seconds, lodging: ends[end].lodging)
        }
    }

    private func record<T: TraceRecorder>(_ chosen: [Int], _ mean: Double, _ trace: inout T) {
        for (index, end) in ends.enumerated().dropFirst() {
            let day = chosen.firstIndex(of: index)
            guard day != nil || end.lodging != nil else { continue }
            let difference = day.map { (end.seconds - ends[chosen[$0 - 1]].seconds) / mean - 1 }
            trace.record(
                .candidate(
                    [
                        ("day", Value(day) { .integer($0) }),
                        ("name", Value(end.lodging) { .text($0.name) }),
                        ("after", .quantity(.seconds(end.seconds.rounded()))),
                        ("difference", Value(difference) { .quantity(.share($0)) }),
                    ], day == nil ? .refused : .best,
                    why: day == nil
                        ? "the days would differ more with an end here"
                        : end.lodging == nil && index < ends.count - 1
                            ? "no accommodation is near enough to the end of an equal day"
                            : "the days differ least"))
        }
    }
}
