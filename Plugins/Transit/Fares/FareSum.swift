import Foundation

/// What the rides of a journey cost together. By fare_attributes.txt the cheapest sequence of tickets, each for one ride or for several
/// that its transfers and its duration allow; by fare_leg_rules.txt what `LegFareSum` says. Unknown stays unknown: a ride without a
/// fare, several currencies, lines of feeds with both kinds.
struct FareSum {
    /// A ride that is paid for.
    struct Ride: Sendable {
        var number: Int64
        var route: Feed.Route
        /// The stops from boarding to alighting.
        var stops: [StopRecord]
        /// Seconds since 1970.
        var departs: Int
        var arrives: Int
        /// Whether the rider stays seated from the ride before: that is no transfer.
        var isContinued: Bool
    }

    /// The sum of a journey.
    enum Outcome: Equatable {
        case sum(String)
        case unknown(String)

        /// `5.00 EUR`, or `unknown: no fare for line 2`.
        var words: String {
            switch self {
            case .sum(let text): text
            case .unknown(let why): "unknown: \(why)"
            }
        }
    }

    let table: FareTable
    let feed: Feed

    /// The sum of the rides of a journey; `nil` without rides or fares.
    func sum(_ rides: [Ride]) throws -> Outcome? {
        guard !rides.isEmpty, !table.isEmpty else { return nil }
        let byLegs = Set(rides.map(\.route.feed)).filter { table.hasLegRules(ofFeed: $0) }
        if !byLegs.isEmpty {
            guard rides.allSatisfy({ byLegs.contains($0.route.feed) }) else {
                return .unknown("these lines have fares of two kinds")
            }
            return try LegFareSum(table: table, feed: feed).sum(rides)
        }
        // The cheapest way to pay for the rides before each.
        var mixed: String?
        var best: [(amount: Decimal, currency: String)?] = [(0, "")]
        for end in rides.indices {
            var found: (amount: Decimal, currency: String)?
            for start in 0...end {
                guard let before = best[start] else { continue }
                let span = Span(rides[start...end])
                let tickets = table.tickets(
                    span.rides.map { ($0.number, $0.route) }, stops: span.rides.map(\.stops))
                // With it the sum may be less.
                if span.changes > 0, let ticket = tickets.first(where: { $0.transfers == nil }) {
                    return .unknown("how many transfers \(ticket.id) allows")
                }
                guard let ticket = span.cheapest(tickets) else { continue }
                guard let price = ticket.price else {
                    return .unknown(ticket.unknownPrice)
                }
                guard before.currency.isEmpty || before.currency == ticket.currency else {
                    mixed = "prices in \(before.currency) and \(ticket.currency)"
                    continue
                }
                let amount = before.amount + price
                if found.map({ amount < $0.amount }) ?? true { found = (amount, ticket.currency) }
            }
            best.append(found)
        }
        guard let total = best[rides.count] else {
            // The rides before this one can be paid for.
            let unpaid = best.lastIndex { $0 != nil } ?? 0
            return .unknown(mixed ?? "no fare for line \(rides[unpaid].route.name)")
        }
        return .sum("\(Self.text(total.amount, table.decimals)) \(total.currency)")
    }

    /// An amount with as many decimals as the feed's prices.
    static func text(_ amount: Decimal, _ decimals: Int) -> String {
        let parts = "\(amount)".split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? String(parts[1]) : ""
        let padded = fraction + String(repeating: "0", count: max(0, decimals - fraction.count))
        return padded.isEmpty ? String(parts[0]) : "\(parts[0]).\(padded)"
    }
}

/// Consecutive rides that one ticket may pay for.
private struct Span {
    let rides: ArraySlice<FareSum.Ride>
    /// How often the rider changes.
    let changes: Int
    /// Seconds from the first boarding to the last.
    let duration: Int

    init(_ rides: ArraySlice<FareSum.Ride>) {
        self.rides = rides
        changes = rides.dropFirst().count { !$0.isContinued }
        let first = rides.first?.departs ?? 0
        duration = (rides.last { !$0.isContinued }?.departs ?? first) - first
    }

    /// The cheapest of some tickets for these lines and stops whose transfers and duration allow the rides.
    func cheapest(_ tickets: [FareObject]) -> FareObject? {
        tickets.filter { ticket in
            if changes == 0 { return true }
            guard let most = ticket.transfers, changes <= most else { return false }
            return ticket.duration.map { duration <= $0 } ?? true
        }.min { ($0.price ?? 0, $0.id) < ($1.price ?? 0, $1.id) }
    }
}
