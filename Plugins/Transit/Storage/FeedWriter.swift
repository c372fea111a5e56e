import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// Writes a feed as a database in the pattern model.
struct FeedWriter {
    private let content: FeedContent
    private let source: String
    private let progress: ProgressReporter
    /// The number of each stop and route, in list order.
    private var stopNumber: [Int64]
    private var routeNumber: [Int64]

    /// Writes a database: to a temporary file that is renamed at the end. Readers see the old file or the
    /// complete new one, and a failure or Ctrl-C leaves nothing.
    static func write(
        _ content: FeedContent, source: String, to url: URL, progress: ProgressReporter
    ) throws {
        TemporaryFiles.sweep(beside: url)
        let temporary = url.deletingLastPathComponent().appendingPathComponent(
            TemporaryFiles.name(for: url, "tmp"))
        defer { unlink(temporary.path) }
        unlink(temporary.path)
        do {
            try writeDatabase(content, source: source, to: temporary, progress: progress)
        } catch let error as DatabaseError {
            throw StoreErrors.wrap(error, path: url.lastPathComponent)
        }
        try Interruption.check()
        try AtomicFile.publish(temporary, as: url, policy: .replace)
    }

    private static func writeDatabase(
        _ content: FeedContent, source: String, to url: URL, progress: ProgressReporter
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
                let writer = FeedWriter(content, source: source, progress: progress)
                try writer.writeAll(db)
                return .commit
            }
        }
        try queue.close()
    }

    private init(_ content: FeedContent, source: String, progress: ProgressReporter) {
        self.content = content
        self.source = source
        self.progress = progress
        stopNumber = [Int64](repeating: 0, count: content.stops.count)
        for (rank, stop) in StopRanking.order(content).enumerated() { stopNumber[stop] = Int64(rank + 1) }
        routeNumber = [Int64](repeating: 0, count: content.routes.count)
        let routes = content.routes.indices.sorted { left, right in
            let (a, b) = (content.routes[left].name, content.routes[right].name)
            return a == b ? left < right : RouteNameOrder.precedes(a, b)
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
        let dictionary = try RawStatement(db, "INSERT INTO dict_stop VALUES (?, ?)")
        let insert = try RawStatement(db, "INSERT INTO stops VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        let search = try RawStatement(db, "INSERT INTO stops_fts(rowid, sid, name) VALUES (?1, ?1, ?2)")
        var points: [(id: Int64, x: Double, y: Double)] = []
        let byNumber = stopNumber.indices.sorted { stopNumber[$0] < stopNumber[$1] }
        for (done, index) in byNumber.enumerated() {
            if done % TransitSettings.rowStep == 0 { try check("writing stops", done, of: byNumber.count) }
            let stop = content.stops[index]
            let number = stopNumber[index]
            dictionary.bind(1, number)
            content.stopIDs.withKey(index) { dictionary.bind(2, utf8: $0) }
            try dictionary.run()
            insert.bind(1, number)
            insert.bind(2, stop.code)
            insert.bind(3, stop.name)
            insert.bind(4, stop.description)
            insert.bind(5, stop.latitude)
            insert.bind(6, stop.longitude)
            insert.bind(7, Int64(stop.kind.rawValue))
            insert.bind(8, stop.parent < 0 ? nil : content.stopIDs.text(Int(stop.parent)))
            bind(insert, 9, stop.wheelchair)
            insert.bind(10, stop.platform)
            if stop.routeType >= 0 { insert.bind(11, Int64(stop.routeType)) } else { insert.bindNull(11) }
            try insert.run()
            search.bind(1, number)
            search.bind(2, stop.name)
            try search.run()
            if stop.kind.isOnMaps { points.append((number, stop.latitude, stop.longitude)) }
        }
        try RTreeNodes.write(points, to: "stops_rtree", db)
    }

    private func bind(_ statement: RawStatement, _ index: Int32, _ value: Int8) {
        if value < 0 { statement.bindNull(index) } else { statement.bind(index, Int64(value)) }
    }

    private func bind(_ statement: RawStatement, _ index: Int32, text: Int32) {
        if text < 0 {
            statement.bindNull(index)
        } else {
            content.texts.withKey(Int(text)) { statement.bind(index, utf8: $0) }
        }
    }

    private func writeRoutes(_ db: Database) throws {
        let dictionary = try RawStatement(db, "INSERT INTO dict_route VALUES (?, ?)")
        let insert = try RawStatement(db, "INSERT INTO routes VALUES (?, ?, ?, ?, ?, ?, ?)")
        for index in routeNumber.indices.sorted(by: { routeNumber[$0] < routeNumber[$1] }) {
            let route = content.routes[index]
            dictionary.bind(1, routeNumber[index])
            content.routeIDs.withKey(index) { dictionary.bind(2, utf8: $0) }
            try dictionary.run()
            insert.bind(1, routeNumber[index])
            insert.bind(2, route.shortName)
            insert.bind(3, route.longName)
            insert.bind(4, Int64(route.type))
            insert.bind(5, route.color)
            insert.bind(6, route.textColor)
            insert.bind(7, Int64(route.feed) + 1)
            try insert.run()
        }
    }

    private func writeFeeds(_ db: Database) throws {
        let insert = try RawStatement(db, "INSERT INTO feeds VALUES (?, ?, ?, ?, ?)")
        for (index, feed) in content.feeds.enumerated() {
            insert.bind(1, Int64(index) + 1)
            insert.bind(2, feed.prefix)
            insert.bind(3, feed.source)
            insert.bind(4, feed.zone)
            insert.bind(5, feed.agencies.joined(separator: "\n"))
            try insert.run()
        }
    }

    // MARK: Patterns and trips

    private func writePatterns(_ db: Database) throws {
        let dictionary = try RawStatement(db, "INSERT INTO dict_pattern VALUES (?, ?)")
        let insert = try RawStatement(db, "INSERT INTO patterns VALUES (?, ?, ?, ?, ?, ?, ?)")
        let call = try RawStatement(db, "INSERT INTO pattern_stops VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        var calls = 0
        for (index, pattern) in content.patterns.enumerated() {
            let number = Int64(index + 1)
            dictionary.bind(1, number)
            dictionary.bind(2, "p\(number)")
            try dictionary.run()
            insert.bind(1, number)
            insert.bind(2, routeNumber[Int(pattern.route)])
            bind(insert, 3, pattern.direction)
            insert.bind(4, Int64(pattern.count))
            let isUsed = pattern.firstStart <= pattern.lastStart
            if isUsed { insert.bind(5, Int64(pattern.firstStart)) } else { insert.bindNull(5) }
            if isUsed { insert.bind(6, Int64(pattern.lastStart)) } else { insert.bindNull(6) }
            insert.bind(7, pattern.hasFrequencies ? 1 : 0 as Int64)
            try insert.run()
            call.bind(1, number)
            for position in 0..<pattern.count {
                let row = content.patternStops[pattern.first + position]
                call.bind(2, Int64(position + 1))
                call.bind(3, stopNumber[Int(row.stop)])
                call.bind(4, Int64(row.arrival))
                call.bind(5, Int64(row.departure))
                call.bind(6, Boarding.pickup(row.boarding))
                call.bind(9, Boarding.dropOff(row.boarding))
                bind(call, 7, text: row.headsign)
                if pattern.isNumberedDifferently {
                    call.bindNull(8)
                } else {
                    call.bind(8, Int64(row.sequence))
                }
                try call.run()
                calls += 1
                if calls % TransitSettings.rowStep == 0 {
                    try check("writing patterns", calls, of: content.patternStops.count)
                }
            }
        }
    }

    private func writeTrips(_ db: Database) throws {
        let insert = try RawStatement(db, "INSERT INTO trips VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        // By identifier: a stable order for trips that leave at the same time.
        let order = content.trips.indices.sorted { content.tripIDs.precedes($0, $1) }
        for (done, index) in order.enumerated() {
            if done % TransitSettings.rowStep == 0 { try check("writing trips", done, of: order.count) }
            let trip = content.trips[index]
            guard trip.pattern >= 0 else { continue }
            content.tripIDs.withKey(index) { insert.bind(1, utf8: $0) }
            insert.bind(2, routeNumber[Int(trip.route)])
            content.serviceIDs.withKey(Int(trip.service)) { insert.bind(3, utf8: $0) }
            insert.bind(4, Int64(trip.pattern) + 1)
            bind(insert, 5, text: trip.headsign)
            bind(insert, 6, text: trip.shortName)
            bind(insert, 7, trip.direction)
            bind(insert, 8, text: trip.block)
            bind(insert, 9, trip.wheelchair)
            insert.bind(10, Int64(trip.start))
            insert.bind(11, trip.hasFrequencies ? 1 : 0 as Int64)
            if trip.shape < 0 { insert.bindNull(12) } else { insert.bind(12, Int64(trip.shape) + 1) }
            try insert.run()
        }
    }

    private func writeFrequencies(_ db: Database) throws {
        let insert = try RawStatement(db, "INSERT INTO frequencies VALUES (?, ?, ?, ?, ?, ?)")
        for row in content.frequencies {
            let trip = Int(row.trip)
            guard content.trips[trip].pattern >= 0 else { continue }
            insert.bind(1, Int64(content.trips[trip].pattern) + 1)
            insert.bind(2, Int64(row.start))
            content.tripIDs.withKey(trip) { insert.bind(3, utf8: $0) }
            insert.bind(4, Int64(row.end))
            insert.bind(5, Int64(row.headway))
            insert.bind(6, row.isExact ? 1 : 0 as Int64)
            try insert.run()
        }
    }

    private func writeShapes(_ db: Database) throws {
        let insert = try RawStatement(db, "INSERT INTO shapes VALUES (?, ?, ?)")
        for shape in 0..<content.shapes.ids.count {
            if shape % TransitSettings.shapeStep == 0 {
                try check("writing shapes", shape, of: content.shapes.ids.count)
            }
            let points = content.shapes[shape]
            guard points.count > 1 else { continue }
            insert.bind(1, Int64(shape) + 1)
            content.shapes.ids.withKey(shape) { insert.bind(2, utf8: $0) }
            StoredLine.bytes(points).withUnsafeBytes { insert.bind(3, blob: $0) }
            try insert.run()
        }
    }

    private func writeTransfers(_ db: Database) throws {
        let insert = try RawStatement(db, "INSERT INTO transfers VALUES (?, ?, ?, ?)")
        for row in content.transfers {
            insert.bind(1, stopNumber[Int(row.from)])
            insert.bind(2, stopNumber[Int(row.to)])
            insert.bind(3, Int64(row.type))
            if row.seconds < 0 { insert.bindNull(4) } else { insert.bind(4, Int64(row.seconds)) }
            try insert.run()
        }
    }

    private func writeTripTransfers(_ db: Database) throws {
        let insert = try RawStatement(db, "INSERT INTO trip_transfers VALUES (?, ?, ?)")
        for row in content.tripTransfers {
            content.tripIDs.withKey(Int(row.from)) { insert.bind(1, utf8: $0) }
            content.tripIDs.withKey(Int(row.to)) { insert.bind(2, utf8: $0) }
            insert.bind(3, row.mayStay ? 4 : 5 as Int64)
            try insert.run()
        }
    }

    private func writePathways(_ db: Database) throws {
        let insert = try RawStatement(db, "INSERT INTO pathways VALUES (?, ?, ?, ?, ?)")
        for row in content.pathways {
            insert.bind(1, stopNumber[Int(row.from)])
            insert.bind(2, stopNumber[Int(row.to)])
            insert.bind(3, Int64(row.mode.rawValue))
            if row.seconds < 0 { insert.bindNull(4) } else { insert.bind(4, Int64(row.seconds)) }
            insert.bind(5, row.isBidirectional ? 1 : 0 as Int64)
            try insert.run()
        }
    }

    // MARK: Calendar and metadata

    private func writeCalendar(_ db: Database) throws {
        let week = try RawStatement(db, "INSERT INTO calendar VALUES (?, ?, ?, ?)")
        for row in content.calendar {
            content.serviceIDs.withKey(Int(row.service)) { week.bind(1, utf8: $0) }
            week.bind(2, Int64(row.days))
            week.bind(3, row.start.text)
            week.bind(4, row.end.text)
            try week.run()
        }
        let day = try RawStatement(db, "INSERT INTO calendar_dates VALUES (?, ?, ?)")
        for (done, row) in content.exceptions.enumerated() {
            if done % TransitSettings.rowStep == 0 {
                try check("writing the calendar", done, of: content.exceptions.count)
            }
            content.serviceIDs.withKey(Int(row.service)) { day.bind(1, utf8: $0) }
            day.bind(2, row.date.text)
            day.bind(3, row.isAdded ? 1 : 2 as Int64)
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
        let insert = try RawStatement(db, "INSERT INTO metadata VALUES (?, ?)")
        var rows = [
            (TransitSchema.Key.timezone, content.zone),
            (TransitSchema.Key.agencies, content.agencies.joined(separator: "\n")),
            (TransitSchema.Key.source, source),
            (TransitSchema.Key.latest, "\(latest)"),
            (TransitSchema.Key.stopTimes, "\(content.stopTimes)"),
            (TransitSchema.Key.hasPickupLimits, hasPickupLimits ? "1" : "0"),
            (TransitSchema.Key.ranked, "1"),
        ]
        if let day = content.validFrom { rows.append((TransitSchema.Key.validFrom, day.text)) }
        if let day = content.validUntil { rows.append((TransitSchema.Key.validUntil, day.text)) }
        if content.skippedTransfers > 0 {
            rows.append((TransitSchema.Key.skippedTransfers, "\(content.skippedTransfers)"))
        }
        for (key, value) in rows {
            insert.bind(1, key)
            insert.bind(2, value)
            try insert.run()
        }
    }
}
