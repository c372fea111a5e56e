import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Imports of valid and invalid feeds.
@Suite struct ImportTests {
    private let folder: TemporaryFolder
    private var database: URL { folder.url.appendingPathComponent("gtfs.db") }

    init() throws { folder = try TemporaryFolder() }

    /// The smallest feed that has a departure.
    static let small: [String: String] = [
        "agency.txt": "agency_name,agency_url,agency_timezone\nA,http://a.example,Europe/Berlin\n",
        "stops.txt":
            "stop_id,stop_name,stop_lat,stop_lon\nX,Xanten,51.66,6.45\nY,Ypern,50.85,2.88\nZ,Zell,50.02,7.18\n",
        "routes.txt": "route_id,route_short_name,route_type\nR,1,3\n",
        "calendar.txt":
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
            + "S,1,1,1,1,1,1,1,20260101,20261231\n",
        "trips.txt": "route_id,service_id,trip_id\nR,S,T\n",
        "stop_times.txt":
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + "T,08:00:00,08:00:00,X,1\nT,08:10:00,08:11:00,Y,2\nT,08:20:00,08:20:00,Z,3\n",
    ]

    private func run(_ changes: [String: String?], lenient: Bool = false) throws -> FeedImportReport {
        let tables = Self.small.merging(changes.compactMapValues { $0 }) { $1 }.filter {
            changes[$0.key] != .some(nil)
        }
        return try FeedImport.run(
            FeedSource(name: "small", tables: tables), to: database, isLenient: lenient)
    }

    private func row(_ table: String, _ line: String) -> [String: String?] {
        [table: (Self.small[table] ?? "") + line + "\n"]
    }

    @Test func theSmallFeed() throws {
        let report = try run([:])
        #expect((report.stops, report.trips, report.patterns, report.patternStops) == (3, 1, 1, 3))
    }

    @Test func thePatternModel() throws {
        _ = try run([
            "trips.txt": "route_id,service_id,trip_id\nR,S,T\nR,S,U\nR,S,V\n",
            // U has the same offsets half an hour later, its rows in any order; V stands longer at Y.
            "stop_times.txt": (Self.small["stop_times.txt"] ?? "")
                + "V,09:20:00,09:20:00,Z,30\nU,08:50:00,08:50:00,Z,9\nV,09:00:00,09:00:00,X,10\nU,08:30:00,08:30:00,X,4\n"
                + "U,08:40:00,08:41:00,Y,7\nV,09:10:00,09:12:00,Y,20\n",
        ])
        let queue = try DatabaseQueue(path: database.path)
        try queue.read { db in
            let trips = try Row.fetchAll(
                db, sql: "SELECT trip_id, pid, start_time_secs FROM trips ORDER BY trip_id")
            #expect(trips.map { $0["start_time_secs"] as Int } == [28_800, 30_600, 32_400])
            let pids = try Int.fetchAll(db, sql: "SELECT pid FROM trips ORDER BY trip_id")
            #expect(pids[0] == pids[1] && pids[1] != pids[2])
            let offsets = try Row.fetchAll(
                db,
                sql: """
                    SELECT stop_sequence, stop_id, arrival_offset_secs, departure_offset_secs FROM pattern_stops
                      JOIN dict_stop USING (sid) WHERE pid = ? ORDER BY stop_sequence
                    """, arguments: [pids[0]])
            #expect(offsets.map { $0["stop_id"] as String } == ["X", "Y", "Z"])
            #expect(offsets.map { $0["arrival_offset_secs"] as Int } == [0, 600, 1200])
            #expect(offsets.map { $0["departure_offset_secs"] as Int } == [0, 660, 1200])
            #expect(
                try String.fetchOne(db, sql: "SELECT value FROM metadata WHERE key = 'timezone'")
                    == "Europe/Berlin")
            let calendar = try Row.fetchOne(db, sql: "SELECT days, start_date FROM calendar")
            #expect(calendar?["days"] == 127 && calendar?["start_date"] == "2026-01-01")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM stops_rtree") == 3)
            let plan = try String.fetchAll(db, sql: "PRAGMA integrity_check")
            #expect(plan == ["ok"])
        }
    }

    /// Blank times: by distance where it is known, else evenly.
    @Test func interpolation() throws {
        _ = try run([
            "stop_times.txt":
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"
                + "T,08:00:00,08:00:00,X,1,0\nT,,,Y,2,3\nT,08:10:00,,Z,3,4\nT,,,Y,4,\nT,,,X,5,\nT,,08:13:00,Z,6,9\n"
        ])
        let queue = try DatabaseQueue(path: database.path)
        let offsets = try queue.read { db in
            try Int.fetchAll(
                db, sql: "SELECT departure_offset_secs FROM pattern_stops ORDER BY stop_sequence")
        }
        #expect(offsets == [0, 450, 600, 660, 720, 780])
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        var table: String
        var line: String
        var code = "E-GTFS-ROW"
        var at: Int
        /// A trip without its last call is skipped, which is reported as a problem.
        var problems = 1
        var testDescription: String { "\(table): \(line)" }
    }

    static let faults = [
        Fault(table: "stops.txt", line: "X,Again,51,6", at: 5),
        Fault(table: "stops.txt", line: ",Nameless,51,6", at: 5),
        Fault(table: "stops.txt", line: "N,North,91,6", at: 5),
        Fault(table: "stops.txt", line: "N,North,51,", at: 5),
        Fault(table: "stops.txt", line: "N,North,fifty,6", at: 5),
        Fault(table: "stops.txt", line: "N,North, and more,51,6", at: 5),
        Fault(table: "routes.txt", line: "R,2,3", at: 3),
        Fault(table: "routes.txt", line: "Q,2,bus", at: 3),
        Fault(table: "trips.txt", line: "R,S,T", at: 3),
        Fault(table: "trips.txt", line: "Q,S,U", at: 3),
        Fault(table: "trips.txt", line: "R,Q,U", at: 3),
        Fault(table: "calendar.txt", line: "S,1,1,1,1,1,1,1,20260101,20261231", at: 3),
        Fault(table: "calendar.txt", line: "U,1,1,1,1,1,1,1,20261231,20260101", at: 3),
        Fault(table: "calendar.txt", line: "U,1,1,1,1,1,1,1,20260230,20261231", at: 3),
        Fault(table: "calendar.txt", line: "U,2,1,1,1,1,1,1,20260101,20261231", at: 3),
        Fault(table: "stop_times.txt", line: "NONE,08:30:00,08:30:00,X,4", at: 5),
        Fault(table: "stop_times.txt", line: "T,08:30:00,08:30:00,NONE,4", at: 5, problems: 2),
        Fault(table: "stop_times.txt", line: "T,7:5,7:5,X,4", at: 5, problems: 2),
        Fault(table: "stop_times.txt", line: "T,08:30:00,08:30:00,X,three", at: 5, problems: 2),
        Fault(table: "stop_times.txt", line: "T,08:30:00,08:30:00,X,3", at: 5),
        Fault(table: "stop_times.txt", line: "T,08:05:00,08:05:00,X,4", at: 5),
        Fault(table: "stop_times.txt", line: "T,,,X,4", at: 5),
        Fault(table: "agency.txt", line: "B,http://b.example,Nowhere/Nowhere", code: "E-GTFS-ROW", at: 3),
    ]

    /// A strict import names table and line and writes nothing; a lenient one continues and lists the line.
    @Test(arguments: faults)
    func aLineThatIsWrong(fault: Fault) throws {
        #expect {
            _ = try run(row(fault.table, fault.line))
        } throws: { error in
            guard let error = error as? RutterError else { return false }
            return (error.code == fault.code || error.code == "E-GTFS-ZONE")
                && error.message.hasPrefix("\(fault.table), line \(fault.at): ")
                && error.place == .file(path: fault.table, line: fault.at, column: nil)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        let report = try run(row(fault.table, fault.line), lenient: true)
        #expect(report.problemCount == fault.problems)
        #expect(report.problems.first?.table == fault.table && report.problems.first?.line == fault.at)
        #expect(report.stops >= 3)
    }

    @Test func aZoneThatDoesNotExist() throws {
        let agency = [
            "agency.txt": "agency_name,agency_url,agency_timezone\nA,http://a.example,Europe/Nowhere\n"
        ]
        #expect {
            _ = try run(agency)
        } throws: { ($0 as? RutterError)?.code == "E-GTFS-ZONE" }
        #expect(try run(agency, lenient: true).zone == "UTC")
    }

    @Test(arguments: ["agency.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt"])
    func aTableIsMissing(table: String) throws {
        #expect {
            _ = try run([table: nil])
        } throws: { ($0 as? RutterError)?.code == "E-GTFS-FILE" }
        #expect(try run([table: nil], lenient: true).stops == 3)
    }

    @Test func withoutStopsThereAreNoTrips() throws {
        #expect {
            _ = try run(["stops.txt": nil])
        } throws: { ($0 as? RutterError)?.code == "E-GTFS-FILE" }
        #expect(try run(["stops.txt": nil], lenient: true).trips == 0)
    }

    @Test func headers() throws {
        #expect {
            _ = try run(["trips.txt": "route_id,service_id\nR,S\n"])
        } throws: { ($0 as? RutterError)?.code == "E-GTFS-HEADER" }
        #expect {
            _ = try run(["routes.txt": "route_id,route_id,route_type\nR,R,3\n"])
        } throws: { ($0 as? RutterError)?.code == "E-GTFS-HEADER" }
        #expect {
            _ = try run(["routes.txt": ""])
        } throws: { ($0 as? RutterError)?.code == "E-GTFS-HEADER" }
    }

    /// Failures during an import, such as a full disk or Ctrl-C, leave nothing behind and the old file
    /// unchanged.
    @Test func interruption() async throws {
        _ = try run([:])
        let before = try Data(contentsOf: database)
        let database = database
        let task = Task.detached {
            withUnsafeCurrentTask { $0?.cancel() }
            return try FeedImport.run(
                FeedSource(name: "small", tables: Self.small), to: database, isLenient: false)
        }
        let result = await task.result
        #expect {
            _ = try result.get()
        } throws: { ($0 as? RutterError)?.code == "E-INTERRUPTED" }
        #expect(try Data(contentsOf: database) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["gtfs.db"])
    }

    /// The order of the rows does not matter.
    @Test func rowsInAnyOrder() throws {
        let tables = Dictionary(uniqueKeysWithValues: SampleFeed.tables().map { ($0.name, $0.text) })
        var lines = (tables["stop_times.txt"] ?? "").split(separator: "\n").map(String.init)
        let header = lines.removeFirst()
        var random = Xoshiro256(seed: 5)
        lines.shuffle(using: &random)
        var shuffled = tables
        shuffled["stop_times.txt"] = ([header] + lines).joined(separator: "\n")
        let other = folder.url.appendingPathComponent("other.db")
        _ = try FeedImport.run(FeedSource(name: "s", tables: tables), to: database, isLenient: false)
        _ = try FeedImport.run(FeedSource(name: "s", tables: shuffled), to: other, isLenient: false)
        func dump(_ url: URL) throws -> [String] {
            try DatabaseQueue(path: url.path).read { db in
                try ["trips", "pattern_stops", "stops", "calendar", "frequencies"].flatMap { table in
                    try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map(\.description)
                }
            }
        }
        #expect(try dump(database) == dump(other))
    }
}
