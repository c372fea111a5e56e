import GRDB
import TrailStores

/// A call at the stops of a board.
struct FoundCall {
    var call: StopCall
    /// Whether it is at the end of the trip that has no such event.
    var isEnd: Bool
    /// Why it is no row of the board; `nil` if it is one.
    var reason: String?
    /// The first call of its visit: of the pattern's calls at the board's stops with no other stop between them.
    var visit: Int64

    init(call: StopCall, isEnd: Bool, reason: String?) {
        (self.call, self.isEnd, self.reason) = (call, isEnd, reason)
        visit = call.sequence
    }
}

/// Calls of a pattern at the stops of a board, one after the other. They are one visit. Those at one stop are a layover: the vehicle
/// arrives with the first and leaves with the last of them.
struct Layovers {
    private let next: RawStatement

    init(_ feed: Feed, _ db: Database) throws {
        next = try RawStatement(
            db,
            """
            SELECT stop_sequence FROM \(feed.layout.calls) WHERE pid = ?1 AND stop_sequence > ?2
              ORDER BY stop_sequence LIMIT 1
            """, isCached: true)
    }

    /// Finds the visits, and refuses the calls of layovers that are no event of a side of the board.
    func settle(_ found: inout [FoundCall], _ side: BoardSide) throws {
        var groups: [Int64: [Int]] = [:]
        for index in found.indices { groups[found[index].call.pattern, default: []].append(index) }
        for pattern in groups.keys.sorted() {
            guard let group = groups[pattern], group.count > 1 else { continue }
            let order = group.sorted { found[$0].call.sequence < found[$1].call.sequence }
            let joined = try zip(order, order.dropFirst()).filter {
                try isNext(found[$0].call, found[$1].call)
            }
            for (first, second) in joined { found[second].visit = found[first].visit }
            let pairs = joined.filter { found[$0].call.stop == found[$1].call.stop }
            // From the call that is the event to those before or after it.
            switch side {
            case .departures:
                for (first, second) in pairs.reversed() { found[first].stay(beside: found[second]) }
            case .arrivals: for (first, second) in pairs { found[second].stay(beside: found[first]) }
            }
        }
    }

    private func isNext(_ call: StopCall, _ other: StopCall) throws -> Bool {
        next.reset()
        next.bind(1, call.pattern)
        next.bind(2, call.sequence)
        return try next.next() && next.integer(0) == other.sequence
    }
}

extension FoundCall {
    /// Takes the call for a part of the same layover as another, which is the event of both if it is one.
    fileprivate mutating func stay(beside other: FoundCall) {
        if other.isEnd {
            (isEnd, reason) = (true, reason ?? other.reason)
        } else if other.reason == nil || other.reason == Self.stays {
            reason = reason ?? Self.stays
        }
    }

    private static let stays = "the vehicle stays here"
}
