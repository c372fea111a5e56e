import Foundation
import PluginTestKit
import Testing

@testable import rutter

struct AccountTests {
    private static let walk =
        "<gpx><trk><trkseg><trkpt lat=\"46.5\" lon=\"7\"><time>2026-02-06T08:00:00Z</time></trkpt>"
        + "<trkpt lat=\"46.501\" lon=\"7\"><time>2026-02-06T08:02:00Z</time></trkpt></trkseg></trk></gpx>"

    /// Of several things, one without an account has a row that says so.
    @Test func nothingIsPassedOver() async throws {
        let test = try TestSession(plugins: builtInPlugins)
        await test.run("'\(Self.walk)' | save a.gpx; import a.gpx")
        #expect(
            await test.run(
                "let walk = (hike list | first); [$walk {name: 'Drawn'}] | account | where of == Drawn | get outcome"
            )
                == "no account")
        let none = await test.result("[{name: 'Drawn'} {name: 'Other'}] | account").failure
        #expect(none?.code == "E-INPUT-KIND")
        // What has no account is not answered with the accounts of others.
        let empty = await test.result("[{name: 'Drawn', account: nothing}] | first | get account | account")
            .failure
        #expect(empty?.code == "E-INPUT-KIND")
    }

    /// The accounts of imports are kept, also of what has no record of its own.
    @Test func importsAreKept() async throws {
        let test = try TestSession(plugins: builtInPlugins)
        #expect(await test.run("account | count") == "0")
        await test.run(
            "'<gpx><wpt lat=\"46.5\" lon=\"7\"/><wpt lat=\"96\" lon=\"7\"/></gpx>' | save pins.gpx; import pins.gpx"
        )
        #expect(
            await test.run("account | last | get words")
                == "2 points: 1 used, 1 left out (without a position and a time)")
        #expect(await test.run("account | last | get source") == "pins.gpx")
        #expect(await test.run("account | last | account | first | get count") == "2")
        await test.run("'\(Self.walk)' | save a.gpx; import a.gpx; import a.gpx")
        #expect(await test.run("account | count") == "2")
    }

    @Test func contactsAndLinks() async throws {
        let card = "BEGIN:VCARD\nVERSION:4.0\nFN:A\nGEO:geo:46.5,7\nEND:VCARD\n"
        let bad = "BEGIN:VCARD\nVERSION:4.0\nFN:B\nGEO:geo:146.5,7\nEND:VCARD\n"
        let links = "Hut geo:46.5,7.1\nhttps://maps.app.goo.gl/abc\n"
        let test = try TestSession(
            plugins: builtInPlugins, files: ["c.vcf": Data((card + bad).utf8), "l.txt": Data(links.utf8)])
        #expect(await test.run("beacon import c.vcf | account | get count").hasPrefix("2\n1\n1"))
        #expect(
            await test.run("account | last | get words") == "2 contacts: 1 used, 1 left out (without a place)"
        )
        #expect(await test.run("beacon import l.txt | account | get count").hasPrefix("2\n1\n1"))
    }

    @Test func rowsOfStoresAndLayers() async throws {
        let test = try TestSession(plugins: builtInPlugins)
        await test.run(
            "waypoint add 46.5,7 --label A; waypoint add 46.6,7 --label B; store copy waypoints.db w.db")
        #expect(await test.run("waypoint list | account | get count") == "2\n2")
        await test.run("[{name: 'Hut', at: 46.5,7.9}] | export huts.gpkg")
        #expect(await test.run("open huts.gpkg | account | first | get item") == "huts row")
        let opened = await test.run("store open w.db | account | get count")
        #expect(opened == "2\n2", "\(opened)")
    }

    @Test(.needs(.photos)) func photosOfAFolder() async throws {
        let test = try TestSession(plugins: builtInPlugins)
        await test.run("'\(Self.walk)' | save a.gpx; import a.gpx --name Walk")
        #expect(
            await test.run("photo match a.gpx --hike Walk | account | get outcome")
                == "seen\nused\nunknown kind")
    }

    /// A point of a community route that cannot be read does not lose the others.
    @Test func communityRoutes() async throws {
        let test = try TestSession(plugins: builtInPlugins)
        await test.run(
            "'\(Self.walk)' | save a.gpx; import a.gpx --name Walk; hike show Walk | export a.json --as community"
        )
        let path = test.folder.url.appendingPathComponent("a.json")
        let text = try String(contentsOf: path, encoding: .utf8)
        let third = "{\"ele\":1,\"lat\":99.5,\"lon\":7,\"time\":\"2026-02-06T08:03:00Z\"},"
        let start = try #require(text.range(of: "\"track\":["))
        try Data(text.replacingCharacters(in: start, with: "\"track\":[\(third)").utf8).write(to: path)
        let words = await test.run("import a.json --again | get account.words")
        #expect(words == "3 points: 2 used, 1 left out (points that cannot be read)")
    }
}
