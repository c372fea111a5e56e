import PluginKit

/// Assigns the stop time updates of a trip to its calls: both in the order of the trip. A stop that the trip
/// calls at twice is told by stop_sequence, else by the predicted time; a stop_sequence that contradicts the
/// stop is not trusted. Of entries for one stop_sequence that contradict each other none is used.
struct CallAssignment {
    let calls: [UpdatedCalls.Call]
    var updates: [RealtimeFeed.StopUpdate]
    /// The station of a stop.
    let station: (String) -> String?

    /// The update of each call, and what is doubtful.
    struct Found {
        var updates: [RealtimeFeed.StopUpdate?]
        var doubts: [String]
    }

    enum Outcome {
        case found(Found)
        case refused(String)
    }

    /// The price of an update without a call: more than any difference of times.
    private static let unassigned = 1 << 40
    private static let impossible = Int.max / 2

    func find() -> Outcome {
        guard !updates.isEmpty else { return .found(Found(updates: calls.map { _ in nil }, doubts: [])) }
        if let plain = plain() { return .found(plain) }
        var own = self
        own.joinMoves()
        var doubts = own.joinRepeated()
        if own.updates.isEmpty { return .refused("its entries for each stop contradict each other") }
        if let stray = own.dropUnknownNumbers() {
            doubts.append("the trip has no call with stop_sequence \(stray): that entry is not used")
        }
        return own.inOrder(doubts)
    }

    /// Some producers write a call that is moved to a stop beside the trip as two entries of its number, of which that of the planned
    /// stop is SKIPPED: one entry whose stop is assigned.
    private mutating func joinMoves() {
        for skipped in updates where skipped.relationship == .skipped && skipped.sequence != nil {
            let same = updates.indices.filter { updates[$0].sequence == skipped.sequence }
            guard same.count == 2, let planned = same.first(where: { updates[$0] == skipped }),
                let other = same.first(where: { $0 != planned }),
                calls.contains(where: { $0.sequence == skipped.sequence && $0.stop == skipped.stop }),
                updates[other].relationship == .scheduled, !updates[other].stop.isEmpty,
                (updates[other].assignedStop ?? "").isEmpty,
                !calls.contains(where: { [$0.stop, $0.station].contains(updates[other].stop) })
            else { continue }
            updates[other].assignedStop = updates[other].stop
            updates[other].stop = skipped.stop
            updates.remove(at: planned)
        }
    }

    /// Joins entries that repeat a stop_sequence: those that are alike count once, others not at all, which is said.
    private mutating func joinRepeated() -> [String] {
        struct Key: Hashable {
            let sequence: Int?
            let stop: String

            init(_ update: RealtimeFeed.StopUpdate) { (sequence, stop) = (update.sequence, update.stop) }
        }
        let groups = Dictionary(grouping: updates, by: Key.init)
        var doubts: [String] = []
        var kept: [RealtimeFeed.StopUpdate] = []
        var joined: Set<Key> = []
        for update in updates {
            let key = Key(update)
            guard update.sequence != nil, let same = groups[key], same.count > 1 else {
                kept.append(update)
                continue
            }
            guard joined.insert(key).inserted else { continue }
            guard same.allSatisfy({ $0 == update }) else {
                let name = update.stop.isEmpty ? "stop_sequence \(update.sequence ?? 0)" : update.stop
                let doubt = "its \(same.count) entries for \(name) contradict each other: none is used"
                if !doubts.contains(doubt) { doubts.append(doubt) }
                continue
            }
            kept.append(update)
        }
        updates = kept
        return doubts
    }

    /// Drops entries without a stop or beside such ones whose numbers the trip does not have, and returns the first number. Where
    /// all numbers would fit if one counted from elsewhere, none is dropped: the others may be about other calls, too.
    private mutating func dropUnknownNumbers() -> Int? {
        let numbers = Set(calls.compactMap(\.sequence))
        func isUnknown(_ update: RealtimeFeed.StopUpdate) -> Bool {
            update.sequence.map { !numbers.contains($0) } ?? false
        }
        let others = updates.filter { !isUnknown($0) }
        guard updates.contains(where: \.stop.isEmpty), let stray = updates.first(where: isUnknown),
            !others.isEmpty,
            others.allSatisfy({ own in
                own.sequence == nil || calls.contains { isSame(own, $0, bySequence: true) }
            })
        else { return nil }
        let given = updates.compactMap(\.sequence)
        let shifts = numbers.map { $0 - (given.first ?? 0) }.filter { $0 != 0 }
        if shifts.contains(where: { shift in given.allSatisfy { numbers.contains($0 + shift) } }) {
            return nil
        }
        updates = others
        return stray.sequence
    }

    private func inOrder(_ known: [String]) -> Outcome {
        var ordered = updates
        if updates.allSatisfy({ $0.sequence != nil }) {
            ordered = updates.enumerated().sorted {
                ($0.element.sequence ?? 0, $0.offset) < ($1.element.sequence ?? 0, $1.offset)
            }.map(\.element)
        }
        var doubts =
            known
            + ordered.compactMap(\.unknownRelationship).prefix(1).map {
                "its stop relationship \($0) is unknown"
            }
        let bySequence = ordered.allSatisfy { update in
            update.sequence == nil || calls.contains { isSame(update, $0, bySequence: true) }
        }
        if !bySequence {
            guard updates.allSatisfy({ !$0.stop.isEmpty }) else {
                let foreign = ordered.first { update in
                    update.sequence != nil && !calls.contains { isSame(update, $0, bySequence: true) }
                }
                return .refused("the trip has no call with stop_sequence \(foreign?.sequence ?? 0)")
            }
            ordered = updates
            doubts.append("its stop_sequence contradicts its stops: the stops are used")
        }
        return assign(ordered, bySequence: bySequence, doubts: doubts)
    }

    /// The usual case: each update has the stop_sequence of another call, in order, and its stop; `nil` for any
    /// other.
    private func plain() -> Found? {
        var found: [RealtimeFeed.StopUpdate?] = Array(repeating: nil, count: calls.count)
        var next = 0
        for update in updates {
            guard let sequence = update.sequence, update.unknownRelationship == nil else { return nil }
            while next < calls.count, calls[next].sequence.map({ $0 < sequence }) ?? false { next += 1 }
            guard next < calls.count, calls[next].sequence == sequence,
                update.stop.isEmpty || update.stop == calls[next].stop
            else { return nil }
            found[next] = update
            next += 1
        }
        return Found(updates: found, doubts: [])
    }

    private func assign(
        _ ordered: [RealtimeFeed.StopUpdate], bySequence: Bool, doubts: [String]
    ) -> Outcome {
        // The least price of the first updates among the first calls.
        let width = calls.count + 1
        var prices = [Int](repeating: 0, count: (ordered.count + 1) * width)
        for (row, update) in ordered.enumerated() {
            prices[(row + 1) * width] = (row + 1) * Self.unassigned
            for (column, call) in calls.enumerated() {
                let at = (row + 1) * width + column + 1
                prices[at] = min(
                    prices[at - 1], prices[at - width] + Self.unassigned,
                    prices[at - width - 1] + price(update, call, bySequence: bySequence))
            }
        }
        let (early, late) = (
            trace(prices, ordered, bySequence, isEarly: true),
            trace(prices, ordered, bySequence, isEarly: false)
        )
        if let row = early.indices.first(where: { early[$0] != late[$0] }) {
            return .refused(
                "the trip is at \(ordered[row].stop) more than once, and neither a stop_sequence nor a time tells which"
            )
        }
        var doubts = doubts
        let strays = early.indices.filter { early[$0] == nil }.map { ordered[$0] }
        if let stray = strays.first {
            if strays.count == ordered.count { return .refused("the trip calls at none of its stops") }
            let name = stray.stop.isEmpty ? "stop_sequence \(stray.sequence ?? 0)" : stray.stop
            if calls.contains(where: { isSame(stray, $0, bySequence: bySequence) }) {
                return .refused("its entry for \(name) is out of the trip's order")
            }
            doubts.append("the trip does not call at \(name): that entry is not used")
        }
        var found: [RealtimeFeed.StopUpdate?] = calls.map { _ in nil }
        for (row, call) in early.enumerated() { if let call { found[call] = ordered[row] } }
        return .found(Found(updates: found, doubts: doubts))
    }

    /// The call of each update with the least price; of equal ones the earliest or the latest calls.
    private func trace(
        _ prices: [Int], _ ordered: [RealtimeFeed.StopUpdate], _ bySequence: Bool, isEarly: Bool
    ) -> [Int?] {
        let width = calls.count + 1
        var found = [Int?](repeating: nil, count: ordered.count)
        var (row, column) = (ordered.count, calls.count)
        while row > 0 {
            let at = row * width + column
            let isLater = column > 0 && prices[at] == prices[at - 1]
            let isHere =
                column > 0
                && prices[at] == prices[at - width - 1]
                    + price(ordered[row - 1], calls[column - 1], bySequence: bySequence)
            if isHere, !(isEarly && isLater) {
                found[row - 1] = column - 1
                (row, column) = (row - 1, column - 1)
            } else if isLater {
                column -= 1
            } else {
                row -= 1
            }
        }
        return found
    }

    private func price(
        _ update: RealtimeFeed.StopUpdate, _ call: UpdatedCalls.Call, bySequence: Bool
    ) -> Int {
        guard isSame(update, call, bySequence: bySequence) else { return Self.impossible }
        let times = [(update.arrival?.time, call.arrival), (update.departure?.time, call.departure)]
        return times.compactMap { time, planned in time.map { abs($0 - planned) } }.max() ?? 0
    }

    /// Whether an update can be about a call.
    private func isSame(
        _ update: RealtimeFeed.StopUpdate, _ call: UpdatedCalls.Call, bySequence: Bool
    ) -> Bool {
        let isStop = update.stop == call.stop || update.stop == call.station
        guard bySequence, let sequence = update.sequence else { return !update.stop.isEmpty && isStop }
        guard let own = call.sequence else {
            // A number is that of a call of the trip, not of one that a detour has at the same stop.
            return !update.stop.isEmpty && isStop && !calls.contains { $0.sequence == sequence }
        }
        guard sequence == own else { return false }
        if update.stop.isEmpty || isStop { return true }
        // Another platform of the same station: a change of platform.
        return call.station.map { station(update.stop) == $0 } ?? false
    }
}
