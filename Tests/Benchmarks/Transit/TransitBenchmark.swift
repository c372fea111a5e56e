import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import TransitPlugin

/// Measures import and queries on large feeds of the optional folder of real data, each compared with a
/// reference. Goals refer to processor time, which is independent of the machine's load.
struct TransitBenchmark {
    private let data: URL
    let runs: Int
    private let folder: URL
    /// The parts to measure; all if empty.
    private let parts: [String]

    init(data: URL, isQuick: Bool, parts: [String], folder: URL) {
        self.data = data
        self.parts = parts
        runs = isQuick ? 100 : 1000
        self.folder = folder
    }

    func run() throws {
        let large = data.appendingPathComponent("composite-27k-stops.zip")
        guard FileManager.default.fileExists(atPath: large.path) else {
            say("skipped: no such file: \(large.path)")
            return
        }
        let database = folder.appendingPathComponent("large.db")
        func measures(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
        if measures("import") {
            try measureImport(large, database)
        } else {
            _ = try FeedImport.run(large, to: database, isLenient: true)
        }
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        if measures("regions") { try measureRegions(feed, stops(of: feed)) }
        if measures("departures") {
            try measureDepartures(feed)
            try measureFirstBoards(feed, database)
        }
        if measures("search") { try measureSearch(feed, stops(of: feed)) }
        if measures("clusters") { try measureClusters() }
        if measures("check") { try measureCheck(large, database) }
        if measures("realtime") { try measureRealtime(feed) }
        if measures("journeys") { try measureJourneys(feed) }
    }

    private func stops(of feed: Feed) throws -> [StopRecord] { try feed.stops.rows(Array(1...30_000)) }

    // MARK: Import

    private static let rounds = 3

    /// The import of an archive, compared with SQLite's shell importing the same tables as text.
    private func measureImport(_ archive: URL, _ database: URL) throws {
        var times = Times()
        var stopTimes = 0
        for _ in 0..<Self.rounds {
            let (report, seconds) = try timed { try FeedImport.run(archive, to: database, isLenient: true) }
            stopTimes = report.stopTimes
            times.add(seconds)
        }
        let memory = peakMebibytes()
        let best = times.best
        report(
            "memory of the import", "\(memory) MiB for \(stopTimes) stop_times, everything included",
            goal: "300 MiB a million", isMet: Double(memory) < 300 * max(1, Double(stopTimes) / 1e6))
        let perMillion = best.wall / Double(stopTimes) * 1e6
        report(
            "import",
            "\(ms(best.wall)) (processor time \(ms(best.own))), \(ms(perMillion)) a million stop_times",
            goal: "3 s a million", isMet: best.own / Double(stopTimes) * 1e6 <= 3)
        guard let reference = try shellImport(archive) else { return }
        report(
            "import against SQLite's .import",
            "\(ms(best.wall)) / \(ms(reference.wall)) = \(ratio(best.wall, reference.wall)) "
                + "(processor time \(ratio(best.own, reference.own)))",
            goal: "0.8×", isMet: best.own <= 0.8 * reference.own)
    }

    private static let tables = [
        "agency", "stops", "routes", "calendar", "calendar_dates", "trips", "frequencies", "stop_times",
    ]

    private func shellImport(_ archive: URL) throws -> Seconds? {
        let unpacked = folder.appendingPathComponent("unpacked")
        guard try child("/usr/bin/unzip", ["-qo", archive.path, "-d", unpacked.path]) != nil else {
            return nil
        }
        var times = Times()
        for _ in 0..<Self.rounds {
            let target = folder.appendingPathComponent("reference.db")
            try? FileManager.default.removeItem(at: target)
            var script = ".bail on\nPRAGMA journal_mode = OFF;\nPRAGMA synchronous = OFF;\n.mode csv\n"
            for table in Self.tables {
                let file = unpacked.appendingPathComponent("\(table).txt").path
                if FileManager.default.fileExists(atPath: file) { script += ".import '\(file)' \(table)\n" }
            }
            let commands = folder.appendingPathComponent("import.sql")
            try Data(script.utf8).write(to: commands)
            guard let seconds = try child("/usr/bin/sqlite3", [target.path, ".read '\(commands.path)'"])
            else {
                return nil
            }
            times.add(seconds)
        }
        return times.best
    }

    // MARK: Stops

    /// Regions with about 200 stops, compared with the R*Tree's probe alone.
    private func measureRegions(_ feed: Feed, _ stops: [StopRecord]) throws {
        var random = SplitMix(seed: 1)
        var (ours, theirs) = (Times(), Times())
        var found = 0
        for _ in 0..<runs {
            guard let center = stops[Int(random.next() % UInt64(stops.count))].coordinate else { continue }
            var radius = 100.0
            while try feed.stops.near(center, radius: radius, limit: 1).total < 200, radius < 1e5 {
                radius *= 1.3
            }
            let box = BoundingBox(center: center, radius: radius)
            let (result, seconds) = try timed { try feed.stops.inside(box, limit: 200) }
            ours.add(seconds)
            found += result.stops.count
            let (_, probe) = try timed {
                try feed.read { db in
                    try Int.fetchOne(
                        db.cachedStatement(
                            sql: """
                                SELECT count(*) FROM stops_rtree
                                  WHERE max_lat >= ? AND min_lat <= ? AND max_lon >= ? AND min_lon <= ?
                                """), arguments: [box.south, box.north, box.west, box.east])
                }
            }
            theirs.add(probe)
        }
        report(
            "region with \(found / runs) of \(stops.count) stops",
            "\(ours.text); the R*Tree's probe alone \(theirs.text), \(ratio(ours.typical, theirs.typical)), at p99 "
                + "\(ratio(ours.p99Own, theirs.p99Own))",
            goal: "p99 under 1 ms and 6×", isMet: ours.p99Own < 1e-3 && ours.typical <= 6 * theirs.typical)
    }

    /// Incremental search: every prefix of names.
    private func measureSearch(_ feed: Feed, _ stops: [StopRecord]) throws {
        var random = SplitMix(seed: 3)
        var (ours, theirs) = (Times(), Times())
        for _ in 0..<max(20, runs / 20) {
            var typed = ""
            for letter in stops[Int(random.next() % UInt64(stops.count))].name.prefix(16) {
                typed.append(letter)
                ours.add(try timed { try feed.names.search(typed, limit: 20) }.1)
                guard typed.allSatisfy({ $0.isLetter }) else { continue }
                let query = "\"\(typed)\" *"
                theirs.add(
                    try timed {
                        try feed.read { db in
                            try Int.fetchAll(
                                db.cachedStatement(
                                    sql:
                                        "SELECT rowid FROM stops_fts WHERE stops_fts MATCH ? ORDER BY rank LIMIT 20"
                                ),
                                arguments: [query])
                        }
                    }.1)
            }
        }
        report(
            "incremental search",
            "\(ours.text); FTS5 ordered by rank \(theirs.text), \(ratio(ours.typical, theirs.typical))",
            goal: "p99 under 10 ms", isMet: ours.p99Own < 1e-2)
    }

    /// All stops of the largest list there is.
    private func measureClusters() throws {
        let archive = data.appendingPathComponent("switzerland-2019-stops-routes-only.zip")
        guard FileManager.default.fileExists(atPath: archive.path) else {
            say("       skipped: no such file: \(archive.lastPathComponent)")
            return
        }
        let database = folder.appendingPathComponent("stops.db")
        _ = try FeedImport.run(archive, to: database, isLenient: true)
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        let stops = try feed.stops.rows(Array(1...40_000)).filter { $0.coordinate != nil }
        let (places, keys) = (stops.compactMap(\.coordinate), stops.map(\.id))
        var times = Times()
        var clusters = 0
        for _ in 0..<25 {
            var none = NoTrace()
            let (made, seconds) = timed { StopClusters(places, keys: keys, recorder: &none) }
            times.add(seconds)
            clusters = made.clusters.count
        }
        var sorting = Times()
        for _ in 0..<25 { sorting.add(timed { places.map(\.longitude).sorted() }.1) }
        report(
            "clustering \(stops.count) stops",
            "\(times.text), \(clusters) clusters; sorting their longitudes alone \(sorting.text), \(ratio(times.typical, sorting.typical))",
            goal: "under 20 ms", isMet: times.p99Own < 20e-3)
    }

    // MARK: Departures

    /// The stops with the most departures and with the most patterns, at times of two weeks of their
    /// service, and at times without departures, so that the next departure is searched.
    private func measureDepartures(_ feed: Feed) throws {
        let busiest = try feed.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT stop_id FROM (SELECT c.sid, count(*) AS n FROM pattern_stops c JOIN trips t ON t.pid = c.pid
                      GROUP BY c.sid ORDER BY n DESC LIMIT 3) JOIN dict_stop USING (sid)
                    """)
        }
        var random = SplitMix(seed: 2)
        for id in busiest + (try feed.stops.foremost(1).map(\.id)) {
            guard let stop = try feed.stops.with(id: id), let start = try firstDay(of: stop, feed) else {
                continue
            }
            let calls = try measureCalls(of: stop, feed)
            for isAsleep in [false, true] {
                var ours = Times()
                var listed = 0
                for _ in 0..<(isAsleep ? runs / 10 : runs) {
                    let moment = Double(random.next() % (14 * 86_400)) - (isAsleep ? 200 * 86_400 : 0)
                    let (board, seconds) = try timed {
                        try feed.board(of: stop, at: start + moment, within: 86_400, limit: 20)
                    }
                    ours.add(seconds)
                    listed += board.departures.count + (board.next == nil ? 0 : 1)
                }
                report(
                    isAsleep ? "next departure at \(id)" : "departures at \(id), \(listed / runs) rows",
                    "\(ours.text); reading its calls alone \(calls.text), \(ratio(ours.typical, calls.typical))",
                    goal: "p99 under 2 ms", isMet: ours.p99Own < 2e-3)
            }
        }
    }

    /// Every stop once, in a timetable just opened, without cached data.
    private func measureFirstBoards(_ feed: Feed, _ database: URL) throws {
        guard let foremost = try feed.stops.foremost(1).first, let start = try firstDay(of: foremost, feed)
        else {
            return
        }
        let opened = try Feed(database, isOwn: true, fallback: .gmt)
        var random = SplitMix(seed: 5)
        let all = try [foremost] + stops(of: feed).shuffled(using: &random)
        let some = all.prefix(runs * 27)
        var (times, first) = (Times(), Seconds(wall: 0, own: 0))
        for (index, stop) in some.enumerated() {
            let seconds = try timed {
                try opened.board(of: stop, at: start + 30_000, within: 86_400, limit: 20)
            }.1
            times.add(seconds)
            if index == 0 { first = seconds }
        }
        report(
            "the first board of each of \(some.count) stops",
            "\(times.text); of the one with most patterns \(ms(first.own)) of processor time",
            goal: "p99 under 2 ms", isMet: times.p99Own < 2e-3)
    }

    /// The first day of the most common service of a stop, in seconds since 1970.
    private func firstDay(of stop: StopRecord, _ feed: Feed) throws -> Double? {
        try feed.read { db in
            try Double.fetchOne(
                db,
                sql: """
                    SELECT strftime('%s', c.start_date) + 0.0 FROM pattern_stops p JOIN trips t ON t.pid = p.pid
                      JOIN calendar c USING (service_id) WHERE p.sid IN
                        (SELECT sid FROM stops WHERE sid = ?1 OR parent_station = ?2)
                      GROUP BY t.service_id ORDER BY count(*) DESC LIMIT 1
                    """, arguments: [stop.number, stop.id])
        }
    }

    private func measureCalls(of stop: StopRecord, _ feed: Feed) throws -> Times {
        var times = Times()
        for _ in 0..<runs {
            times.add(
                try timed {
                    try feed.read { db in
                        try Row.fetchAll(
                            db.cachedStatement(
                                sql: """
                                    SELECT c.pid, c.departure_offset_secs, p.rid FROM pattern_stops c
                                      JOIN patterns p ON p.pid = c.pid WHERE c.sid = ?
                                    """), arguments: [stop.number])
                    }
                }.1)
        }
        return times
    }
}
