import Foundation
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Each format is recognised by its content, whatever its name; an intact store has no findings, and each
/// planted fault is the only finding.
struct FormatTests {
    @Test(.needs(.photos), arguments: StoreKind.allCases)
    func recognisedByContent(_ kind: StoreKind) async throws {
        let session = try Fixture.session()
        let name = try FormatFixture.write(kind, in: session.folder.url)
        await session.run("store list")
        // The workspace keeps the accounts of stores that were opened.
        let before = try FolderState(session.folder.url, without: "workspace")
        #expect(await session.run("store open \(name) | get kind") == kind.name)
        #expect(await session.run("store show | get sure") == "certain")
        let codes = try await session.codes("")
        #expect(codes.isEmpty, "\(codes)")
        await session.run("store show --schema; sql 'SELECT count(*) FROM sqlite_master'; store close five")
        #expect(try FolderState(session.folder.url, without: "workspace") == before)
    }

    @Test func likelyAndUnsure() async throws {
        let session = try Fixture.session()
        try FormatFixture.database(
            session.file("r.db"), FormatFixture.routing + "ALTER TABLE routing_edges DROP COLUMN is_oneway")
        #expect(await session.run("store show r.db | select kind sure") == "kind  routing\nsure  likely")
        try Data("[]".utf8).write(to: session.file("empty.json"))
        #expect(await session.run("store show empty.json | get sure") == "unsure")
        for (name, text) in [("n.json", "[1, 2]"), ("o.json", "{\"a\": 1}"), ("b.json", "[{\"id\":")] {
            try Data(text.utf8).write(to: session.file(name))
            #expect(await session.result("store open \(name)").failure?.code == "E-STORE-NOTDB", "\(name)")
        }
        #expect(await session.result("store open plans").failure?.code == "E-FILE-MISSING")
        _ = try FormatFixture.write(.plannedRoutes, in: session.folder.url)
        #expect(await session.result("store open plans --write").failure?.code == "E-STORE-READONLY")
        #expect(
            await session.run("sql 'SELECT name FROM planned_routes' --store plans") == "name\nTo the hut")
        // A folder with stores in it is a container.
        #expect(await session.run("store open . --name all | get kind") == "container")
        #expect(await session.run("store close all").hasPrefix("closed all with "))
    }

    /// Rutter's own files of another version name themselves in their header.
    @Test func ownFilesOfAnotherVersion() async throws {
        for (number, kind) in [
            (StoreFormat.ApplicationID.cloud, StoreKind.cloud), (StoreFormat.ApplicationID.link, .link),
        ] {
            let session = try Fixture.session()
            try FormatFixture.database(
                session.file("x.db"), "PRAGMA application_id = \(number); CREATE TABLE x(a)")
            #expect(
                await session.run("store show x.db | select kind sure") == "kind  \(kind.name)\nsure  likely")
            #expect(Set(try await session.codes("x.db")) == ["F-FORMAT-TABLE"])
        }
    }

    // MARK: Planted faults

    static let own: [(kind: StoreKind, sql: String, codes: [String])] = [
        (.cloud, "UPDATE zones SET head = 1", ["F-CLOUD-TAG"]),
        (.cloud, "UPDATE records SET tag = 0 WHERE name = 'a'", ["F-CLOUD-TAG"]),
        (.cloud, "UPDATE zones SET floor = 3", ["F-CLOUD-ZONE"]),
        (.cloud, "UPDATE zones SET name = 'other'", ["F-CLOUD-ZONE"]),
        (.cloud, "UPDATE records SET deleted = 2 WHERE name = 'b'", ["F-CLOUD-RECORD"]),
        (.cloud, "UPDATE records SET content = 'text' WHERE name = 'a'", ["F-CLOUD-RECORD"]),
        (.cloud, "UPDATE operations SET tag = 9 WHERE number = 2", ["F-CLOUD-TAG"]),
        (.link, "UPDATE link_items SET state = 'lost'", ["F-LINK-STATE"]),
        (.link, "UPDATE link_items SET channel = 'pigeon'", ["F-LINK-STATE"]),
        (.link, "UPDATE link_items SET payload = '{'", ["F-LINK-PAYLOAD"]),
        (.link, "UPDATE link_items SET payload = '[1]'", ["F-LINK-PAYLOAD"]),
    ]

    @Test(arguments: own)
    func faultsOfOwnFiles(_ fault: (kind: StoreKind, sql: String, codes: [String])) async throws {
        #expect(Set(try await codes(fault.kind, fault.sql)) == Set(fault.codes))
    }

    static let routing: [(sql: String, codes: [String])] = [
        ("UPDATE routing_nodes SET latitude = 91 WHERE id = 1", ["NODE"]),
        ("UPDATE routing_nodes SET elevation = 'high' WHERE id = 1", ["HEIGHT"]),
        ("UPDATE routing_edges SET to_node = 9 WHERE id = 1", ["ENDS"]),
        ("UPDATE routing_edges SET distance = 20 WHERE id = 1", ["LENGTH"]),
        ("UPDATE routing_edges SET distance = -1 WHERE id = 1", ["LENGTH"]),
        ("UPDATE routing_edges SET elevation_gain = NULL WHERE id = 1", ["CLIMB"]),
        ("UPDATE routing_edges SET cost = 5 WHERE id = 1", ["COST"]),
        ("UPDATE routing_edges SET cost = NULL WHERE id = 1", ["COST"]),
        ("UPDATE routing_edges SET is_oneway = 2 WHERE id = 1", ["ONEWAY"]),
        ("UPDATE routing_edges SET geometry = x'0000' WHERE id = 2", ["GEOMETRY"]),
        ("UPDATE routing_edges SET geometry = x'0000C0440000C044' WHERE id = 2", ["GEOMETRY"]),
        ("UPDATE routing_edges SET distance = 900, cost = 999, reverse_cost = 999 WHERE id = 2", ["SHAPE"]),
        (
            "INSERT INTO routing_edges SELECT 3, to_node, from_node, distance, 0, 20, NULL, 'path', NULL, NULL, NULL, "
                + "osm_way_id, 120, 150, 0, NULL FROM routing_edges WHERE id = 2", ["TWICE"]
        ),
        ("DROP INDEX idx_edges_to", ["INDEX"]),
    ]

    @Test(arguments: routing)
    func routingFaults(_ fault: (sql: String, codes: [String])) async throws {
        #expect(try await codes(.routing, fault.sql) == fault.codes.map { "F-ROUTING-\($0)" })
    }

    static let tiles: [(sql: String, codes: [String])] = [
        ("UPDATE tiles SET tile_row = 2 WHERE zoom_level = 1", ["ADDRESS", "META"]),
        ("UPDATE tiles SET tile_data = x'00' WHERE zoom_level = 1", ["DATA"]),
        ("UPDATE tiles SET tile_data = x'FFD8FFE0' WHERE zoom_level = 1", ["DATA", "FORMAT"]),
        ("INSERT INTO tiles SELECT * FROM tiles WHERE zoom_level = 1", ["TWICE"]),
        ("UPDATE tiles SET tile_data = x'1A0568656C6C6F' WHERE zoom_level = 1", ["FORMAT", "PLAIN"]),
        ("UPDATE metadata SET value = '7' WHERE name = 'maxzoom'", ["META"]),
        ("DELETE FROM metadata WHERE name = 'name'", ["META"]),
        ("UPDATE metadata SET value = 'world' WHERE name = 'bounds'", ["META"]),
    ]

    @Test(arguments: tiles)
    func tileFaults(_ fault: (sql: String, codes: [String])) async throws {
        #expect(try await codes(.mbtiles, fault.sql).sorted() == fault.codes.map { "F-TILES-\($0)" })
    }

    static let transit: [(sql: String, codes: [String])] = [
        ("UPDATE stops SET stop_lat = NULL WHERE sid = 1", ["STOP"]),
        ("INSERT INTO pattern_stops VALUES (1, 3, 9, 700, 700)", ["CALL"]),
        ("INSERT INTO patterns VALUES (2, 1, 0); INSERT INTO dict_pattern VALUES (2, 'Q')", ["PATTERN"]),
        ("UPDATE trips SET pid = 9", ["PATTERN"]),
        ("UPDATE pattern_stops SET arrival_offset_secs = 700 WHERE stop_sequence = 2", ["ORDER"]),
        ("UPDATE pattern_stops SET arrival_offset_secs = -1 WHERE stop_sequence = 2", ["OFFSET", "ORDER"]),
        ("UPDATE patterns SET rid = 9", ["ROUTE"]),
        ("UPDATE trips SET service_id = 'never'", ["SERVICE"]),
        ("UPDATE trips SET start_time_secs = -1", ["START"]),
        ("UPDATE calendar SET days = 128", ["CALENDAR"]),
        ("UPDATE calendar SET end_date = '2025-02-29'", ["CALENDAR"]),
        ("UPDATE calendar_dates SET exception_type = 3", ["EXCEPTION"]),
        ("DELETE FROM dict_stop WHERE sid = 2", ["ID"]),
        ("DELETE FROM stops_rtree WHERE sid = 2", ["SEARCH"]),
        ("DELETE FROM metadata", ["ZONE"]),
    ]

    @Test(arguments: transit)
    func transitFaults(_ fault: (sql: String, codes: [String])) async throws {
        #expect(try await codes(.transit, fault.sql) == fault.codes.map { "F-TRANSIT-\($0)" })
    }

    private func codes(_ kind: StoreKind, _ sql: String) async throws -> [String] {
        let session = try Fixture.session()
        let name = try FormatFixture.write(kind, in: session.folder.url)
        try FormatFixture.database(session.file(name), sql)
        let codes = try await session.codes(name)
        for code in codes { #expect(await session.run("explain \(code)").contains("Fix:")) }
        return codes
    }

    static let routes: [(old: String, new: String, codes: [String])] = [
        ("\"mode\":\"hiking\"", "\"mode\":\"flying\"", ["JSON"]),
        ("\"elevationGain\":0,", "", ["JSON"]),
        ("\"totalDistance\":1113.2", "\"totalDistance\":2113.2", ["DISTANCE"]),
        ("\"estimatedDuration\":1000", "\"estimatedDuration\":-1", ["NUMBER"]),
        (
            "{\"latitude\":0,\"longitude\":0.01},\"viaPoints\":[]",
            "{\"latitude\":0,\"longitude\":0.1},\"viaPoints\":[]", ["ENDS"]
        ),
        ("\"viaPoints\":[]", "\"viaPoints\":[{\"latitude\":95,\"longitude\":0}]", ["PLACE"]),
        ("[{\"latitude\":0,\"longitude\":0},{\"latitude\":0,\"longitude\":0.01}]", "[]", ["EMPTY"]),
        ("\"direction\":\"arrive\"", "\"direction\":\"left\"", ["TURNS"]),
        (
            "{\"distance\":0,\"elevation\":1},{\"distance\":1113,",
            "{\"distance\":9,\"elevation\":1},{\"distance\":3,", ["PROFILE"]
        ),
        ("0F8D72C2", "1F8D72C2", ["FILE"]),
        ("\"id\"", "\"id\" \"", ["JSON"]),
    ]

    @Test(arguments: routes)
    func routeFaults(_ fault: (old: String, new: String, codes: [String])) async throws {
        let session = try Fixture.session()
        let name = try FormatFixture.write(.plannedRoutes, in: session.folder.url)
        let file = session.file("\(name)/\(FormatFixture.routeID).json")
        let text = FormatFixture.route.replacing("\n", with: "")
        #expect(text.contains(fault.old))
        try Data(text.replacing(fault.old, with: fault.new).utf8).write(to: file)
        // Beside an intact one, so that the folder is still recognised as routes.
        let other = "1AAD72C2-95EC-4854-9ABC-4DCB546F61DC"
        try Data(
            text.replacing(FormatFixture.routeID, with: other).replacing("To the hut", with: "Back").utf8
        )
        .write(to: session.file("\(name)/\(other).json"))
        #expect(try await session.codes(name) == fault.codes.map { "F-ROUTE-\($0)" })
    }

    static let documents: [(kind: StoreKind, old: String, new: String, codes: [String])] = [
        (.locations, "A0000000-", "A-", ["F-LOCATION-JSON"]),
        (.locations, "46.5", "95", ["F-LOCATION-PLACE"]),
        (.locations, "true", "1", ["F-LOCATION-JSON"]),
        (.locations, "]", "," + FormatFixture.locations.dropFirst(), ["F-LOCATION-TWICE"]),
        (.tones, "\"pingDuration\":0.5", "\"pingDuration\":\"long\"", ["F-TONE-JSON"]),
        (.tones, "\"frequency\":830.0", "\"frequency\":3", ["F-TONE-RANGE"]),
        // A ping that rises has a negative sweep.
        (.tones, "\"frequencySweepAmount\":0.5", "\"frequencySweepAmount\":-0.5", []),
        (.tones, "]", "," + FormatFixture.tones.dropFirst(), ["F-TONE-TWICE"]),
    ]

    @Test(arguments: documents)
    func documentFaults(
        _ fault: (kind: StoreKind, old: String, new: String, codes: [String])
    ) async throws {
        let session = try Fixture.session()
        let name = try FormatFixture.write(fault.kind, in: session.folder.url)
        let text = try String(contentsOf: session.file(name), encoding: .utf8)
        try Data(text.replacing(fault.old, with: fault.new).utf8).write(to: session.file(name))
        #expect(try await session.codes(name) == fault.codes)
    }

    @Test func aToneThatIsNotThere() async throws {
        let session = try Fixture.session()
        let name = try FormatFixture.write(.locations, in: session.folder.url)
        try Data(FormatFixture.tones.replacing("B0", with: "C0").utf8).write(to: session.file("tones.json"))
        #expect(try await session.codes(name) == ["F-LOCATION-TONE"])
    }
}
