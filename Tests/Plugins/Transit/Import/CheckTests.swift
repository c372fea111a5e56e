import CivilTime
import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// The feed's doctor: each fault has the code of the canonical validator's rule for it (its list of rules), and nothing is
/// written.
@Suite struct CheckTests {
    private static let today = CivilDate(year: 2026, month: 2, day: 6)

    /// The small feed with stops a bus can reach in its times.
    private static let base = ImportTests.small.merging([
        "stops.txt":
            "stop_id,stop_name,stop_lat,stop_lon\nX,Xanten,51.66,6.45\nY,Ypern,51.67,6.46\nZ,Zell,51.68,6.47\n",
        "feed_info.txt": "feed_publisher_name\nA\n",
    ]) { $1 }

    private func check(_ changes: [String: String?]) throws -> [FeedFinding] {
        let tables = Self.base.merging(changes.compactMapValues { $0 }) { $1 }.filter {
            changes[$0.key] != .some(nil)
        }
        return try FeedCheck(FeedSource(name: "small", tables: tables), today: #require(Self.today)).findings
    }

    private func codes(_ changes: [String: String?]) throws -> [String] { try check(changes).map(\.code) }

    @Test func aSoundFeed() throws { #expect(try check([:]).isEmpty) }

    /// Every fault that an import finds is a finding with a code of the canonical validator.
    @Test(arguments: ImportTests.faults)
    func importFaults(fault: ImportTests.Fault) throws {
        let findings = try check([fault.table: (Self.base[fault.table] ?? "") + fault.line + "\n"])
        let own = findings.filter { $0.table == fault.table && $0.line == fault.at }
        #expect(!own.isEmpty)
        #expect(own.allSatisfy { !$0.code.hasPrefix("rutter_") }, "\(own.map(\.text))")
    }

    @Test(arguments: [
        ("stops.txt", "N,North,91,6", "invalid_float"), ("stops.txt", "X,Again,51,6", "duplicate_key"),
        ("stops.txt", ",Nameless,51,6", "missing_required_field"),
        ("stops.txt", "N,North, and more,51,6", "invalid_row_length"),
        ("routes.txt", "Q,2,bus", "invalid_integer"),
        ("trips.txt", "Q,S,U", "foreign_key_violation"), ("trips.txt", "R,S,U", "unused_trip"),
        ("calendar.txt", "U,1,1,1,1,1,1,1,20260230,20261231", "invalid_date"),
        ("calendar.txt", "U,1,1,1,1,1,1,1,20261231,20260101", "start_and_end_range_out_of_order"),
        ("calendar.txt", "U,1,1,1,1,1,1,1,20250101,20250630", "expired_calendar"),
        ("calendar.txt", "U,2,1,1,1,1,1,1,20260101,20261231", "unexpected_enum_value"),
        ("stop_times.txt", "T,7:5,7:5,X,2", "invalid_time"),
        (
            "stop_times.txt", "T,08:05:00,08:05:00,X,4",
            "stop_time_with_arrival_before_previous_departure_time"
        ),
        ("stop_times.txt", "T,,,X,4", "missing_trip_edge"),
        ("routes.txt", "Q,1,3", "duplicate_route_name"),
        ("stops.txt", "N,North,51,6", "stop_without_stop_time"),
        ("stops.txt", "N,North,0.5,0.5", "point_near_origin"),
    ])
    func rules(table: String, line: String, code: String) throws {
        #expect(try codes([table: (Self.base[table] ?? "") + line + "\n"]).contains(code))
    }

    @Test(arguments: [
        ("Nowhere/Nowhere", "invalid_timezone"), ("Europe/Paris", "inconsistent_agency_timezone"),
    ])
    func zones(zone: String, code: String) throws {
        let agency =
            "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://a.example,Europe/Berlin\nB,B,http://b.example,"
        #expect(try codes(["agency.txt": agency + zone + "\n"]) == [code])
    }

    @Test func tablesAndSpeeds() throws {
        #expect(try codes(["routes.txt": nil]).contains("missing_required_file"))
        #expect(try codes(["calendar.txt": nil]).contains("missing_calendar_and_calendar_date_files"))
        #expect(try codes(["trips.txt": "route_id,service_id\nR,S\n"]) == ["missing_required_column"])
        let frequencies =
            "trip_id,start_time,end_time,headway_secs\nT,08:00:00,10:00:00,600\nT,09:00:00,11:00:00,600\n"
        #expect(try codes(["frequencies.txt": frequencies]) == ["overlapping_frequency"])
        // 262 km from Xanten to Ypern in ten minutes, counted as eleven: 1,430 km/h for a bus.
        let far = try check(["stops.txt": ImportTests.small["stops.txt"]])
        #expect(far.map(\.code) == ["fast_travel_between_consecutive_stops"])
        #expect(far.first?.count == 2)
    }

    @Test func fieldsAndValues() throws {
        let finding = try check(["stops.txt": (Self.base["stops.txt"] ?? "") + "N,North,91,6\n"]).first {
            $0.code == "invalid_float"
        }
        #expect((finding?.field, finding?.value) == ("stop_lat", "91"))
        #expect((finding?.line, finding?.lenient, finding?.severity) == (5, "dropped", .error))
    }

    /// The samples and a validator's cases: the checker reads all of them and finds the fault that the case is about.
    @Test(.enabled(if: RealData.has("malformed/gtfs/tl-validator-layers"), "needs the folder of real data"))
    func aValidatorsCases() throws {
        let expected: [String: String] = [
            "agency-duplicate": "duplicate_key", "agency-invalid-timezone": "invalid_timezone",
            "calendar-duplicate": "duplicate_key", "calendar_dates-duplicate": "duplicate_key",
            "feed-headers-duplicate": "duplicated_column", "feed-headers-missing": "missing_required_column",
            "frequencies-unknown-trip_id": "foreign_key_violation", "routes-duplicate": "duplicate_key",
            "stop_times-unknown-stop_id": "foreign_key_violation",
            "stop_times-unknown-trip_id": "foreign_key_violation",
            "stops-duplicate": "duplicate_key", "stops-invalid-parent_station": "wrong_parent_location_type",
            "stops-unknown-parent_stationn": "foreign_key_violation",
            "trips-backwards-time": "stop_time_with_arrival_before_previous_departure_time",
            "trips-duplicate": "duplicate_key", "trips-no-final-arrival_time": "missing_trip_edge",
            "trips-unknown-route_id": "foreign_key_violation",
            "trips-unknown-service_id": "foreign_key_violation",
        ]
        let layers = "malformed/gtfs/tl-validator-layers"
        for (name, code) in expected.sorted(by: { $0.key < $1.key }) {
            var tables: [String: String] = [:]
            for file in RealData.files(in: "\(layers)/base") + RealData.files(in: "\(layers)/errors/\(name)")
            {
                tables[file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
            }
            let findings = try FeedCheck(
                FeedSource(name: name, tables: tables), today: #require(Self.today)
            ).findings
            #expect(findings.contains { $0.code == code }, "\(name): \(findings.map(\.code))")
        }
    }

    @Test func nothingIsWritten() async throws {
        let session = try TestSession(plugins: { [TransitPlugin()] })
        await session.run("transit sample")
        let before = try FileManager.default.subpathsOfDirectory(atPath: session.folder.url.path).sorted()
        #expect(
            await session.run("transit check harbour | where severity == error | get code")
                == "point_near_origin")
        #expect(await session.run("transit check harbour --severity error | count") == "1")
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: session.folder.url.path).sorted() == before)
    }
}
