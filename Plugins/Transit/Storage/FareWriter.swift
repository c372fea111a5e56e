import GRDB

/// Writes the fares of feeds.
struct FareWriter {
    let content: FeedContent
    /// The numbers of stops and routes in the file.
    let stopNumber: [Int64]
    let routeNumber: [Int64]

    func write(_ db: Database) throws {
        try writeFares(db)
        try writeRules(db)
        try writePlaces(db)
        try writeTransfers(db)
    }

    private func writeFares(_ db: Database) throws {
        var insert = try TableInsert(
            db, "fares",
            [
                "fare", "feed", "fare_id", "name", "amount", "currency", "terms", "agency_id", "transfers",
                "duration", "anyone", "medium",
            ])
        for (index, fare) in content.fares.enumerated() {
            insert.bind(Int64(index) + 1)
            insert.bind(Int64(fare.feed) + 1)
            for text in [fare.id, fare.name, fare.amount, fare.currency, fare.terms, fare.agency] {
                insert.bind(text)
            }
            insert.bind(fare.transfers.map { Int64($0) })
            insert.bind(fare.duration.map { Int64($0) })
            insert.bind(fare.isForAnyone)
            insert.bind(fare.medium)
            try insert.run()
        }
    }

    private func writeRules(_ db: Database) throws {
        var rules = try TableInsert(
            db, "fare_rules",
            [
                "fare", "kind", "rid", "network", "origin", "destination", "contains", "priority", "times",
                "leg_group", "departs", "arrives",
            ])
        for rule in content.fareRules {
            rules.bind(Int64(rule.fare) + 1)
            rules.bind(Int64(rule.kind.rawValue))
            rules.bind(rule.route < 0 ? nil : routeNumber[Int(rule.route)])
            for text in [rule.network, rule.origin, rule.destination, rule.contains] { rules.bind(text) }
            rules.bind(rule.priority.map { Int64($0) })
            for text in [rule.times, rule.group, rule.departs, rule.arrives] { rules.bind(text) }
            try rules.run()
        }
        var frames = try TableInsert(
            db, "fare_frames", ["frame", "start_secs", "end_secs", "service_id"])
        for row in content.fareFrames {
            frames.bind(row.frame)
            frames.bind(Int64(row.start))
            frames.bind(Int64(row.end))
            if row.service < 0 {
                frames.bind(nil as String?)
            } else {
                frames.bind(content.serviceIDs, Int(row.service))
            }
            try frames.run()
        }
    }

    private func writePlaces(_ db: Database) throws {
        var zones = try TableInsert(db, "fare_zones", ["sid", "kind", "zone"])
        for row in content.fareZones {
            zones.bind(stopNumber[Int(row.stop)])
            zones.bind(Int64(row.kind.rawValue))
            zones.bind(row.zone)
            try zones.run()
        }
        var networks = try TableInsert(db, "route_networks", ["rid", "network"])
        for row in content.routeNetworks {
            networks.bind(routeNumber[Int(row.route)])
            networks.bind(row.network)
            try networks.run()
        }
    }

    private func writeTransfers(_ db: Database) throws {
        var insert = try TableInsert(
            db, "fare_transfers",
            ["feed", "from_group", "to_group", "count", "duration", "duration_type", "type", "fare"])
        for row in content.fareTransfers {
            insert.bind(Int64(row.feed) + 1)
            insert.bind(row.from)
            insert.bind(row.to)
            for number in [row.count, row.duration, row.durationType] {
                insert.bind(number.map { Int64($0) })
            }
            insert.bind(Int64(row.type))
            insert.bind(row.fare < 0 ? nil : Int64(row.fare) + 1)
            try insert.run()
        }
        var joins = try TableInsert(
            db, "fare_joins", ["feed", "from_network", "to_network", "from_stop", "to_stop"])
        for row in content.fareJoins {
            joins.bind(Int64(row.feed) + 1)
            for text in [row.from, row.to, row.fromStop, row.toStop] { joins.bind(text) }
            try joins.run()
        }
    }
}
