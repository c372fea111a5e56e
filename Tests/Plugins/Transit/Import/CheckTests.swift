import CivilTime
import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// The feed checker: each fault has the code of the canonical validator's rule for it (its list of rules),
/// and nothing is written.
@Suite struct CheckTests {
    static let today = CivilDate(year: 2026, month: 2, day: 6)

    /// The small feed with stops a bus can reach in its times.
    static let base = ImportTests.small.merging([
        "agency.txt":
            "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://a.example,Europe/Berlin\n",
        "routes.txt": "route_id,route_short_name,route_type,agency_id\nR,1,3,A\n",
        "stops.txt":
            "stop_id,stop_name,stop_lat,stop_lon\nX,Xanten,51.66,6.45\nY,Ypern,51.67,6.46\nZ,Zell,51.68,6.47\n",
        "feed_info.txt":
            "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version,feed_contact_url\n"
            + "A,http://a.example,en,20260101,20261231,1,http://a.example\n",
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
        ("stops.txt", "N,North,91,6", "number_out_of_range"), ("stops.txt", "X,Again,51,6", "duplicate_key"),
        ("stops.txt", ",Nameless,51,6", "missing_required_field"),
        ("stops.txt", "N,North, and more,51,6", "invalid_row_length"),
        ("routes.txt", "Q,2,bus,A", "invalid_integer"),
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
        ("routes.txt", "Q,1,3,A", "duplicate_route_name"),
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
        #expect(
            far.map(\.code) == ["fast_travel_between_consecutive_stops", "fast_travel_between_far_stops"])
        #expect(far.first?.count == 2)
    }

    /// Where a stop is that has no place is unknown, and so are speeds from and to it, and whether its trip is longer than the shape.
    @Test(arguments: ["Y,Ypern,,", "Z,Zell,0,0", "Z,Zell,951.68,6.47"])
    func speedsOfStopsWithoutPlace(row: String) throws {
        let base = try #require(Self.base["stops.txt"])
        let stops = base.split(separator: "\n").map { $0.prefix(2) == row.prefix(2) ? row : String($0) }
        let found = try codes([
            "stops.txt": stops.joined(separator: "\n") + "\n",
            "trips.txt": "route_id,service_id,trip_id,shape_id\nR,S,T,L\n",
            "stop_times.txt":
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"
                + "T,08:00:00,08:00:00,X,1,0\nT,08:10:00,08:11:00,Y,2,3\nT,08:20:00,08:20:00,Z,3,6\n",
            "shapes.txt":
                "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n"
                + "L,51.66,6.45,1,0\nL,51.67,6.46,2,3\nL,51.68,6.47,3,5\n",
        ])
        #expect(!found.isEmpty)
        #expect(!found.contains { $0.hasPrefix("fast_travel") }, "\(found)")
        // The last stop tells which of the two rules it is.
        #expect(
            found.filter { $0.hasPrefix("trip_distance_exceeds") }
                == (row.hasPrefix("Z") ? [] : ["trip_distance_exceeds_shape_distance_below_threshold"]))
    }

    /// Extended types end at 1702.
    @Test(arguments: [
        ("702", "an extended route type"), ("9999", "no known route type"), ("99", "no known route type"),
    ])
    func otherRouteTypes(type: String, words: String) throws {
        let row = "Q,2,\(type),A\n"
        let finding = try check(["routes.txt": (Self.base["routes.txt"] ?? "") + row]).first {
            $0.code == "unexpected_enum_value"
        }
        #expect(finding?.text == "route_type `\(type)` is \(words)")
    }

    /// In-seat transfers are between two trips.
    @Test func inSeatTransfersWithoutTrips() throws {
        let table = "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type\nX,Y,,,4\n"
        let missing = try check(["transfers.txt": table]).filter { $0.code == "missing_required_field" }
        #expect(missing.map(\.text) == ["from_trip_id is missing", "to_trip_id is missing"])
    }

    /// A run that the feed has twice is on boards twice; those of other days or times are others.
    @Test(arguments: [("U", "S", "08:00:00", 1), ("U", "S", "08:01:00", 0)])
    func sameRuns(trip: String, service: String, start: String, count: Int) throws {
        let rows = (Self.base["stop_times.txt"] ?? "").split(separator: "\n").filter { $0.hasPrefix("T,") }
        let copies = rows.enumerated().map { index, row in
            let copy = trip + row.dropFirst()
            return index == 0 ? copy.replacing("08:00:00", with: start) : copy
        }
        let findings = try check([
            "trips.txt": (Self.base["trips.txt"] ?? "") + "R,\(service),\(trip)\n",
            "stop_times.txt": (Self.base["stop_times.txt"] ?? "") + copies.joined(separator: "\n") + "\n",
        ])
        #expect(findings.filter { $0.code == "rutter_same_run" }.map(\.count) == (count > 0 ? [count] : []))
    }

    @Test func fieldsAndValues() throws {
        let finding = try check(["stops.txt": (Self.base["stops.txt"] ?? "") + "N,North,91,6\n"]).first {
            $0.code == "number_out_of_range"
        }
        #expect((finding?.field, finding?.value) == ("stop_lat", "91"))
        #expect((finding?.line, finding?.lenient, finding?.severity) == (5, "repaired", .error))
    }

    /// The samples and a validator's cases: the checker reads all of them and finds the fault of each case.
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

    /// A station with a platform, two boarding areas, an entrance and a node, connected by pathways.
    private static let station = [
        "stops.txt": (base["stops.txt"] ?? "").replacingOccurrences(
            of: "stop_lat,stop_lon\n",
            with: "stop_lat,stop_lon,location_type,parent_station,level_id,zone_id\n")
                + """
                ST,Station,51.7,6.5,1,,,
                PL,Station,51.7,6.5,0,ST,,z
                EN,Door,51.7,6.5,2,ST,,
                NO,Corner,51.7,6.5,3,ST,,
                N2,Corner,51.7,6.5,3,ST,,
                N3,Corner,51.7,6.5,3,ST,,

                """,
        "pathways.txt": """
        pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional
        1,EN,NO,1,1
        2,NO,PL,1,1
        4,N2,PL,1,1
        5,N2,NO,1,1
        6,N3,NO,1,1
        7,N3,N2,1,1

        """,
    ]

    /// Rules about stations, transfers, fares and the other tables. gtfs-guru 1.0.0, which reimplements the canonical validator,
    /// finds the same codes in the same feeds, but for `missing_level_id`, which stands in the
    /// canonical validator's own list.
    @Test(arguments: [
        ("pathways.txt", "3,EN,ST,1,0", "pathway_to_wrong_location_type"),
        ("pathways.txt", "3,NO,NO,1,0", "pathway_loop"),
        ("pathways.txt", "3,PL,EN,7,1", "bidirectional_exit_gate"),
        ("pathways.txt", "3,PL,EN,5,1", "missing_level_id"),
        ("pathways.txt", "2,PL,EN,1,1", "duplicate_key"),
        ("pathways.txt", "3,PL,XX,1,1", "foreign_key_violation"),
        ("pathways.txt", "3,PL,EN,9,1", "unexpected_enum_value"),
        ("pathways.txt", "3,PL,,1,1", "missing_required_field"),
        ("pathways.txt", "3,EN,E3,1,1", "foreign_key_violation"),
        ("stops.txt", "P2,Station,51.7,6.5,0,ST,,", "pathway_unreachable_location"),
        ("stops.txt", "B1,Area,51.7,6.5,4,PL,,", "pathway_to_platform_with_boarding_areas"),
        ("stops.txt", "E2,Door,51.7,6.5,2,,,", "location_without_parent_station"),
        ("stops.txt", "S2,Empty,51.7,6.5,1,,,", "unused_station"),
        (
            "transfers.txt", "from_stop_id,to_stop_id,transfer_type\nEN,X,0",
            "transfer_with_invalid_stop_location_type"
        ),
        ("transfers.txt", "from_stop_id,to_stop_id,transfer_type\nX,PL,0", "transfer_distance_above_2_km"),
        ("transfers.txt", "from_stop_id,to_stop_id,transfer_type\nX,,0", "missing_required_field"),
        ("transfers.txt", "from_stop_id,to_stop_id,transfer_type\nX,Y,8", "unexpected_enum_value"),
        ("transfers.txt", "from_stop_id,to_stop_id,transfer_type\nX,Q,0", "foreign_key_violation"),
        ("transfers.txt", "from_stop_id,to_stop_id,transfer_type\nX,Y,0\nX,Y,2", "duplicate_key"),
        (
            "transfers.txt", "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type\nPL,X,T,T,4",
            "transfer_with_invalid_trip_and_stop"
        ),
        (
            "fare_attributes.txt", "fare_id,price,currency_type,payment_method,transfers\nF,2,EURO,0,0",
            "invalid_currency"
        ),
        (
            "fare_attributes.txt", "fare_id,price,currency_type,payment_method,transfers\nF,-2,EUR,0,0",
            "number_out_of_range"
        ),
        (
            "fare_attributes.txt", "fare_id,price,currency_type,payment_method,transfers\nF,two,EUR,0,0",
            "invalid_float"
        ),
        ("fare_rules.txt", "fare_id,route_id\nF,R", "foreign_key_violation"),
        ("attributions.txt", "organization_name,is_producer\nMakers,0", "attribution_without_role"),
        (
            "translations.txt",
            "table_name,field_name,language,translation,field_value\nplaces,name,de,Ypern,Ypres",
            "translation_unknown_table_name"
        ),
        (
            "translations.txt",
            "table_name,field_name,language,translation,record_id,field_value\nstops,stop_name,de,a,X,b",
            "translation_unexpected_value"
        ),
        (
            "fare_transfer_rules.txt",
            "from_leg_group_id,to_leg_group_id,duration_limit,fare_transfer_type\n,,60,0",
            "fare_transfer_rule_duration_limit_without_type"
        ),
        (
            "timeframes.txt", "timeframe_group_id,start_time,end_time,service_id\nG,08:00:00,,S",
            "timeframe_only_start_or_end_time_specified"
        ),
        (
            "timeframes.txt",
            "timeframe_group_id,start_time,end_time,service_id\nG,08:00:00,10:00:00,S\nG,09:00:00,11:00:00,S",
            "timeframe_overlap"
        ),
        ("feed_info.txt", "B,http://b.example,de,20260101,20260208", "more_than_one_entity"),
        ("notes.txt", "anything", "unknown_file"),
        ("levels.txt", "level_id,level_index,colour\nL,0,red", "unknown_column"),
        ("levels.txt", "level_id\nL", "missing_required_column"), ("levels.txt", "", "empty_file"),
    ])
    func otherTables(table: String, text: String, code: String) throws {
        let before = Self.station[table] ?? Self.base[table]
        var changes = Self.station.mapValues(Optional.some)
        #expect(try !codes(changes).contains(code))
        changes[table] =
            (["transfers.txt", "levels.txt"].contains(table) ? "" : before ?? "") + text
            + (text.isEmpty ? "" : "\n")
        let found = try codes(changes)
        #expect(found.contains(code), "\(found)")
    }

    /// A node at the end of one way is a dead end.
    @Test func aDanglingNode() throws {
        var changes = Self.station
        changes["stops.txt", default: ""] += "N9,Corner,51.7,6.5,3,ST,,\n"
        changes["pathways.txt", default: ""] += "9,N9,NO,1,1\n"
        #expect(try codes(changes).contains("pathway_dangling_generic_node"))
    }

    @Test(arguments: [
        (
            "route_id,route_short_name,route_type,route_color,route_text_color\nR,1,3,FFFFFF,FFFF00",
            "route_color_contrast"
        ),
        ("route_id,route_short_name,route_type,route_color\nR,1,3,blue", "invalid_color"),
        ("route_id,route_short_name,route_type,route_url\nR,1,3,nowhere", "invalid_url"),
        ("route_id,route_short_name,route_type\nR,,3", "route_both_short_and_long_name_missing"),
        ("route_id,route_short_name,route_type\nR,a very long name,3", "route_short_name_too_long"),
        (
            "route_id,route_short_name,route_long_name,route_type\nR,1,1 Xanten,3",
            "route_long_name_contains_short_name"
        ),
        ("route_id,route_short_name,route_type\nR,1,3\nQ,2,3", "rutter_unused_route"),
    ])
    func routes(text: String, code: String) throws {
        #expect(try codes(["routes.txt": text + "\n"]).contains(code))
    }

    /// Types of fields by the reference; each pair is a good and a bad text.
    @Test func fieldTypes() {
        let cases: [(FieldKind, good: [String], bad: [String])] = [
            (
                .url, ["http://a.example", "https://a.example/b?c=d"],
                ["a.example", "ftp://a.example", "http://", "http://a b"]
            ),
            (.email, ["a@b.example"], ["a", "a@b", "@b.example", "a@.example", "a@b@c.d"]),
            (.language, ["de", "en-US", "zh-Hant-TW"], ["d", "12", "de_DE", "de-"]),
            (.color, ["00ff00", "ABCDEF"], ["0f0", "#00ff00", "00gg00"]),
            (.currency, ["EUR", "CHF"], ["eur", "EURO", "€"]),
            (.timezone, ["Europe/Berlin"], ["Berlin", "Nowhere/Nowhere"]),
            (.date, ["20260206"], ["2026-02-06", "20260230"]),
            (.time, ["8:05:00", "27:35:00"], ["8:5:0", "800"]),
            (.choice(0...2), ["0", "2"], ["3", "-1", "x"]),
        ]
        for (kind, good, bad) in cases {
            for text in good + bad {
                var copy = text
                let fault = copy.withUTF8 { FieldCheck.fault($0, kind) }
                #expect((fault == nil) == good.contains(text), "\(kind) \(text)")
            }
        }
    }

    @Test func nothingIsWritten() async throws {
        let session = try TestSession(plugins: { [TransitPlugin()] })
        await session.run("feed sample")
        let before = try FileManager.default.subpathsOfDirectory(atPath: session.folder.url.path).sorted()
        #expect(
            await session.run("feed check harbour | where severity == error | get code | unique")
                == "invalid_row_length\nlocation_with_unexpected_stop_time\npoint_near_origin")
        #expect(await session.run("feed check harbour --severity error | count") == "4")
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: session.folder.url.path).sorted() == before)
    }
}
