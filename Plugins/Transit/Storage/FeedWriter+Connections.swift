import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// What joins stops and trips: transfers and their rules, pathways, requests, translations.
extension FeedWriter {
    func writeTransfers(_ db: Database) throws {
        var insert = try TableInsert(
            db, "transfers", ["from_sid", "to_sid", "transfer_type", "min_transfer_time"])
        for row in content.transfers {
            insert.bind(stopNumber[Int(row.from)])
            insert.bind(stopNumber[Int(row.to)])
            insert.bind(Int64(row.type))
            insert.bind(row.seconds.known)
            try insert.run()
        }
    }

    func writeTripTransfers(_ db: Database) throws {
        var insert = try TableInsert(db, "trip_transfers", ["from_trip", "to_trip", "transfer_type"])
        for row in content.tripTransfers {
            insert.bind(content.tripIDs, Int(row.from))
            insert.bind(content.tripIDs, Int(row.to))
            insert.bind(row.mayStay ? 4 : 5 as Int64)
            try insert.run()
        }
    }

    func writeRequests(_ db: Database) throws {
        var insert = try TableInsert(
            db, "request_service",
            ["rid", "sid", "words", "zone", "trip_id", "service_id", "call", "boards", "alights"])
        for row in content.requests {
            let trip = content.trips[Int(row.trip)]
            insert.bind(routeNumber[Int(trip.route)])
            insert.bind(row.stop < 0 ? nil : stopNumber[Int(row.stop)])
            insert.bind(content.texts.text(Int(row.words)))
            insert.bind(row.zone.known)
            insert.bind(content.tripIDs, Int(row.trip))
            insert.bind(content.serviceIDs, Int(trip.service))
            insert.bind(Int64(row.sequence))
            insert.bind(row.boards)
            insert.bind(row.alights)
            try insert.run()
        }
        var zones = try TableInsert(db, "request_zones", ["zone", "rings"])
        for (number, zone) in content.requestZones.enumerated() {
            zones.bind(Int64(number))
            zones.bind(zone.text)
            try zones.run()
        }
    }

    func writeTranslations(_ db: Database) throws {
        var insert = try TableInsert(
            db, "translations", ["kind", "field", "record", "value", "language", "text"])
        for row in content.translations {
            for text in [row.table, row.field, row.record, row.value, row.language, row.text] {
                insert.bind(text)
            }
            try insert.run()
        }
    }

    /// The names of a stop in all languages, for the search.
    func translatedNames() -> (byID: [String: String], byValue: [String: String]) {
        var byID: [String: String] = [:]
        var byValue: [String: String] = [:]
        for row in content.translations
        where row.table.isEmpty || row.table == "stops" && row.field == "stop_name" {
            if let id = row.record {
                byID[id, default: ""] += " \(row.text)"
            } else if let value = row.value {
                byValue[value, default: ""] += " \(row.text)"
            }
        }
        return (byID, byValue)
    }

    func writeTransferRules(_ db: Database) throws {
        var insert = try TableInsert(
            db, "transfer_rules",
            [
                "from_sid", "to_sid", "from_rid", "to_rid", "from_trip", "to_trip", "transfer_type",
                "min_transfer_time",
            ])
        for row in content.transferRules {
            insert.bind(stopNumber[Int(row.stops.from)])
            insert.bind(stopNumber[Int(row.stops.to)])
            for route in [row.fromRoute, row.toRoute] {
                insert.bind(route < 0 ? nil : routeNumber[Int(route)])
            }
            for trip in [row.fromTrip, row.toTrip] {
                if trip < 0 { insert.bind(nil as Int64?) } else { insert.bind(content.tripIDs, Int(trip)) }
            }
            insert.bind(Int64(row.stops.type))
            insert.bind(row.stops.seconds.known)
            try insert.run()
        }
    }

    func writePathways(_ db: Database) throws {
        var insert = try TableInsert(
            db, "pathways", ["from_sid", "to_sid", "mode", "seconds", "bidirectional"])
        for row in content.pathways {
            insert.bind(stopNumber[Int(row.from)])
            insert.bind(stopNumber[Int(row.to)])
            insert.bind(Int64(row.mode.rawValue))
            insert.bind(row.seconds.known)
            insert.bind(row.isBidirectional)
            try insert.run()
        }
    }
}
