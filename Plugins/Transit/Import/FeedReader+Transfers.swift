import PluginKit

extension FeedReader {
    /// Reads transfers.txt. Rules about routes or trips that the feed does not have are counted and skipped; of two rules about
    /// one change the first counts.
    mutating func readTransfers() throws {
        guard !isWithoutStops, var rows = try open(.transfers, required: []) else { return }
        let (from, to) = (rows.column("from_stop_id"), rows.column("to_stop_id"))
        let (type, time) = (rows.column("transfer_type"), rows.column("min_transfer_time"))
        let special = ["from_route_id", "to_route_id", "from_trip_id", "to_trip_id"].map(rows.column)
        var known: Set<TransferRuleRow> = []
        /// Whether a rule about the same change stands before.
        func isRepeated(_ rule: TransferRuleRow) throws -> Bool {
            var change = rule
            (change.stops.type, change.stops.seconds) = (-1, -1)
            if known.insert(change).inserted { return false }
            try problems.add(
                .transfers, line: rows.line,
                .duplicate("from_stop_id and to_stop_id", "\(rows.text(from)), \(rows.text(to))"))
            return true
        }
        while try rows.next(&problems, progress: progress) {
            let kind = rows[type].isEmpty ? 0 : rows.integer(type)
            if let kind, kind == 4 || kind == 5 {
                let trips = special.suffix(2).map { rows.find($0, in: content.tripIDs) }
                guard let from = trips[0], let to = trips[1] else {
                    let side = trips[0] == nil ? 0 : 1
                    try noteInformation(
                        .transfers, line: rows.line,
                        .unknown(["from_trip_id", "to_trip_id"][side], rows.text(special[2 + side])), .dropped
                    )
                    continue
                }
                // Seats are no change at a stop.
                let seats = TransferRow(from: -1, to: -1, type: Int32(kind), seconds: -1)
                let rule = TransferRuleRow(
                    stops: seats, fromRoute: -1, toRoute: -1, fromTrip: Int32(from), toTrip: Int32(to))
                if try isRepeated(rule) { continue }
                content.tripTransfers.append(
                    TripTransferRow(from: rule.fromTrip, to: rule.toTrip, mayStay: kind == 4))
                continue
            }
            let isSpecial = special.contains { !rows[$0].isEmpty }
            let stops = [from, to].map { rows.find($0, in: content.stopIDs) }
            let seconds = rows[time].isEmpty ? -1 : rows.integer(time)
            var wrong: FeedFault?
            if seconds.map({ $0 > TransitSettings.latestTime }) ?? true {
                wrong = .invalid("min_transfer_time", rows.text(time), .whole)
            }
            if kind.map({ $0 > 3 }) ?? true { wrong = .invalid("transfer_type", rows.text(type), .choice) }
            if stops[1] == nil { wrong = .unknown("to_stop_id", rows.text(to)) }
            if stops[0] == nil { wrong = .unknown("from_stop_id", rows.text(from)) }
            guard wrong == nil, let start = stops[0], let end = stops[1], let kind, let seconds else {
                try problems.add(.transfers, line: rows.line, wrong ?? .line)
                continue
            }
            let row = TransferRow(
                from: Int32(start), to: Int32(end), type: Int32(kind), seconds: Int32(seconds))
            guard isSpecial else {
                if try isRepeated(
                    TransferRuleRow(stops: row, fromRoute: -1, toRoute: -1, fromTrip: -1, toTrip: -1))
                {
                    continue
                }
                content.transfers.append(row)
                continue
            }
            let routes = special.prefix(2).map { rows[$0].isEmpty ? -1 : rows.find($0, in: content.routeIDs) }
            let trips = special.suffix(2).map { rows[$0].isEmpty ? -1 : rows.find($0, in: content.tripIDs) }
            guard let fromRoute = routes[0], let toRoute = routes[1], let fromTrip = trips[0],
                let toTrip = trips[1]
            else {
                content.skippedTransfers += 1
                continue
            }
            let rule = TransferRuleRow(
                stops: row, fromRoute: Int32(fromRoute), toRoute: Int32(toRoute), fromTrip: Int32(fromTrip),
                toTrip: Int32(toTrip))
            if try !isRepeated(rule) { content.transferRules.append(rule) }
        }
    }
}
