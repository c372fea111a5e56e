import Foundation

/// What the rides of a journey cost together by fare_leg_rules.txt and fare_transfer_rules.txt, for a rider of no special category:
/// of all rules that fit, and of all media that pay for the whole journey, the cheapest. What the feed leaves open is unknown.
struct LegFareSum {
    let table: FareTable
    let feed: Feed

    /// Why there is no sum.
    private struct Unknown: Error {
        let why: String

        init(_ why: String) { self.why = why }
    }

    /// A ride that is paid for, with what it may cost.
    private struct Leg {
        var ride: FareSum.Ride
        var rules: [FareRule]
    }

    /// Rides paid so far.
    private struct Paid {
        var amount: Decimal
        /// Empty before the first ride.
        var currency: String
        /// The group of the last leg, and what was paid for that leg itself; `nil` if it was not paid by itself.
        var group: String?
        var own: Decimal?
        /// The rule of the last transfer, how often it was applied one after another, and the first leg of these.
        var rule: Int?
        var count = 0
        var first = 0
    }

    /// The sum of the rides of a journey.
    func sum(_ rides: [FareSum.Ride]) throws -> FareSum.Outcome {
        guard let own = table.legs else {
            return .unknown("the feed was imported by a version that did not read these fares")
        }
        do {
            let legs = try legs(rides, own)
            let media = Set(
                (legs.flatMap { $0.rules.map(\.fare) } + own.transfers.compactMap(\.fare))
                    .map { table.fares[$0] }.filter(\.isForAnyone).compactMap(\.medium)
            ).sorted()
            var found: [(medium: String, paid: Paid)] = []
            // Also without any of them.
            for medium in [""] + media {
                guard
                    let paid = try cheapest(legs, 0, Paid(amount: 0, currency: ""), medium: medium, own)
                else { continue }
                found.append((medium, paid))
            }
            guard let best = found.min(by: { $0.paid.amount < $1.paid.amount }) else {
                return .unknown(withoutFare(legs))
            }
            let currencies = Set(found.map(\.paid.currency)).sorted()
            guard currencies.count == 1 else {
                return .unknown("prices in \(currencies.joined(separator: " and "))")
            }
            guard best.paid.amount >= 0 else { return .unknown("its parts add up to less than nothing") }
            // The medium matters unless none is needed, or all there are cost the same.
            let isForAll =
                best.medium.isEmpty
                || found.count == media.count && found.allSatisfy { $0.paid.amount == best.paid.amount }
            return .sum(
                "\(FareSum.text(best.paid.amount, table.decimals)) \(best.paid.currency)"
                    + (isForAll ? "" : " with \(best.medium)"))
        } catch let unknown as Unknown {
            return .unknown(unknown.why)
        }
    }

    /// The legs that are paid for: a rider who stays seated in one network makes one, and rides that a rule joins are one.
    private func legs(_ rides: [FareSum.Ride], _ own: LegFares) throws -> [Leg] {
        var whole: [FareSum.Ride] = []
        for ride in rides {
            guard ride.isContinued, let last = whole.last else {
                whole.append(ride)
                continue
            }
            guard networks(last) == networks(ride), last.route.feed == ride.route.feed else {
                throw Unknown("the rider stays seated into a line of another network")
            }
            whole[whole.count - 1].stops += ride.stops
            whole[whole.count - 1].arrives = ride.arrives
        }
        return try joined(whole, own).map { ride in
            let found = try table.legRules(
                ofRoute: ride.number, ride.route, stops: ride.stops,
                during: ride.departs...max(ride.departs, ride.arrives), feed)
            guard found.isAtTime || !found.rules.contains(where: { $0.departs != nil || $0.arrives != nil })
            else { throw Unknown("when fares of line \(ride.route.name) are valid") }
            return Leg(ride: ride, rules: found.rules)
        }
    }

    private func networks(_ ride: FareSum.Ride) -> Set<String> { table.networks[ride.number] ?? [] }

    /// Rides with those that rules join to them, from the first stop of the first to the last stop of the last.
    private func joined(_ rides: [FareSum.Ride], _ own: LegFares) throws -> [FareSum.Ride] {
        guard var whole = rides.first.map({ [$0] }) else { return [] }
        for (before, after) in zip(rides, rides.dropFirst()) {
            guard own.joins.contains(where: { joins($0, before, after) }) else {
                whole.append(after)
                continue
            }
            // The rules for legs are about a network.
            guard networks(before) == networks(after) else {
                throw Unknown("lines \(before.route.name) and \(after.route.name) may count as one ride")
            }
            whole[whole.count - 1].stops += after.stops
            whole[whole.count - 1].arrives = after.arrives
        }
        return whole
    }

    private func joins(_ join: LegFares.Join, _ before: FareSum.Ride, _ after: FareSum.Ride) -> Bool {
        func isAt(_ stop: StopRecord?, _ id: String?) -> Bool {
            id.map { stop?.id == $0 || stop?.parent == $0 } ?? true
        }
        return join.feed == before.route.feed && join.feed == after.route.feed
            && join.from.map(networks(before).contains) ?? true
            && join.to.map(networks(after).contains) ?? true
            && isAt(before.stops.last, join.fromStop) && isAt(after.stops.first, join.toStop)
    }

    private func withoutFare(_ legs: [Leg]) -> String {
        if let leg = legs.first(where: { $0.rules.isEmpty }) {
            return "no fare for line \(leg.ride.route.name)"
        }
        if let leg = legs.first(where: { !$0.rules.contains { table.fares[$0.fare].isForAnyone } }) {
            return "fares of line \(leg.ride.route.name) are for certain riders alone"
        }
        return "no way to pay for all rides"
    }

    /// The price of a fare that this rider may buy; `nil` if not.
    private func price(_ fare: Int, _ medium: String) throws -> (amount: Decimal, currency: String)? {
        let own = table.fares[fare]
        guard own.isForAnyone, own.medium.map({ $0 == medium }) ?? true else { return nil }
        guard let amount = own.signedPrice else {
            throw Unknown(own.unknownPrice)
        }
        return (amount, own.currency)
    }

    /// The cheapest way to pay for the legs from one on, after those paid so far; `nil` if there is none.
    private func cheapest(
        _ legs: [Leg], _ index: Int, _ paid: Paid, medium: String, _ own: LegFares
    ) throws -> Paid? {
        guard index < legs.count else { return paid }
        // Of rules of one group the cheapest fare counts.
        var prices: [String?: (amount: Decimal, currency: String)] = [:]
        for rule in legs[index].rules {
            guard let price = try price(rule.fare, medium) else { continue }
            if let known = prices[rule.group] {
                guard known.currency == price.currency else {
                    throw Unknown(
                        "prices in \([known.currency, price.currency].sorted().joined(separator: " and "))")
                }
                if known.amount <= price.amount { continue }
            }
            prices[rule.group] = price
        }
        var best: Paid?
        for group in prices.keys.sorted(by: { ($0 ?? "") < ($1 ?? "") }) {
            guard let price = prices[group] else { continue }
            for next in try after(paid, legs, index, group, price, medium, own) {
                guard let whole = try cheapest(legs, index + 1, next, medium: medium, own) else { continue }
                if best.map({ whole.amount < $0.amount }) ?? true { best = whole }
            }
        }
        return best
    }

    /// What is paid after one more leg: by each rule for the transfer to it, else for the leg by itself.
    private func after(
        _ paid: Paid, _ legs: [Leg], _ index: Int, _ group: String?,
        _ price: (amount: Decimal, currency: String), _ medium: String, _ own: LegFares
    ) throws -> [Paid] {
        var found: [Paid] = []
        if index > 0, let from = paid.group, let to = group,
            legs[index - 1].ride.route.feed == legs[index].ride.route.feed
        {
            for rule in own.rules(from, to, ofFeed: legs[index].ride.route.feed) {
                let transfer = own.transfers[rule]
                let extra = try transfer.fare.map { try self.price($0, medium) } ?? (0, price.currency)
                guard let extra, try applies(rule, transfer, paid, legs, index) else { continue }
                guard Set([paid.currency, price.currency, extra.currency]).count == 1 else {
                    throw Unknown("prices in several currencies")
                }
                var next = paid
                (next.group, next.rule) = (group, rule)
                next.count = paid.rule == rule ? paid.count + 1 : 1
                if paid.rule != rule { next.first = index - 1 }
                switch transfer.type {
                case 0:
                    next.amount += extra.amount
                    next.own = nil
                case 1:
                    next.amount += extra.amount + price.amount
                    next.own = price.amount
                case 2:
                    guard let before = paid.own else {
                        throw Unknown("what the transfer to line \(legs[index].ride.route.name) replaces")
                    }
                    next.amount += extra.amount - before
                    next.own = nil
                default: throw Unknown("what the transfer to line \(legs[index].ride.route.name) costs")
                }
                found.append(next)
            }
        }
        if !found.isEmpty { return found }
        // Amounts of two currencies have no sum.
        guard paid.currency.isEmpty || paid.currency == price.currency else {
            throw Unknown("prices in \(paid.currency) and \(price.currency)")
        }
        return [
            Paid(
                amount: paid.amount + price.amount, currency: price.currency, group: group, own: price.amount)
        ]
    }

    /// Whether a rule for transfers applies to the one to a leg, by its count and its duration.
    private func applies(
        _ rule: Int, _ transfer: LegFares.Transfer, _ paid: Paid, _ legs: [Leg], _ index: Int
    ) throws -> Bool {
        let isRepeated = paid.rule == rule
        if transfer.from != nil, transfer.from == transfer.to {
            guard let most = transfer.count else {
                throw Unknown("how often one may change to line \(legs[index].ride.route.name)")
            }
            if isRepeated, paid.count >= most { return false }
        }
        guard let limit = transfer.duration else { return true }
        let next = legs[index].ride
        func lasts(since first: FareSum.Ride) throws -> Int {
            switch transfer.durationType {
            case 0: next.arrives - first.departs
            case 1: next.departs - first.departs
            case 2: next.departs - first.arrives
            case 3: next.arrives - first.arrives
            default: throw Unknown("how the time of the transfer to line \(next.route.name) counts")
            }
        }
        guard limit >= 0 else { throw Unknown("how long one may change to line \(next.route.name)") }
        if try lasts(since: legs[index - 1].ride) > limit { return false }
        if isRepeated, try lasts(since: legs[paid.first].ride) > limit {
            throw Unknown("from which ride on the time of the transfer to line \(next.route.name) counts")
        }
        return true
    }
}
