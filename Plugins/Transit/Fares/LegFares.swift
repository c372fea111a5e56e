import CivilTime
import Foundation
import GRDB
import TrailStores

/// The timeframes and the rules for transfers of the newer generation of fares (GTFS-Fares V2).
struct LegFares: Sendable {
    /// A part of a timeframe.
    private struct Frame: Sendable {
        /// Seconds of the local day; `nil` if the feed does not say.
        var span: Range<Int>?
        /// `nil` for a service that the timetable does not have.
        var service: Int?
    }

    /// What a transfer costs.
    struct Transfer: Sendable {
        var feed: Int
        /// The groups of the legs before and after it; `nil` for those that no other rule names.
        var from: String?
        var to: String?
        /// How often it applies one after another, `Int.max` without a limit; `nil` if the feed does not say.
        var count: Int?
        /// Seconds within which it must be made; `nil` without a limit.
        var duration: Int?
        var durationType: Int?
        /// `fare_transfer_type`: whether the leg before (0), both legs (1) or none (2) are paid beside the transfer.
        var type: Int
        /// The fare's index; `nil` for a free transfer.
        var fare: Int?
    }

    /// Two rides one after another that count as one leg: of networks, and with a change between stops or stations; `nil` for any.
    struct Join: Sendable {
        var feed: Int
        var from: String?
        var to: String?
        var fromStop: String?
        var toStop: String?
    }

    private var frames: [String: [Frame]] = [:]
    private(set) var transfers: [Transfer] = []
    private(set) var joins: [Join] = []
    /// All groups of rules for legs.
    var groups: Set<String> = []

    /// Reads those of a feed with a number of fares.
    init(_ db: Database, _ calendar: ServiceCalendar, fares: Int) throws {
        let framed = try RawStatement(
            db, "SELECT frame, start_secs, end_secs, service_id FROM fare_frames ORDER BY rowid")
        while try framed.next() {
            let (start, end) = (Int(framed.integer(1)), Int(framed.integer(2)))
            frames[framed.text(0) ?? "", default: []].append(
                Frame(
                    span: start >= 0 && end > start ? start..<end : nil,
                    service: framed.bytes(3).flatMap(calendar.services.find)))
        }
        let rows = try RawStatement(
            db,
            """
            SELECT feed, from_group, to_group, count, duration, duration_type, type, fare FROM fare_transfers
              ORDER BY rowid
            """)
        func number(_ column: Int32) -> Int? { rows.isNull(column) ? nil : Int(rows.integer(column)) }
        while try rows.next() {
            let fare = number(7)
            // A damaged file may name a fare that it does not have: its price is unknown, and the transfer is not free.
            let isKnown = fare.map { $0 >= 1 && $0 <= fares } ?? true
            transfers.append(
                Transfer(
                    feed: max(0, Int(rows.integer(0)) - 1), from: rows.text(1), to: rows.text(2),
                    count: number(3).flatMap { $0 == -1 ? .max : $0 > 0 ? $0 : nil }, duration: number(4),
                    durationType: number(5),
                    type: isKnown ? Int(rows.integer(6)) : Int(FareTransferRow.meaningless),
                    fare: isKnown ? fare.map { $0 - 1 } : nil))
        }
        let hasStops = try db.columns(in: "fare_joins").contains { $0.name == "from_stop" }
        let joined = try RawStatement(
            db,
            "SELECT feed, from_network, to_network, \(hasStops ? "from_stop, to_stop" : "NULL, NULL") "
                + "FROM fare_joins ORDER BY rowid")
        while try joined.next() {
            joins.append(
                Join(
                    feed: max(0, Int(joined.integer(0)) - 1), from: joined.text(1), to: joined.text(2),
                    fromStop: joined.text(3), toStop: joined.text(4)))
        }
    }

    /// Whether an instant is within a timeframe, by the local clock and the service of its day; `nil` if the feed does not say.
    func isWithin(_ frame: String, _ moment: Int, in zone: TimeZone, _ feed: Feed) -> Bool? {
        guard let parts = frames[frame] else { return nil }
        let local = Timestamp(milliseconds: Int64(moment) * 1000).civil(in: zone)
        let seconds = moment - StopBoard.bounds(of: local.date, in: zone).lowerBound
        let active = feed.services(on: local.date)
        var isKnown = true
        for part in parts {
            guard let span = part.span, let service = part.service else {
                isKnown = false
                continue
            }
            if span.contains(seconds), active.runs[service] { return true }
        }
        return isKnown ? false : nil
    }

    /// The rules for a transfer: those that name both groups, else those whose empty fields stand for the groups that no
    /// rule names.
    func rules(_ from: String, _ to: String, ofFeed feed: Int) -> [Int] {
        let own = transfers.indices.filter { transfers[$0].feed == feed }
        let exact = own.filter { transfers[$0].from == from && transfers[$0].to == to }
        if !exact.isEmpty { return exact }
        let named = (
            from: Set(own.compactMap { transfers[$0].from }), to: Set(own.compactMap { transfers[$0].to })
        )
        return own.filter { index in
            let rule = transfers[index]
            guard rule.from == nil || rule.to == nil else { return false }
            let isFrom = rule.from.map { $0 == from } ?? (groups.contains(from) && !named.from.contains(from))
            let isTo = rule.to.map { $0 == to } ?? (groups.contains(to) && !named.to.contains(to))
            return isFrom && isTo
        }
    }
}
