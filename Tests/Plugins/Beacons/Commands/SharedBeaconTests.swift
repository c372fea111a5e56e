import BeaconsPlugin
import Foundation
import PluginTestKit
import Testing

/// Groups, contacts, sharing, favourites, the order of a route, and the location permission.
struct SharedBeaconTests {
    private let test: TestSession

    init() throws { test = try TestSession(plugins: { [BeaconsPlugin()] }) }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: test.folder.url.appendingPathComponent(name))
    }

    @Test func groupsStandForTheirBeacons() async throws {
        await test.run(
            "beacon add gate 0.51,0.49 --group Trip; beacon add lake 0.52,0.5; beacon add hut 0.53,0.5")
        await test.run("beacon edit lake --group trip")
        #expect(await test.run("beacon list --group trip | get name") == "gate\nlake")
        #expect(await test.run("beacon edit TRIP --enabled false | count") == "2")
        #expect(await test.run("beacon list | where enabled == true | get name") == "north\nhut")
        // A beacon of the same name comes first.
        await test.run("beacon add trip 0.54,0.5")
        #expect(await test.run("beacon edit trip --enabled false | get name") == "trip")
        #expect(await test.run("beacon edit lake --group '' | get group").isEmpty)
        #expect(await test.result("beacon list --group trp").failure?.code == "E-BEACON-GROUP")
        #expect(await test.result("beacon edit north --group trip").failure?.code == "E-BEACON-NORTH")
        #expect(await test.result("beacon edit lake --group \"a\\nb\"").failure?.code == "E-BEACON-GROUP")
    }

    @Test func oneBeaconAtATime() async throws {
        await test.run("beacon add hut 0.53,0.5; beacon add gate 0.51,0.49; beacon add lake 0.52,0.5")
        #expect(await test.run("beacon next gate lake hut | get beacon") == "gate")
        #expect(await test.run("beacon list | where enabled == true | get name") == "north\ngate")
        #expect(await test.run("beacon next gate lake hut --place 0.511,0.49 | get beacon") == "gate")
        #expect(await test.run("beacon next gate lake hut --place 0.5101,0.49 | get beacon") == "lake")
        #expect(await test.run("beacon next gate lake hut | get left") == "0")
        #expect(await test.run("beacon next gate lake hut | get beacon").isEmpty)
        #expect(await test.run("beacon list | where enabled == true | get name") == "north")
        await test.run("undo")
        #expect(await test.run("beacon list | where enabled == true | get name") == "north\nhut")
    }

    @Test func historyAndFavourites() async throws {
        await test.run("beacon add gate 0.51,0.49; clock +1min; beacon add lake 0.52,0.5")
        // What is only added was not used yet.
        #expect(await test.run("beacon list --history | count") == "0")
        await test.run("beacon edit lake --enabled false; beacon edit lake --enabled true")
        #expect(await test.run("beacon list --history | get name") == "lake")
        await test.run("beacon edit gate --enabled false; clock +1min; beacon edit gate --enabled true")
        #expect(await test.run("beacon list --history | get name") == "gate\nlake")
        await test.run("beacon edit lake --favorite true")
        #expect(await test.run("beacon list --favorites | get name") == "lake")
        await test.run("beacon edit lake --favorite false")
        #expect(await test.run("beacon list --favorites | count") == "0")
    }

    @Test func sharedBeaconsComeBack() async throws {
        await test.run("beacon add 'Café; am See, 1' 46.512345,-7.5 --group Trip")
        #expect(await test.run("beacon share trip") == "geo:46.512345,-7.5")
        #expect(await test.run("beacon share trip --out a.vcf") == "1 beacon written to a.vcf")
        let text = try String(
            contentsOf: test.folder.url.appendingPathComponent("a.vcf"), encoding: .utf8)
        #expect(text.contains("\r\nFN:Café\\; am See\\, 1\r\nGEO:geo:46.512345,-7.5\r\nCATEGORIES:Trip\r\n"))
        await test.run("beacon delete 'Café; am See, 1'; beacon import a.vcf")
        #expect(
            await test.run("beacon list --group trip | select name at | to csv")
                == "name,at\n\"Café; am See, 1\",\"46.512345,-7.5\"")
        // What was shared from here is changed, not doubled, and keeps its tone.
        await test.run("beacon edit trip --tone warm --place 1,1; beacon import a.vcf")
        #expect(
            await test.run("beacon list --group trip | select at tone | to csv")
                == "at,tone\n\"46.512345,-7.5\",Warm Alternate")
        #expect(await test.result("beacon share north").failure?.code == "E-BEACON-NORTH")
        #expect(await test.result("beacon share trip --out a.vcf").failure?.code == "E-FILE-EXISTS")
    }

    @Test func contactsBecomeBeacons() async throws {
        try write(
            "BEGIN:VCARD\nVERSION:3.0\nFN:Anna\nGEO:46.5;7.5\nEND:VCARD\n"
                + "BEGIN:VCARD\nVERSION:3.0\nN:Muster;Ben;;;\nitem1.ADR;TYPE=\"a:b\":;;Main Street 1;To\n wn;;1;\nEND:VCARD\n"
                + "BEGIN:VCARD\nVERSION:4.0\nFN:Cleo\nGEO:geo:95,7\nEND:VCARD\n", to: "c.vcf")
        let shown = await test.run("beacon import c.vcf")
        #expect(shown.contains("2 contacts not added: Ben Muster: "), "\(shown)")
        #expect(shown.contains("Cleo: its GEO `geo:95,7` is no place"))
        #expect(await test.run("beacon list | select name at | last | get at") == "46.5,7.5")
        await test.run("undo")
        #expect(await test.run("beacon list | count") == "1")
        try write("BEGIN:VCARD\nFN:Nobody\nEND:VCARD\n", to: "n.vcf")
        #expect(await test.result("beacon import n.vcf").failure?.code == "E-BEACON-CARD")
    }

    @Test func contactsOfOldVersionsAreRead() async throws {
        try write(
            "BEGIN:VCARD\nVERSION:2.1\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCrg =\nM=C3=BCller\n"
                + "GEO:46.5;7.5\nEND:VCARD\nBEGIN:VCARD\nVERSION:2.1\nFN:Comma\nGEO:7.5,46.5\nEND:VCARD\n",
            to: "old.vcf")
        // The order of two numbers with a comma is not known, so none is guessed.
        #expect(await test.run("beacon import old.vcf").contains("Comma: its GEO `7.5,46.5` is no place"))
        #expect(await test.run("beacon list | last | get name") == "Jürg Müller")
        #expect(await test.run("beacon list | last | get at") == "46.5,7.5")
    }

    /// The numbers of another reference system are no place here, and programs write 0,0 for none.
    @Test func placesInOtherSystemsAndAtZeroAreNone() async throws {
        func card(_ name: String, _ place: String) -> String {
            "BEGIN:VCARD\nVERSION:4.0\nFN:\(name)\nGEO:\(place)\nEND:VCARD\n"
        }
        try write(
            card("old", "geo:46.5,7.5;crs=nad27") + card("zero", "geo:0,0")
                + card("new", "geo:46.6,7.6;crs=wgs84;u=9")
                + card("asked", "geo:0,0?q=46.7,7.7(Hut)"), to: "systems.vcf")
        let note = await test.run("beacon import systems.vcf")
        #expect(note.contains("2 contacts not added: old") && note.contains("zero: its GEO"), "\(note)")
        #expect(await test.run("beacon list | last 2 | each at") == "46.6,7.6\n46.7,7.7")
    }

    @Test func withoutThePermissionNorthAloneIsHeard() async throws {
        await test.run("beacon add gate 0.51,0.49")
        #expect(
            await test.run("beacon permission denied | where current | get shown")
                == "Location permission required: allow it in Settings")
        let heard = await test.run("beacon bearings --heading 90deg")
        #expect(
            heard.contains("270deg")
                && heard.contains("Location permission required: silent: gate"))
        #expect(!heard.contains("gate   "))
        await test.run("beacon permission always")
        #expect(await test.result("beacon bearings --heading 90deg").failure?.code == "E-BEACON-LISTENER")
        #expect(await test.run("beacon bearings --place 0.5,0.5 | count") == "2")
    }
}
