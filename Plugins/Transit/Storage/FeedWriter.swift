import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// Writes a feed as a database in the pattern model.
struct FeedWriter {
    let content: FeedContent
    let source: String
    let account: SourceAccount
    let progress: ProgressReporter
    /// The number of each stop and route, in list order.
    var stopNumber: [Int64]
    var routeNumber: [Int64]

    /// Writes a database: to a temporary file that is renamed at the end. Readers see the old file or the
    /// complete new one, and a failure or Ctrl-C leaves nothing.
    static func write(
        _ content: FeedContent, source: String, account: SourceAccount, to url: URL,
        progress: ProgressReporter
    ) throws {
        TemporaryFiles.sweep(beside: url)
        let temporary = url.deletingLastPathComponent().appendingPathComponent(
            TemporaryFiles.name(for: url, "tmp"))
        defer { unlink(temporary.path) }
        unlink(temporary.path)
        do {
            try writeDatabase(
                content, source: source, account: account, to: temporary, progress: progress)
        } catch let error as DatabaseError {
            throw StoreErrors.wrap(error, path: url.lastPathComponent)
        }
        try Interruption.check()
        try AtomicFile.publish(temporary, as: url, policy: .replace)
    }

    private static func writeDatabase(
        _ content: FeedContent, source: String, account: SourceAccount, to url: URL,
        progress: ProgressReporter
    ) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            // The file is used only once it is complete and renamed, so no journal is needed.
            try db.execute(
                sql: """
                    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
                    PRAGMA cache_size = -32768
                    """)
        }
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            // Creating an index is one statement: SQLite itself checks for Ctrl-C.
            StoreInterruption.watch(db.sqliteConnection, every: TransitSettings.stepsBetweenChecks)
            try db.inTransaction {
                try db.execute(sql: TransitSchema.tables)
                let writer = FeedWriter(content, source: source, account: account, progress: progress)
                try writer.writeAll(db)
                return .commit
            }
        }
        try queue.close()
    }

    private init(
        _ content: FeedContent, source: String, account: SourceAccount, progress: ProgressReporter
    ) {
        self.account = account
        self.content = content
        self.source = source
        self.progress = progress
        stopNumber = [Int64](repeating: 0, count: content.stops.count)
        for (rank, stop) in StopRanking.order(content).enumerated() { stopNumber[stop] = Int64(rank + 1) }
        routeNumber = [Int64](repeating: 0, count: content.routes.count)
        let routes = content.routes.indices.sorted { left, right in
            let (a, b) = (content.routes[left].name, content.routes[right].name)
            return a == b ? left < right : NaturalOrder.precedes(a, b)
        }
        for (rank, route) in routes.enumerated() { routeNumber[route] = Int64(rank + 1) }
    }

    private func writeAll(_ db: Database) throws {
        try writeStops(db)
        try writeFeeds(db)
        try writeRoutes(db)
        try writePatterns(db)
        try writeTrips(db)
        try writeFrequencies(db)
        try writeShapes(db)
        try writeTransfers(db)
        try writePathways(db)
        try writeTripTransfers(db)
        try writeTransferRules(db)
        try writeRequests(db)
        try FareWriter(content: content, stopNumber: stopNumber, routeNumber: routeNumber).write(db)
        try writeTranslations(db)
        try writeCalendar(db)
        try writeMetadata(db)
        try check("building indexes", 0, of: nil)
        try db.execute(sql: TransitSchema.indexes)
    }

    private func check(_ label: String, _ done: Int, of total: Int?) throws {
        try Interruption.check()
        progress.report(label, done: done, of: total)
    }

    // MARK: Stops and routes

    private func writeStops(_ db: Database) throws {
        var dictionary = try TableInsert(db, "dict_stop", ["sid", "stop_id"])
        var insert = try TableInsert(
            db, "stops",
            [
                "sid", "stop_code", "stop_name", "stop_desc", "stop_lat", "stop_lon", "location_type",
                "parent_station", "wheelchair_boarding", "platform_code", "primary_route_type",
            ])
        var zones = try TableInsert(db, "stop_zones", ["sid", "timezone"])
        var search = try TableInsert(db, "stops_fts", ["rowid", "sid", "name"])
        var points: [(id: Int64, x: Double, y: Double)] = []
        let translated = translatedNames()
        let byNumber = stopNumber.indices.sorted { stopNumber[$0] < stopNumber[$1] }
        for (done, index) in byNumber.enumerated() {
            if done % TransitSettings.rowStep == 0 { try check("writing stops", done, of: byNumber.count) }
            let stop = content.stops[index]
            let number = stopNumber[index]
            dictionary.bind(number)
            dictionary.bind(content.stopIDs, index)
            try dictionary.run()
            insert.bind(number)
            insert.bind(stop.code)
            insert.bind(stop.name)
            insert.bind(stop.description)
            // SQLite keeps NaN, an unknown place, as NULL.
            insert.bind(stop.latitude)
            insert.bind(stop.longitude)
            insert.bind(Int64(stop.kind.rawValue))
            insert.bind(stop.parent < 0 ? nil : content.stopIDs.text(Int(stop.parent)))
            insert.bind(stop.wheelchair.known)
            insert.bind(stop.platform)
            insert.bind(stop.routeType.known)
            try insert.run()
            if let zone = stop.zone {
                zones.bind(number)
                zones.bind(zone)
                try zones.run()
            }
            search.bind(number)
            search.bind(number)
            var names = stop.name + (translated.byValue[stop.name] ?? "")
            if !translated.byID.isEmpty { names += translated.byID[content.stopIDs.text(index)] ?? "" }
            search.bind(names)
            try search.run()
            if stop.kind.isOnMaps, !stop.latitude.isNaN {
                points.append((number, stop.latitude, stop.longitude))
            }
        }
        try StopTree.write(points, to: "stops_rtree", db)
    }

    /// Binds one of the texts of the feed; −1 stands for none.
    private func bind(_ text: Int32, to insert: inout TableInsert) {
        if text < 0 { insert.bind(nil as Int64?) } else { insert.bind(content.texts, Int(text)) }
    }

    private func writeRoutes(_ db: Database) throws {
        var dictionary = try TableInsert(db, "dict_route", ["rid", "route_id"])
        var insert = try TableInsert(
            db, "routes",
            [
                "rid", "route_short_name", "route_long_name", "route_type", "route_color", "route_text_color",
                "feed", "agency_id", "agency_name",
            ])
        for index in routeNumber.indices.sorted(by: { routeNumber[$0] < routeNumber[$1] }) {
            let route = content.routes[index]
            dictionary.bind(routeNumber[index])
            dictionary.bind(content.routeIDs, index)
            try dictionary.run()
            insert.bind(routeNumber[index])
            insert.bind(route.shortName)
            insert.bind(route.longName)
            insert.bind(Int64(route.type))
            insert.bind(route.color)
            insert.bind(route.textColor)
            insert.bind(Int64(route.feed) + 1)
            insert.bind(route.agencyID)
            insert.bind(route.agency)
            try insert.run()
        }
    }

    private func writeFeeds(_ db: Database) throws {
        var insert = try TableInsert(
            db, "feeds", ["feed", "prefix", "source", "timezone", "agencies", "valid_from", "valid_until"])
        for (index, feed) in content.feeds.enumerated() {
            insert.bind(Int64(index) + 1)
            insert.bind(feed.prefix)
            insert.bind(feed.source)
            insert.bind(feed.zone)
            insert.bind(feed.agencies.joined(separator: "\n"))
            insert.bind(feed.validFrom?.text)
            insert.bind(feed.validUntil?.text)
            try insert.run()
        }
    }

    // MARK: Patterns and trips

    private func writePatterns(_ db: Database) throws {
        var dictionary = try TableInsert(db, "dict_pattern", ["pid", "pattern_id"])
        var insert = try TableInsert(
            db, "patterns",
            [
                "pid", "rid", "direction_id", "last_sequence", "first_start_secs", "last_start_secs",
                "has_frequencies",
            ])
        var call = try TableInsert(
            db, "pattern_stops",
            [
                "pid", "stop_sequence", "sid", "arrival_offset_secs", "departure_offset_secs", "pickup_type",
                "drop_off_type", "stop_headsign", "feed_sequence", "note",
            ])
        var calls = 0
        for (index, pattern) in content.patterns.enumerated() {
            let number = Int64(index + 1)
            dictionary.bind(number)
            dictionary.bind("p\(number)")
            try dictionary.run()
            let isUsed = pattern.firstStart <= pattern.lastStart
            insert.bind(number)
            insert.bind(routeNumber[Int(pattern.route)])
            insert.bind(pattern.direction.known)
            insert.bind(Int64(pattern.count))
            insert.bind(isUsed ? Int64(pattern.firstStart) : nil)
            insert.bind(isUsed ? Int64(pattern.lastStart) : nil)
            insert.bind(pattern.hasFrequencies)
            try insert.run()
            for position in 0..<pattern.count {
                let row = content.patternStops[pattern.first + position]
                call.bind(number)
                call.bind(Int64(position + 1))
                call.bind(stopNumber[Int(row.stop)])
                call.bind(Int64(row.arrival))
                call.bind(Int64(row.departure))
                call.bind(Boarding.pickup(row.boarding))
                call.bind(Boarding.dropOff(row.boarding))
                bind(row.headsign, to: &call)
                call.bind(pattern.isNumberedDifferently ? nil : Int64(row.sequence))
                bind(row.note, to: &call)
                try call.run()
                calls += 1
                if calls % TransitSettings.rowStep == 0 {
                    try check("writing patterns", calls, of: content.patternStops.count)
                }
            }
        }
    }

    private func writeTrips(_ db: Database) throws {
        var insert = try TableInsert(
            db, "trips",
            [
                "trip_id", "rid", "service_id", "pid", "trip_headsign", "trip_short_name", "direction_id",
                "block_id", "wheelchair_accessible", "start_time_secs", "frequency_based", "shape",
                "bikes_allowed",
            ])
        // By identifier: a stable order for trips that leave at the same time.
        let order = content.trips.indices.sorted { content.tripIDs.precedes($0, $1) }
        for (done, index) in order.enumerated() {
            if done % TransitSettings.rowStep == 0 { try check("writing trips", done, of: order.count) }
            let trip = content.trips[index]
            guard trip.pattern >= 0 else { continue }
            insert.bind(content.tripIDs, index)
            insert.bind(routeNumber[Int(trip.route)])
            insert.bind(content.serviceIDs, Int(trip.service))
            insert.bind(Int64(trip.pattern) + 1)
            bind(trip.headsign, to: &insert)
            bind(trip.shortName, to: &insert)
            insert.bind(trip.direction.known)
            bind(trip.block, to: &insert)
            insert.bind(trip.wheelchair.known)
            insert.bind(Int64(trip.start))
            insert.bind(trip.hasFrequencies)
            insert.bind(trip.shape.known.map { $0 + 1 })
            insert.bind(trip.bikes.known)
            try insert.run()
        }
        var cut = try TableInsert(db, "cut_trips", ["trip_id", "calls"])
        for index in order where content.trips[index].lostCalls > 0 && content.trips[index].pattern >= 0 {
            cut.bind(content.tripIDs, index)
            cut.bind(Int64(content.trips[index].lostCalls))
            try cut.run()
        }
        try writeSetAside(db)
    }

    private func writeSetAside(_ db: Database) throws {
        var trips = try TableInsert(db, "lost_trips", ["trip_id", "rid"])
        var written: Set<String> = []
        for trip in content.setAside.trips where written.insert(trip.id).inserted {
            trips.bind(trip.id)
            trips.bind(trip.route < 0 ? nil : routeNumber[Int(trip.route)])
            try trips.run()
        }
        var calls = try TableInsert(db, "lost_calls", ["sid", "lines"])
        for (stop, count) in content.setAside.lines.sorted(by: { $0.key < $1.key }) {
            calls.bind(stopNumber[Int(stop)])
            calls.bind(Int64(count))
            try calls.run()
        }
    }

    private func writeFrequencies(_ db: Database) throws {
        var insert = try TableInsert(
            db, "frequencies",
            ["pid", "start_secs", "trip_id", "end_secs", "headway_secs", "exact_times"])
        for row in content.frequencies {
            let trip = Int(row.trip)
            guard content.trips[trip].pattern >= 0 else { continue }
            insert.bind(Int64(content.trips[trip].pattern) + 1)
            insert.bind(Int64(row.start))
            insert.bind(content.tripIDs, trip)
            insert.bind(Int64(row.end))
            insert.bind(Int64(row.headway))
            insert.bind(row.isExact)
            try insert.run()
        }
    }

    private func writeShapes(_ db: Database) throws {
        var insert = try TableInsert(db, "shapes", ["shape", "shape_id", "line"])
        for shape in 0..<content.shapes.ids.count {
            if shape % TransitSettings.shapeStep == 0 {
                try check("writing shapes", shape, of: content.shapes.ids.count)
            }
            let points = content.shapes[shape]
            guard points.count > 1 else { continue }
            insert.bind(Int64(shape) + 1)
            insert.bind(content.shapes.ids, shape)
            StoredLine.bytes(points).withUnsafeBytes { insert.bind(blob: $0) }
            try insert.run()
        }
    }

    // MARK: Calendar and metadata

    private func writeCalendar(_ db: Database) throws {
        var week = try TableInsert(db, "calendar", ["service_id", "days", "start_date", "end_date"])
        for row in content.calendar {
            week.bind(content.serviceIDs, Int(row.service))
            week.bind(Int64(row.days))
            week.bind(row.start.text)
            week.bind(row.end.text)
            try week.run()
        }
        var day = try TableInsert(db, "calendar_dates", ["service_id", "date", "exception_type"])
        for (done, row) in content.exceptions.enumerated() {
            if done % TransitSettings.rowStep == 0 {
                try check("writing the calendar", done, of: content.exceptions.count)
            }
            day.bind(content.serviceIDs, Int(row.service))
            day.bind(row.date.text)
            day.bind(row.isAdded ? 1 : 2 as Int64)
            try day.run()
        }
    }

    private func writeMetadata(_ db: Database) throws {
        var latest: Int32 = 0
        var hasPickupLimits = false
        for pattern in content.patterns where pattern.firstStart <= pattern.lastStart {
            for call in content.patternStops[pattern.first..<pattern.first + pattern.count] {
                latest = max(latest, pattern.lastStart + call.departure)
                if Boarding.pickup(call.boarding) == 1 { hasPickupLimits = true }
            }
        }
        var insert = try TableInsert(db, "metadata", ["key", "value"])
        var rows = [
            (TransitSchema.Key.timezone, content.zone),
            (TransitSchema.Key.agencies, content.agencies.joined(separator: "\n")),
            (TransitSchema.Key.source, source),
            (TransitSchema.Key.latest, "\(latest)"),
            (TransitSchema.Key.stopTimes, "\(content.stopTimes)"),
            (TransitSchema.Key.hasPickupLimits, hasPickupLimits ? "1" : "0"),
            (TransitSchema.Key.ranked, "1"), (TransitSchema.Key.account, account.text),
        ]
        // Each of several feeds has its own period, in `feeds`.
        let isSingle = content.feeds.count < 2
        if isSingle, let day = content.validFrom { rows.append((TransitSchema.Key.validFrom, day.text)) }
        if isSingle, let day = content.validUntil { rows.append((TransitSchema.Key.validUntil, day.text)) }
        if isSingle, let language = content.language {
            rows.append((TransitSchema.Key.language, language))
        }
        if isSingle, let version = content.version { rows.append((TransitSchema.Key.version, version)) }
        if content.skippedTransfers > 0 {
            rows.append((TransitSchema.Key.skippedTransfers, "\(content.skippedTransfers)"))
        }
        if !content.otherZones.isEmpty {
            rows.append((TransitSchema.Key.otherZones, AgencyZone.text(content.otherZones)))
        }
        for (key, value) in rows {
            insert.bind(key)
            insert.bind(value)
            try insert.run()
        }
    }
}
