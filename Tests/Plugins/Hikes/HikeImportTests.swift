import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import HikesPlugin

/// Import reports: kept, dropped, doubtful and duplicate data.
struct HikeImportTests {
    static func point(
        _ latitude: Double, _ minute: Int?, _ elevation: Double? = nil, _ more: String = ""
    ) -> String {
        let time = minute.map { "<time>2026-02-05T08:\($0 < 10 ? "0" : "")\($0):00Z</time>" } ?? ""
        return "<trkpt lat=\"\(latitude)\" lon=\"7.9\">" + (elevation.map { "<ele>\($0)</ele>" } ?? "") + time
            + more
            + "</trkpt>"
    }

    static func gpx(_ segments: [[String]], head: String = "", track: String = "<name>Walk</name>")
        -> String
    {
        "<gpx version=\"1.1\" creator=\"eTrex\" xmlns=\"http://www.topografix.com/GPX/1/1\" xmlns:g=\"urn:g\">"
            + head
            + "<trk>" + track + segments.map { "<trkseg>" + $0.joined() + "</trkseg>" }.joined()
            + "</trk></gpx>"
    }

    func session(_ files: [String: String]) throws -> TestSession {
        try TestSession(plugins: { [HikesPlugin()] }, files: files.mapValues { Data($0.utf8) })
    }

    /// Alternating missing elevations are unknown: no climb of 500 m from every second point.
    @Test func missingElevationsAreUnknown() async throws {
        let points = (0..<40).map {
            Self.point(46 + Double($0) * 0.001, $0, $0 % 2 == 0 ? nil : 500 + Double($0))
        }
        let test = try session(["a.gpx": Self.gpx([points])])
        let imported = await test.run("import a.gpx | get gain")
        #expect(await test.run("hike stats Walk | get gain") == imported)
        // By hand: the known elevations rise by 2 m a point from 501 m to 539 m; what the threshold of 5 m leaves is at most 38 m.
        let gain = try #require(try await test.value("hike stats Walk | get gain").asMetres)
        #expect(gain > 25 && gain <= 38)
        #expect(await test.run("hike stats Walk | get lowest") == "501m")
        #expect(await test.run("hike stats Walk | get unknownElevations") == "20")
        #expect(
            await test.run("import a.gpx --again | get warnings").contains(
                "20 of 40 points have no elevation"))
    }

    /// What services exchange comes back at the time of another zone.
    @Test func aCopyAtTheTimeOfAnotherZoneIsSaid() async throws {
        func points(_ minutes: Int) -> [String] {
            (0..<12).map { Self.point(46 + Double($0) * 0.001, minutes + $0) }
        }
        let one = Self.gpx([points(0)])
        let other = one.replacing("<name>Walk</name>", with: "<name>Copy</name>")
            .replacing("2026-02-05T08:", with: "2026-02-05T14:")
        let test = try session([
            "a.gpx": one, "b.gpx": other,
            "c.gpx": one.replacing("2026-02-05T08:", with: "2026-02-12T08:"),
        ])
        await test.run("import a.gpx")
        #expect(
            await test.run("import b.gpx | get warnings").contains(
                "has the positions of Walk, 6h later: a copy with the time of another zone"))
        #expect(!(await test.run("import c.gpx | get warnings").contains("has the positions")))
    }

    /// A merged hike is of all its files, and what was said of each stays said.
    @Test func aMergedHikeNamesItsFiles() async throws {
        let test = try session([
            "a.gpx": Self.gpx([[Self.point(46, 0), Self.point(46.001, 2)]]),
            "b.gpx": Self.gpx(
                [[Self.point(46.002, 10, -9999), Self.point(46.003, 12, 500), Self.point(46.004, 14, 501)]],
                track: "<name>Rest</name>"),
        ])
        let used = "hike show Walk | get account | where outcome == used | get count"
        await test.run("import a.gpx; import b.gpx")
        await test.run("hike merge Walk Rest")
        #expect(await test.run("hike show Walk | get source") == "a.gpx, b.gpx")
        #expect(await test.run(used) == "5")
        #expect(await test.run("hike show Walk | get warnings").contains("elevation: 1 impossible value"))
        await test.run("hike split Walk --gap 5min")
        await test.run("hike merge Walk 'Walk (2)'")
        #expect(await test.run(used) == "5")
    }

    @Test func aTrackWithoutANameIsCalledByThePlacesAtItsEnds() async throws {
        let points = [Self.point(46, 0), Self.point(46.001, 2)]
        let files = [
            "a.gpx": Self.gpx([points], track: ""), "b.gpx": Self.gpx([points], track: "<name>Mine</name>"),
        ]
        let test = try TestSession(
            plugins: { [HikesPlugin(), NamingPlugin()] }, files: files.mapValues { Data($0.utf8) })
        await test.run("import a.gpx; import b.gpx --again; import a.gpx --again --name Other")
        #expect(await test.run("hike list | get name | sort") == "Mine\nOther\nSouth to North, Dorf")
        // Without known places, the file's name.
        let bare = try session(files)
        await bare.run("import a.gpx")
        #expect(await bare.run("hike list | get name") == "a")
    }

    @Test func aFileWithoutElevationsHasNoGain() async throws {
        let test = try session(["a.gpx": Self.gpx([[Self.point(46, 0), Self.point(46.001, 2)]])])
        #expect(await test.run("import a.gpx | get gain") == "")
        #expect(await test.run("hike list | get gain") == "")
        #expect(await test.run("hike stats Walk | get gain") == "")
        #expect(await test.run("hike stats | get withoutElevations") == "1")
    }

    /// The route across a gap counts nowhere: list, statistics, track, chart and map agree.
    @Test func segmentsAreNotJoined() async throws {
        let test = try session([
            "a.gpx": Self.gpx(
                [
                    [Self.point(46, 0, 500), Self.point(46.01, 10, 510)],
                    [Self.point(46.2, 60, 500), Self.point(46.21, 70, 520)],
                ].map { $0.map { $0.replacing("08:60", with: "09:00").replacing("08:70", with: "09:10") } })
        ])
        // 2 · 0.01° of 111,226.3 m a degree.
        #expect(await test.run("import a.gpx | get distance") == "2.22km")
        #expect(await test.run("hike stats Walk | get distance") == "2.22km")
        #expect(await test.run("hike points Walk | last | get distance") == "2.22km")
        #expect(await test.run("hike points Walk | get segment") == "1\n1\n2\n2")
        #expect(await test.run("hike show Walk | get segments") == "2")
        #expect(!(await test.run("hike show Walk | elevation")).contains("23"))
    }

    @Test func sensorsActivityAndPrecisionStay() async throws {
        let more =
            "<extensions><g:TrackPointExtension><g:hr>101</g:hr><g:cad>80</g:cad></g:TrackPointExtension></extensions>"
        let test = try session([
            "a.gpx": Self.gpx(
                [[Self.point(46.123456789, 0, 500.4, more), Self.point(46.1235, 2)]],
                track: "<name>Ride</name><type>cycling</type>")
        ])
        #expect(await test.run("import a.gpx | get sensors") == "heart rate, cadence")
        #expect(await test.run("hike show Ride | get activity") == "cycling")
        #expect(await test.run("hike show Ride | get device") == "eTrex")
        #expect(
            await test.run("hike points Ride | first | select heartRate cadence | to csv").hasSuffix("101,80")
        )
        let place = try await test.value("hike points Ride | first | get at").onlyItem
        // Exactly the number of the file, which Float32 would move by 7e-7°.
        #expect(place.asCoordinate?.latitude == 46.123456789)
    }

    @Test func whatCannotBeRightIsAWarning() async throws {
        let jump = [
            Self.point(46, 0), Self.point(56, 1), Self.point(46.001, 2), Self.point(46.002, 1, 99_000),
        ]
        let test = try session([
            "a.gpx": Self.gpx([jump]), "b.gpx": Self.gpx([[Self.point(1, nil), Self.point(1.001, nil)]]),
        ])
        let warnings = await test.run("import a.gpx | get warnings")
        for words in [
            "jump of 1112km in 1min to point 2", "jump of 1112km in 1min to point 3",
            "time runs back by 1min at point 4",
            "elevation: 1 impossible value (99000m), treated as unknown", "no elevations",
        ] { #expect(warnings.contains(words), "\(words): \(warnings)") }
        #expect(await test.run("hike show Walk | get warnings").contains("jump of 1112km"))
        #expect(await test.run("import b.gpx --name B | get warnings").contains("no times"))
        #expect(await test.run("hike show B | get start") == "")
        // A receiver whose clock was never set records the same moment of 1901 for every point.
        let frozen = "<trkpt lat=\"46\" lon=\"7\"><time>1901-12-13T20:45:52Z</time></trkpt>"
        let moved = frozen.replacing("\"46\"", with: "\"46.001\"")
        let unset = try session(["c.gpx": Self.gpx([[frozen, moved]])])
        let doubts = await unset.run("import c.gpx | get warnings")
        for words in ["times in the year 1901", "all 2 times are the same: duration and speed are unknown"] {
            #expect(doubts.contains(words), "\(words): \(doubts)")
        }
        // Removing the spike leaves the way on foot: 0.002° of 111 km a degree.
        #expect(await test.run("hike despike Walk | get change") == "despiked: 1 point removed")
        #expect(await test.run("hike show Walk | get distance") == "222m")
        #expect(!(await test.run("hike show Walk | get warnings")).contains("jump"))
        #expect(await test.run("hike show Walk --original | get distance") == "2225km")
    }

    /// The same file, and the same walk by another device, are added once.
    @Test func duplicatesAreRecognised() async throws {
        let walk = (0..<30).map { Self.point(46 + Double($0) * 0.001, $0, 500) }
        // Every third point, a few metres beside, begun two minutes later.
        let watch = stride(from: 2, to: 30, by: 3).map { Self.point(46.00005 + Double($0) * 0.001, $0, 503) }
        let other = (0..<30).map { Self.point(47 + Double($0) * 0.001, $0, 500) }
        let test = try session([
            "a.gpx": Self.gpx([walk]), "copy.gpx": Self.gpx([walk]), "watch.gpx": Self.gpx([watch]),
            "friend.gpx": Self.gpx([other]),
        ])
        #expect(await test.run("import a.gpx | get result") == "imported")
        #expect(
            await test.run("import a.gpx copy.gpx watch.gpx friend.gpx | get result")
                == "duplicate of Walk\nduplicate of Walk\nduplicate of Walk\nimported")
        #expect(await test.run("hike list | count") == "2")
        #expect(await test.run("import a.gpx --again | get result") == "imported")
        #expect(await test.run("hike list | count") == "3")
    }

    /// A thinned copy of a track in the same file would double the way.
    @Test func aThinnedCopyInTheSameFileIsLeftOut() async throws {
        let points = (0..<30).map { Self.point(46 + Double($0) * 0.001, $0, 500) }
        let thinned = points.indices.filter { $0 % 4 == 0 || $0 == 29 }.map { points[$0] }
        let file = Self.gpx([points]).replacing(
            "</gpx>", with: "<trk><trkseg>\(thinned.joined())</trkseg></trk></gpx>")
        let test = try session(["a.gpx": file])
        #expect(await test.run("import a.gpx | get kept") == "1 hike")
        #expect(await test.run("import a.gpx --again | get kept") == "2 hikes")
    }

    /// Two people who walk together.
    @Test func tracksOfTwoNamesAreTwoHikes() async throws {
        func points(_ north: Double) -> [String] {
            (0..<30).map { Self.point(north + Double($0) * 0.001, $0, 500) }
        }
        let file = Self.gpx([points(46)], track: "<name>Anna</name>").replacing(
            "</gpx>",
            with: "<trk><name>Ben</name><trkseg>\(points(46.00003).joined())</trkseg></trk></gpx>")
        let test = try session(["a.gpx": file])
        #expect(await test.run("import a.gpx | get warnings").contains("track 2: of the same walk as Anna"))
        #expect(await test.run("hike list | count") == "2")
    }

    /// Positions without any difference are no way.
    @Test func onePlaceAllAlongIsSaid() async throws {
        let points = (0..<25).map { Self.point(46, $0, 500) }
        let test = try session(["a.gpx": Self.gpx([points])])
        #expect(await test.run("import a.gpx | get warnings").contains("all 25 positions are the same"))
    }

    /// What a recording has that the one in the store lacks is said, where it is left out as a duplicate.
    @Test func aRicherDuplicateIsSaid() async throws {
        let pulse = "<extensions><hr>120</hr></extensions>"
        let test = try session([
            "a.gpx": Self.gpx([(0..<9).map { Self.point(46 + Double($0) * 0.001, $0) }]),
            "b.gpx": Self.gpx([(0..<9).map { Self.point(46 + Double($0) * 0.001, $0, 500, pulse) }]),
        ])
        let rows = await test.run("import a.gpx b.gpx | last | get dropped")
        #expect(rows.contains("lacks its heart rate, elevation") && rows.contains("--again"), "\(rows)")
        #expect(!(await test.run("import b.gpx --again | get dropped")).contains("lacks"))
    }

    /// A walk that a change of batteries cut into two files; one elsewhere is another.
    @Test func aWalkInTwoFilesIsSaid() async throws {
        let first = (0..<10).map { Self.point(46 + Double($0) * 0.001, $0, 500) }
        let second = (15..<25).map { Self.point(46.0095 + Double($0 - 15) * 0.001, $0, 500) }
        let elsewhere = (30..<40).map { Self.point(47 + Double($0) * 0.001, $0, 500) }
        let test = try session([
            "a.gpx": Self.gpx([first], track: "<name>A</name>"),
            "b.gpx": Self.gpx([second], track: "<name>B</name>"),
            "c.gpx": Self.gpx([elsewhere], track: "<name>C</name>"),
        ])
        #expect(await test.run("import a.gpx | get warnings | first | count") == "0")
        // 0.0005° of latitude are 56 m.
        let words =
            "begins 6min after A ended, 56m away: perhaps one walk in two recordings, which `hike merge` joins"
        #expect(await test.run("import b.gpx | get warnings").contains(words))
        #expect(await test.run("hike show B | get warnings").contains(words))
        #expect(!(await test.run("import c.gpx | get warnings")).contains("perhaps one walk"))
    }

    /// What became of the points is kept beside the hike; --strict refuses what is not read as it stands, and adds nothing.
    @Test func theAccountIsKeptAndStrictRefuses() async throws {
        let points = [Self.point(46, 0, 500), Self.point(96, 1, 500), Self.point(46.001, 2, 500)]
        let test = try session([
            "a.gpx": Self.gpx([points]), "b.gpx": Self.gpx([[points[0], points[2]]]),
        ])
        let error = await test.result("import a.gpx --strict").failure
        #expect(error?.code == "E-IMPORT-STRICT" && error?.message.contains("without a position") == true)
        #expect(await test.run("hike list | count") == "0")
        #expect(await test.run("import b.gpx --strict | get result") == "imported")
        #expect(await test.run("import a.gpx --again --name Far | get result") == "imported")
        #expect(
            await test.run("hike show Far | get account | get words")
                == "3 points: 2 used, 1 without a position, kept")
        #expect(await test.run("hike show Far | account | get count | first 3") == "3\n2\n1")
    }

    /// A long file is hashed while it is read.
    @Test func aLongFileIsRecognised() async throws {
        let long = (0..<45_000).map {
            Self.point(46 + Double($0) * 1e-5, $0 % 60, 500, "<cmt>so that the file is long enough</cmt>")
        }
        let text = Self.gpx([long])
        #expect(text.utf8.count > 4 << 20)
        let test = try session([
            "long.gpx": text, "short.gpx": Self.gpx([[Self.point(47, 0), Self.point(47.001, 2)]]),
        ])
        #expect(await test.run("import long.gpx | get result") == "imported")
        #expect(await test.run("hike points Walk | count") == "45000")
        #expect(
            await test.run("import long.gpx short.gpx | get result") == "duplicate of Walk\nimported")
        #expect(await test.run("import long.gpx --again | get result") == "imported")
    }

    /// An invalid file among valid ones is in the report; the others are imported.
    @Test func oneBadFileOfSeveral() async throws {
        let good = Self.gpx([[Self.point(46, 0), Self.point(46.001, 2)]])
        let test = try session([:])
        let week = test.folder.url.appendingPathComponent("week")
        try FileManager.default.createDirectory(at: week, withIntermediateDirectories: true)
        for (name, text) in [
            ("1.gpx", good), ("2.gpx", "<gpx><trk>"), ("3.fit", "not FIT"), ("notes.txt", "x"),
        ] {
            try Data(text.utf8).write(to: week.appendingPathComponent(name))
        }
        let account = await test.run("import week | select file result | to csv")
        #expect(account.contains("week/1.gpx,imported"))
        #expect(account.contains("week/2.gpx,\"failed: ") || account.contains("week/2.gpx,failed: "))
        #expect(account.contains("week/3.fit,"))
        #expect(account.contains("week/notes.txt,not read: of no known kind"))
        #expect(await test.run("hike list | count") == "1")
        #expect(await test.run("undo") == "undone: imported 1 hike")
        #expect(await test.run("hike list | count") == "0")
    }

    /// A file's waypoints are added and linked; `undo` removes them.
    @Test func theFilesWaypoints() async throws {
        let head = "<wpt lat=\"46.001\" lon=\"7.9\"><name>Hut</name></wpt>"
        let test = try session(["a.gpx": Self.gpx([[Self.point(46, 0), Self.point(46.001, 2)]], head: head)])
        func waypoints() throws -> [Waypoint] {
            let url = test.folder.url.appendingPathComponent("workspace/waypoints.db")
            return try WaypointStore(url, access: .foreignWritable).all()
        }
        #expect(await test.run("import a.gpx | get waypoints") == "1")
        let made = try waypoints()
        #expect(made.map(\.label) == ["Hut"])
        let hike = await test.run("hike show Walk | get uuid")
        #expect(made.first?.hikeID?.uuidString == hike)
        await test.run("undo")
        #expect(try waypoints().isEmpty)
        #expect(await test.run("import a.gpx --no-waypoints | get waypoints") == "0")
        #expect(await test.run("hike show Walk | get name") == "Walk")
    }

    @Test(
        .enabled(if: RealData.has("fit"), "needs the folder of real data"),
        arguments: ["fit-sample.fit", "garmin-edge-800.fit", "wahoo-element-bolt.fit", "bike.tcx"])
    func everySampleIsImported(name: String) async throws {
        let data = try Data(contentsOf: RealData.url("fit/\(name)"))
        let test = try TestSession(plugins: { [HikesPlugin()] }, files: [name: data])
        #expect(await test.run("import \(name) | get result") == "imported")
        #expect(await test.run("import \(name) | get result").hasPrefix("duplicate of"))
    }

    // MARK: Indoors

    /// A leg of a race goes on counting from the end of the one before: 130 m, not 40 km.
    @Test func aLegThatGoesOnCountingHasItsOwnLength() async throws {
        let points = (0..<14).map {
            """
            <Trackpoint><Time>2026-06-06T08:0\($0 / 6):\($0 % 6)0Z</Time>\
            <DistanceMeters>\(40330.8 + Double($0) * 10)</DistanceMeters></Trackpoint>
            """
        }
        let tcx = """
            <TrainingCenterDatabase><Activities><Activity Sport="Other"><Id>2026-06-06T08:00:00Z</Id>\
            <Lap StartTime="2026-06-06T08:00:00Z"><TotalTimeSeconds>130</TotalTimeSeconds>\
            <Track>\(points.joined())</Track></Lap></Activity></Activities></TrainingCenterDatabase>
            """
        let test = try session(["a.tcx": tcx])
        #expect(await test.run("import a.tcx | get distance") == "130m")
    }

    /// A device that stopped writing positions has more in its totals than in its points: that is said.
    @Test func pointsOfAPartOfTheTimerAreSaid() async throws {
        let points = (0..<31).map {
            """
            <Trackpoint><Time>2026-06-06T08:0\($0 / 6):\($0 % 6)0Z</Time><Position><LatitudeDegrees>\(47 + Double($0) * 0.0003)\
            </LatitudeDegrees><LongitudeDegrees>8</LongitudeDegrees></Position></Trackpoint>
            """
        }
        let tcx = """
            <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2026-06-06T08:00:00Z</Id>\
            <Lap StartTime="2026-06-06T08:00:00Z"><TotalTimeSeconds>1200</TotalTimeSeconds><DistanceMeters>1000</DistanceMeters>\
            <Track>\(points.joined())</Track></Lap></Activity></Activities></TrainingCenterDatabase>
            """
        let test = try session(["a.tcx": tcx])
        await test.run("import a.tcx")
        #expect(
            await test.run("hike show a | get warnings").contains(
                "the device's timer ran for 20 min, its points span 5 min"))
    }

    /// What an import writes can be read again, however long its way is.
    @Test func aWayAroundTheEarthManyTimesIsReadAgain() async throws {
        let points = (0..<6000).map { "<trkpt lat=\"0.\($0 % 7)\" lon=\"\($0 % 2 * 170)\"/>" }
        let test = try session(["a.gpx": Self.gpx([points])])
        await test.run("import a.gpx --as hikes")
        #expect(await test.run("hike list | get name") == "Walk")
        #expect(await test.run("hike list | get distance").hasPrefix("113"))
    }

    /// A recording without positions keeps its times, sensors and laps; its place is unknown, not 0,0.
    @Test func aRecordingWithoutPositionsIsKept() async throws {
        let points = (0..<5).map {
            """
            <Trackpoint><Time>2026-06-06T08:0\($0):00Z</Time><DistanceMeters>\($0 * 200)</DistanceMeters>\
            <HeartRateBpm><Value>\(100 + $0 * 10)</Value></HeartRateBpm><Cadence>80</Cadence></Trackpoint>
            """
        }
        let tcx = """
            <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2026-06-06T08:00:00Z</Id>\
            <Lap StartTime="2026-06-06T08:00:00Z"><TotalTimeSeconds>240</TotalTimeSeconds><DistanceMeters>800</DistanceMeters>\
            <Track>\(points.joined())</Track></Lap></Activity></Activities></TrainingCenterDatabase>
            """
        let test = try session(["a.tcx": tcx])
        #expect(await test.run("import a.tcx | get kept") == "1 hike")
        func field(_ name: String) async -> String { await test.run("hike show a | get \(name)") }
        #expect(await field("at") == "")
        #expect(await field("gain") == "")
        #expect(await field("distance") == "800m")
        #expect(await field("moving") == "4min")
        #expect(await field("heartRate") == "120")
        #expect(await field("cadence") == "80")
        #expect(await field("warnings").contains("without positions, as indoors: 5 measurements"))
        // The number of notices is not all that is said.
        #expect(
            await test.run("import a.tcx --again").contains(
                "recorded without positions, as indoors: 5 measurements; the place is unknown"))
        await test.run("undo")
        // Before GPS, no clock was set either.
        let unset = try session(["b.tcx": tcx.replacing("2026-06", with: "1982-01")])
        #expect(
            await unset.run("import b.tcx").contains("times in the year 1982: the clock was not set"))
        #expect(await test.run("hike laps a | get distance") == "800m")
        // The device states none of the lap: it is that of its measurements.
        #expect(await test.run("hike laps a | get heartRate") == "120")
        #expect(await test.run("hike stats | get distance") == "800m")
        #expect(await test.run("import a.tcx | get result").contains("duplicate of a"))
        await test.run("hike edit a --activity cycling")
        #expect(await field("heartRate") == "120")
        #expect(await field("at") == "")
    }

    /// anew; those after now lie in the future.
    @Test func timesThatTheClockContradictsAreDoubted() async throws {
        func gpx(_ year: Int) -> String {
            Self.gpx([[Self.point(46, 0), Self.point(46.01, 2)]]).replacing("2026-", with: "\(year)-")
        }
        let test = try session([
            "early.gpx": gpx(2005), "old.gpx": gpx(2006), "new.gpx": gpx(2010), "late.gpx": gpx(2046),
        ])
        func warnings(_ file: String) async -> String {
            await test.run("import \(file) --again | get warnings")
        }
        // 2006-02-05 and 7168 days.
        #expect(await warnings("old.gpx").contains("then it was 2025-09-21"))
        #expect(await warnings("early.gpx").contains("weeks") == false)
        #expect(await warnings("new.gpx").contains("weeks") == false)
        #expect(await warnings("late.gpx").contains("which is in the future"))
    }

    /// A part of the way without times takes no known time, and no part in the speed.
    @Test func speedIsThatOfTheWayWithTimes() async throws {
        let points = (0..<20).map { Self.point(46 + Double($0) * 0.001, $0 < 10 ? nil : $0) }
        let test = try session(["a.gpx": Self.gpx([points]), "b.gpx": Self.gpx([Array(points.suffix(10))])])
        let said = await test.run("import a.gpx | get warnings")
        #expect(said.contains("1.11km of the distance have no times: speed is that of the rest"), "\(said)")
        await test.run("import b.gpx --again --name Half")
        for command in ["show", "stats"] {
            let whole = await test.run("hike \(command) Walk | get speed")
            let half = await test.run("hike \(command) Half | get speed")
            #expect(whole == half, "\(command)")
        }
    }

    /// What a receiver wanders at rest is no part of the speed, which is that of the time in motion.
    @Test func speedIsThatOfTheWayInMotion() async throws {
        // Ten minutes about one place, then ten minutes of 111 m each.
        let points = (0..<20).map { (minute: Int) -> String in
            let atRest = 46 + Double(minute % 2) * 0.0001
            let onTheWay = 46.0001 + Double(minute - 9) * 0.001
            return Self.point(minute < 10 ? atRest : onTheWay, minute)
        }
        let test = try session([
            "a.gpx": Self.gpx([points]), "b.gpx": Self.gpx([Array(points.suffix(11))]),
        ])
        await test.run("import a.gpx")
        await test.run("import b.gpx --again --name Half")
        for command in ["show", "stats"] {
            let whole = await test.run("hike \(command) Walk | get speed")
            let half = await test.run("hike \(command) Half | get speed")
            #expect(whole == half, "\(command)")
        }
    }

    // MARK: Activities

    /// The activity of a recording can be set; what is not done on foot is moving, not walking, and one column holds both.
    @Test func anActivityCanBeSet() async throws {
        let test = try session(["a.gpx": Self.gpx([[Self.point(46, 0), Self.point(46.001, 2)]])])
        await test.run("import a.gpx")
        await test.run("hike edit Walk --activity cycling")
        #expect(await test.run("hike show Walk | get activity") == "cycling")
        #expect(await test.run("hike show Walk | get moving") == "2min")
        #expect(await test.run("hike list | get moving") == "2min")
        #expect(await test.run("hike edit Walk --activity cycling").contains("E-HIKE-NOCHANGE"))
        await test.run("undo")
        #expect(await test.run("hike show Walk | get activity") == "")
    }

    /// A name and an activity are one change, and one `undo` takes it back.
    @Test func oneEditIsOneUndo() async throws {
        let test = try session(["a.gpx": Self.gpx([[Self.point(46, 0), Self.point(46.001, 2)]])])
        await test.run("import a.gpx")
        await test.run("hike edit Walk --name Ride --comment Icy --activity cycling")
        let edited = await test.run("hike list | select name activity | to csv")
        #expect(edited.contains("Ride,cycling"))
        await test.run("undo")
        let restored = await test.run("hike show Walk | select name activity comment | to json")
        #expect(!restored.contains("Ride") && !restored.contains("cycling") && !restored.contains("Icy"))
        #expect(await test.run("hike edit Walk").contains("E-HIKE-NOCHANGE"))
    }

    /// A hike that cannot have the new recording keeps its name, too: row and recording are written together.
    @Test func anEditThatFailsChangesNothing() async throws {
        let test = try session(["a.gpx": Self.gpx([[Self.point(46, 0), Self.point(46.001, 2)]])])
        await test.run("import a.gpx")
        let file = test.folder.url.appendingPathComponent("workspace/routes.db")
        try await DatabaseQueue(path: file.path).write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER full BEFORE UPDATE OF track_data ON saved_routes \
                    BEGIN SELECT RAISE(ABORT, 'no room'); END
                    """)
        }
        #expect(await test.result("hike edit Walk --name Ride --activity cycling").failure != nil)
        #expect(await test.run("hike list | get name") == "Walk")
        #expect(await test.result("undo").failure == nil)
        #expect(await test.run("hike list | count") == "0")
    }
}

extension Value {
    /// Metres of a length, also of one in a list of one.
    fileprivate var asMetres: Double? {
        if case .quantity(let quantity) = onlyItem { return quantity.value }
        return nil
    }
}

/// Calls the south of 46.0005° South, Dorf, and the rest North, Dorf.
private struct NamingPlugin: Plugin, PlaceNaming {
    let name = "naming"
    let summary = "two names"
    let version = "1.0"
    let commands: [any CommandProvider] = []
    var capabilities: [any Capability] { [self] }

    func name(of coordinate: Coordinate, context: Context) async throws -> String? {
        coordinate.latitude < 46.0005 ? "South, Dorf" : "North, Dorf"
    }
}
