import BeaconsPlugin
import Foundation
import PluginTestKit
import Testing

/// Beacons along a route: made from its turns, heard one after the other, and told when one faces them.
struct BeaconRouteTests {
    private let test: TestSession

    init() throws { test = try TestSession(plugins: { [BeaconsPlugin()] }) }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: test.folder.url.appendingPathComponent(name))
    }

    /// A walk due north along a meridian, a fix each second at 1.3 m/s, and three places on it.
    private func writeWalk() throws {
        let points = (0...260).map {
            let time = String(format: "2026-02-06T08:%02d:%02dZ", $0 / 60, $0 % 60)
            return
                "<trkpt lat=\"\(0.5 + Double($0) * 1.3 / 111_195)\" lon=\"0.5\"><time>\(time)</time></trkpt>"
        }
        try write("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>", to: "walk.gpx")
        let places = [("gate", 100.0), ("wall", 105), ("lake", 200), ("hut", 300)].map {
            "<wpt lat=\"\(0.5 + $0.1 / 111_195)\" lon=\"0.5\"><name>\($0.0)</name></wpt>"
        }
        try write("<gpx>\(places.joined())</gpx>", to: "plan.gpx")
    }

    @Test func theNextPlaceSoundsWhenOneIsReached() async throws {
        try writeWalk()
        let made = await test.run("beacon route plan.gpx --group trip | select beacon what | to csv")
        #expect(made == "beacon,what\ntrip 1,gate\ntrip 2,lake\ntrip 3,hut")
        #expect(await test.run("beacon list | where enabled == true | get name") == "north\ntrip 1")
        // 80 m to the first: reached after 62 s, heard for three seconds, then the second.
        let heard = await test.run(
            "beacon bearings --track walk.gpx --follow trip --every 1s | where beacon =~ 'trip'"
                + " | where arrived | select time beacon | to csv")
        let rows = heard.split(separator: "\n").dropFirst()
        #expect(rows.first == "62,trip 1", "\(heard)")
        #expect(rows.filter { $0.hasSuffix("trip 1") }.count == 3)
        #expect(rows.filter { $0.hasSuffix("trip 2") }.count == 3)
        #expect(rows.last?.hasSuffix("trip 3") == true)
        // The last place has no next one: its arrival is heard while one is there.
        #expect(rows.filter { $0.hasSuffix("trip 3") }.count > 10)
        // The same of rows that are minutes apart: no place is missed between them.
        let sparse = await test.run(
            "beacon bearings --track walk.gpx --follow trip --every 100s | where beacon =~ 'trip' | get beacon"
        )
        #expect(sparse == "trip 1\ntrip 2\ntrip 3")
    }

    /// Files list waypoints by their names or as they were made; a route beside places that lie elsewhere is what is followed.
    @Test func placesAreInTheOrderOfTheTrack() async throws {
        func place(_ element: String, _ north: Double, _ name: String) -> String {
            "<\(element) lat=\"\(0.5 + north / 111_195)\" lon=\"0.5\"><name>\(name)</name></\(element)>"
        }
        let places = place("wpt", 900, "D") + place("wpt", 300, "B") + place("wpt", 600, "C")
        let points = (0...100).map { place("trkpt", Double($0) * 10, "") }.joined()
        let track = "<trk><trkseg>\(points)</trkseg></trk>"
        try write("<gpx>\(places)\(track)</gpx>", to: "out.gpx")
        let made = await test.run("beacon route out.gpx --group out | select beacon what | to csv")
        #expect(made.hasSuffix("out 1,B\nout 2,C\nout 3,D"), "\(made)")
        let note = await test.run("beacon route out.gpx --group again")
        #expect(note.contains("in the order of the track"), "\(note)")
        // There and back each place is passed twice: no order is the only one.
        let back = (0...100).map { place("trkpt", Double(100 - $0) * 10, "") }.joined()
        let twice = track.replacingOccurrences(of: "</trkseg>", with: back + "</trkseg>")
        let ways = place("wpt", 300, "B") + place("wpt", 100, "A") + place("wpt", 600, "C")
        try write("<gpx>\(ways)\(twice)</gpx>", to: "back.gpx")
        let unclear = await test.run("beacon route back.gpx --group back")
        #expect(unclear.contains("not that of its track"), "\(unclear)")
        let route = "<rte>\(place("rtept", 0, "start"))\(place("rtept", 500, "end"))</rte>"
        try write("<gpx>\(places)\(route)</gpx>", to: "route.gpx")
        let followed = await test.run("beacon route route.gpx --group route")
        #expect(followed.contains("start") && !followed.contains("D"), "\(followed)")
        #expect(followed.contains("3 waypoints beside it left out"))
    }

    /// Places and legs of a walk, in metres to the north, and the places that are reached.
    struct Joining: Sendable {
        let places: [Double]
        let legs: [[Double]]
        let arrivals: [String]
    }

    /// A walk that begins at the third place, a way there and back, and a round whose start is approached from its end.
    @Test(arguments: [
        Joining(
            places: [0, 100, 200, 300, 400], legs: [[190, 400]], arrivals: ["trip 3", "trip 4", "trip 5"]),
        Joining(
            places: [0, 100, 200, 100, 0], legs: [[-60, 200], [200, 0]],
            arrivals: ["trip 1", "trip 2", "trip 3", "trip 4", "trip 5"]),
        Joining(
            places: [0, 100, 200, 300, -80], legs: [[-80, 300]],
            arrivals: ["trip 1", "trip 2", "trip 3", "trip 4"]),
    ])
    func whoJoinsOnTheWayFollowsFromThere(joining: Joining) async throws {
        func latitude(_ north: Double) -> Double { 0.5 + north / 111_195 }
        let marks = joining.places.enumerated().map {
            "<wpt lat=\"\(latitude($1))\" lon=\"0.5\"><name>w\($0)</name></wpt>"
        }
        try write("<gpx>\(marks.joined())</gpx>", to: "plan.gpx")
        var norths: [Double] = []
        for leg in joining.legs {
            let (from, to) = (leg[0], leg[1])
            norths += stride(from: 0, through: abs(to - from), by: 1.3).map { from + (to < from ? -$0 : $0) }
        }
        let points = norths.enumerated().map { index, north in
            let time = String(format: "2026-02-06T08:%02d:%02dZ", index / 60, index % 60)
            return "<trkpt lat=\"\(latitude(north))\" lon=\"0.5\"><time>\(time)</time></trkpt>"
        }
        try write("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>", to: "walk.gpx")
        await test.run("beacon route plan.gpx --group trip")
        let heard = await test.run(
            "beacon bearings --track walk.gpx --follow trip --every 1s | where beacon =~ 'trip' | where arrived"
                + " | each beacon")
        var arrivals: [String] = []
        for name in heard.split(separator: "\n").map(String.init) where name != arrivals.last {
            arrivals.append(name)
        }
        #expect(arrivals == joining.arrivals, "\(arrivals)")
    }

    /// As on a walk: who has come to the second place has passed the first.
    @Test func aPlaceThatWasPassedByIsNotWaitedFor() async throws {
        for (name, place) in [("gate", "0.5,0.5"), ("lake", "0.502,0.5"), ("hut", "0.504,0.5")] {
            await test.run("beacon add \(name) \(place) --group trip")
        }
        await test.run("beacon next trip")
        #expect(await test.run("beacon next trip --place 0.501,0.5 | get why") == "gate is not reached yet")
        let next = await test.run("beacon next trip --place 0.502,0.5 | select beacon why | to csv")
        #expect(next == "beacon,why\nhut,lake is reached; gate was passed", "\(next)")
        // There and back: who is still at the gate has not passed the tip.
        for (name, place) in [("out", "0.5,0.5"), ("tip", "0.502,0.5"), ("back", "0.5,0.5")] {
            await test.run("beacon add \(name) \(place) --group there")
        }
        await test.run("beacon next there")
        await test.run("beacon next there --place 0.5,0.5")
        #expect(await test.run("beacon next there --place 0.5,0.5 | get why") == "tip is not reached yet")
    }

    @Test func theArrivalsOfARouteAreInItsSound() async throws {
        try writeWalk()
        await test.run("beacon route plan.gpx --group trip")
        let arrivals = await test.run(
            "beacon render --track walk.gpx --follow trip --seconds 140 --simple --out a.wav | get arrivals")
        #expect(arrivals == "trip 1\ntrip 2", "\(arrivals)")
        let missing = await test.result("beacon render --heading 0deg --follow trip --simple --out b.wav")
        #expect(missing.failure?.code == "E-BEACON-LISTENER")
        let unknown = await test.result("beacon render --track walk.gpx --follow trp --simple --out b.wav")
        #expect(unknown.failure?.code == "E-BEACON-GROUP")
    }

    @Test func aPlaceThatIsPassedOnTheOtherSideIsFollowedByTheNext() async throws {
        try writeWalk()
        // 25 m east of the walk, out of reach of each; the last is never reached.
        let places = [("gate", 100.0), ("lake", 200), ("hut", 300)].map {
            "<wpt lat=\"\(0.5 + $0.1 / 111_195)\" lon=\"\(0.5 + 25.0 / 111_195)\"><name>\($0.0)</name></wpt>"
        }
        try write("<gpx>\(places.joined())</gpx>", to: "beside.gpx")
        await test.run("beacon route beside.gpx --group trip")
        let heard = await test.run(
            "beacon bearings --track walk.gpx --follow trip --every 1s | where beacon =~ 'trip'"
                + " | select time beacon arrived | to csv")
        let rows = heard.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
        #expect(rows.allSatisfy { $0.last == "false" })
        // The gate is 100 m ahead at the start and 15 m farther away than at the nearest 31 m behind.
        let second = try #require(rows.first { $0[1] == "trip 2" }.flatMap { Double($0[0]) })
        #expect(abs(second - 131 / 1.3) < 3, "\(second)")
        #expect(rows.last?[1] == "trip 3")
        let notice = await test.run(
            "beacon render --track walk.gpx --follow trip --seconds 110 --simple --out a.wav | get notice")
        #expect(notice == "passed without being reached: trip 1", "\(notice)")
    }

    @Test func aFacedBeaconHasATick() async throws {
        await test.run("beacon add home 0.6,0.5; beacon edit north --enabled false")
        func level(_ heading: Int, _ option: String) async -> String {
            await test.run(
                "beacon render --place 0.5,0.5 --heading \(heading)deg \(option) --seconds 4 --simple"
                    + " --out f.wav --force | get left")
        }
        #expect(await test.run("beacon bearings --place 0.5,0.5 --heading 10deg | get facing") == "true")
        #expect(await test.run("beacon bearings --place 0.5,0.5 --heading 20deg | get facing") == "false")
        #expect(await level(10, "--facing") != level(10, ""))
        #expect(await level(20, "--facing") == level(20, ""))
    }

    @Test func aRouteNeedsPlaces() async throws {
        try writeWalk()
        let track = await test.result("beacon route walk.gpx")
        #expect(
            track.failure?.code == "E-BEACON-ROUTE" && track.failure?.fix?.contains("route match") == true)
        await test.run("beacon add a 0.5,0.5 --group trip")
        #expect(await test.result("beacon route plan.gpx --group Trip").failure?.code == "E-BEACON-GROUP")
        #expect(await test.result("beacon list | beacon route").failure?.code == "E-BEACON-ROUTE")
        let tooNear = await test.result("beacon list --group trip | beacon route --group one")
        #expect(tooNear.failure?.code == "E-BEACON-ROUTE")
    }

    @Test func aCompassHeadingIsCorrectedByTheDeclination() async throws {
        await test.run("clock 2026-02-06T08:00:00Z; beacon add home 46.6,7.5")
        let decl = 3.4
        let relative = await test.run(
            "beacon bearings --place 46.5,7.5 --heading 0deg --magnetic | where beacon == home | get relative"
        )
        let degrees = try #require(Double(relative.dropLast(3)))
        #expect(abs(degrees - (360 - decl)) < 0.3, "\(relative)")
        #expect(
            await test.run(
                "beacon bearings --place 46.5,7.5 --heading 0deg | where beacon == home | get magnetic")
                == relative)
        let pole = await test.result("beacon bearings --place 90,0 --heading 0deg --magnetic")
        #expect(pole.failure?.code == "E-BEACON-LISTENER")
        let bare = await test.result("beacon bearings --place 46.5,7.5 --magnetic")
        #expect(bare.failure?.code == "E-BEACON-LISTENER")
        await test.run("clock 2035-01-01T00:00:00Z")
        let later = "beacon bearings --place 46.5,7.5 --heading 0deg | where beacon == home | get magnetic"
        #expect(await test.run(later).isEmpty)
    }

    @Test func mapLinksBecomeBeacons() async throws {
        try write(
            """
            My places
            Hut: geo:46.5,7.5
            geo:0,0?q=46.6,7.6(Upper%20Lake)
            https://www.openstreetmap.org/?mlat=46.7&mlon=7.7#map=15/1.0/2.0
            https://maps.apple.com/?ll=46.8,7.8&q=Old+Bridge
            https://www.google.com/maps/place/Red+Rock/@46.0,7.0,15z/data=!3m1!4b1!4m5!3m4!1s0x0:0x0!8m2!3d46.9!4d7.9
            https://www.google.com/maps/@47.1,8.1,15z
            https://maps.app.goo.gl/AbCdEf
            geo:95,7
            """, to: "links.txt")
        let shown = await test.result("beacon import links.txt | select name at | to csv")
        #expect(
            shown.text == """
                name,at
                Hut,"46.5,7.5"
                Upper Lake,"46.6,7.6"
                place,"46.7,7.7"
                Old Bridge,"46.8,7.8"
                Red Rock,"46.9,7.9"
                place 2,"47.1,8.1"
                """)
        await test.run("undo")
        let note = await test.run("beacon import links.txt")
        #expect(note.contains("2 links without a place: https://maps.app.goo.gl/AbCdEf, geo:95,7"), "\(note)")
        #expect(note.contains("1 link with no mark"))
        try write("https://maps.app.goo.gl/AbCdEf", to: "short.txt")
        #expect(await test.result("beacon import short.txt").failure?.code == "E-BEACON-LINK")
        // The addresses of formats are no links.
        try write("<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"></gpx>", to: "walk.gpx")
        let other = await test.result("beacon import walk.gpx").failure?.code
        #expect(other != nil && other != "E-BEACON-LINK")
    }

    @Test(
        "links of further maps, and those that write the longitude first",
        arguments: [
            ("https://yandex.com/maps/?ll=7.41%2C46.2&z=15", "46.2,7.41"),
            (
                "https://yandex.ru/maps/?ll=7.3%2C46.1&z=17&whatshere%5Bpoint%5D=7.41%2C46.2", "46.2,7.41"
            ),
            ("https://yandex.ru/maps/?ll=7.3%2C46.1&pt=7.41,46.2,pm2rdm~7.5,46.3&z=15", "46.2,7.41"),
            ("https://share.example.org/v1/marker?lat=46.2&lon=7.41", "46.2,7.41"),
            ("https://peaks.example.org/?lat=46.2&lng=7.41", "46.2,7.41"),
            ("https://map.example.org/map?pin=46.2,7.41#15/46.3/7.5", "46.2,7.41"),
            ("https://maps.google.com/?q=loc:46.2+7.41", "46.2,7.41"),
            ("https://www.waze.com/ul?ll=46.2%2C7.41", "46.2,7.41"),
        ])
    func furtherLinks(link: String, at: String) async throws {
        try write(link + "\n", to: "links.txt")
        await test.run("beacon import links.txt")
        #expect(await test.run("beacon list | last | get at") == at)
    }

    @Test func aPlaceOfAContactWithAnEscapedSemicolonIsRead() async throws {
        try write(
            "BEGIN:VCARD\nVERSION:3.0\nFN:Work\nitem1.GEO:46.2\\;7.41\nEND:VCARD\n", to: "work.vcf")
        await test.run("beacon import work.vcf")
        #expect(await test.run("beacon list | last | get at") == "46.2,7.41")
    }
}
