import CivilTime
import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Differences between two feeds; every difference is made by hand in a few lines.
@Suite struct DifferenceTests {
    /// Friday 2026-02-06.
    private static let day = CivilDate(daysSinceEpoch: 20_490)

    private func feed(_ tables: [String: String], _ name: String, in folder: TemporaryFolder) throws -> Feed {
        let url = folder.url.appendingPathComponent(name)
        _ = try FeedImport.run(FeedSource(name: name, tables: tables), to: url, isLenient: true)
        return try Feed(url, isOwn: true, fallback: .gmt)
    }

    private func differences(
        _ old: [String: String], _ changes: [String: String], days: Int = 7
    ) throws -> (rows: [String], renumbered: Int) {
        let folder = try TemporaryFolder()
        let found = try FeedDifference(
            feed(old, "old.db", in: folder), feed(old.merging(changes) { $1 }, "new.db", in: folder),
            days: (0..<days).map { Self.day.advanced(by: $0) })
        return (
            found.changes.map {
                [$0.what.rawValue, $0.change, $0.id, $0.name, $0.before ?? "-", $0.after ?? "-"].joined(
                    separator: "|")
            }, found.renumbered
        )
    }

    private func check(
        _ changes: [String: String], _ rows: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try differences(ImportTests.small, changes, days: 1).rows
        #expect(found == rows, sourceLocation: sourceLocation)
    }

    private static let times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"

    @Test func nothing() throws {
        #expect(try differences(ImportTests.small, [:]).rows.isEmpty)
        let sample = Dictionary(uniqueKeysWithValues: SampleFeed.tables().map { ($0.name, $0.text) })
        #expect(try differences(sample, [:], days: 60).rows.isEmpty)
    }

    @Test func stopsAndLines() throws {
        try check(
            [
                // X moves by a hundredth of a degree of latitude, 1.11 km; Y has another name; N is new.
                "stops.txt":
                    "stop_id,stop_name,stop_lat,stop_lon\nX,Xanten,51.67,6.45\nY,Ieper,50.85,2.88\nZ,Zell,50.02,7.18\nN,Neuss,51,6\n",
                "routes.txt": "route_id,route_short_name,route_type\nR,1A,3\nQ,2,3\n",
            ],
            [
                "line|added|Q|2|-|-", "line|renamed|R|1A|1|1A", "stop|added|N|Neuss|-|-",
                "stop|moved|X|Xanten|51.66,6.45|1.11km to 51.67,6.45", "stop|renamed|Y|Ieper|Ypern|Ieper",
            ])
        try check(
            [
                "stops.txt":
                    "stop_id,stop_name,stop_lat,stop_lon,platform_code,wheelchair_boarding\nX,Xanten,51.66,6.45,3,1\n"
                    + "Y,Ypern,50.85,2.88,,\nZ,Zell,50.02,7.18,,\n"
            ],
            ["stop|platform|X|Xanten|-|3", "stop|wheelchair|X|Xanten|unknown|yes"])
    }

    @Test func times() throws {
        try check(
            [
                "stop_times.txt": Self.times
                    + "T,08:00:00,08:00:00,X,1\nT,08:10:00,08:13:00,Y,2\nT,08:20:00,08:20:00,Z,3\n"
            ],
            [
                "day|service|2026-02-06|Friday|1 run, 1 lost|1 run, 1 gained",
                "trip|times|T|1 to Zell|08:11:00 at Ypern|08:13:00 at Ypern",
            ])
        // A trip that no longer calls at Y.
        try check(
            ["stop_times.txt": Self.times + "T,08:00:00,08:00:00,X,1\nT,08:20:00,08:20:00,Z,3\n"],
            [
                "day|service|2026-02-06|Friday|1 run, 1 lost|1 run, 1 gained",
                "trip|stops|T|1 to Zell|3 stops, with Ypern|2 stops",
            ])
    }

    @Test func trips() throws {
        try check(
            [
                "trips.txt": "route_id,service_id,trip_id\nR,S,T\nR,S,U\n",
                "stop_times.txt": (ImportTests.small["stop_times.txt"] ?? "")
                    + "U,09:00:00,09:00:00,X,1\nU,09:20:00,09:20:00,Z,2\n",
            ],
            [
                "day|service|2026-02-06|Friday|1 run, 0 lost|2 runs, 1 gained",
                "trip|added|U|1 to Zell|-|09:00:00 from Xanten",
            ])
        // A change of identifiers only is not a difference.
        let renamed = try differences(
            ImportTests.small,
            [
                "trips.txt": "route_id,service_id,trip_id\nR,S,other\n",
                "stop_times.txt": (ImportTests.small["stop_times.txt"] ?? "").replacingOccurrences(
                    of: "\nT,", with: "\nother,"),
            ])
        #expect(renamed.rows.isEmpty)
        #expect(renamed.renumbered == 1)
    }

    /// No service on Sunday the 8th, and the holiday of the 10th; the span ends earlier.
    @Test func days() throws {
        let found = try differences(
            ImportTests.small,
            [
                "calendar.txt":
                    "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    + "S,1,1,1,1,1,1,0,20260101,20261130\n",
                "calendar_dates.txt": "service_id,date,exception_type\nS,20260210,2\n",
            ])
        #expect(
            found.rows == [
                "feed|days of service|||2026-01-01 to 2026-12-31|2026-01-01 to 2026-11-30",
                "day|service|2026-02-08|Sunday|1 run, 1 lost|0 runs, 0 gained",
                "day|service|2026-02-10|Tuesday|1 run, 1 lost|0 runs, 0 gained",
                "trip|days|T|1 to Zell|7 days, with 2026-02-08, 2026-02-10|5 days",
            ])
    }

    @Test func frequencies() throws {
        try check(
            ["frequencies.txt": "trip_id,start_time,end_time,headway_secs\nT,08:00:00,09:00:00,1200\n"],
            [
                "day|service|2026-02-06|Friday|1 run, 0 lost|3 runs, 2 gained",
                "trip|frequencies|T|1 to Zell|no runs|3 runs, 08:00:00 to 08:40:00, every 20min",
            ])
    }

    /// A database compared with a feed, skipped faults, and files that are neither.
    @Test func command() async throws {
        let session = try TestSession(plugins: { [TransitPlugin()] })
        await session.run("set timezone Europe/Berlin; feed sample; feed import harbour --into old.db")
        #expect(await session.run("feed diff old.db harbour | count") == "0")
        await session.run(
            "'trip_id,start_time,end_time,headway_secs\nnone,08:00:00,09:00:00,600' | save harbour/frequencies.txt --force"
        )
        let text = await session.run("feed diff old.db harbour --days 1")
        #expect(text.contains("the new feed has an invalid line, which is skipped"), "\(text)")
        await session.run("'no feed' | save notes.txt")
        #expect(await session.run("feed diff old.db notes.txt").contains("E-ARCHIVE-FORMAT"))
    }
}
