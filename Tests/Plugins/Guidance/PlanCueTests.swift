import Formats
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TurnInstructions

@testable import GuidancePlugin

/// What the author of a plan wrote at its points is told.
@Suite struct PlanCueTests {
    @Test(
        "turns are read from words and symbols",
        arguments: [
            ("Left", TurnDirection.left), ("Slight Right", .slightRight), ("TURN_SHARP_LEFT", .sharpLeft),
            ("Straight", .straight), ("U-Turn", .uTurn), ("rechts", .right),
        ])
    func words(text: String, direction: TurnDirection) { #expect(TurnWords.only(text) == direction) }

    @Test func namesOfPlacesAreNoTurns() {
        for text in ["Right Bank Hut", "Left Luggage", "Water", "", "Straightaway Farm"] {
            #expect(TurnWords.only(text) == nil, "\(text)")
        }
        #expect(TurnWords.among("Keep left at the chapel") == .slightLeft)
        #expect(!TurnWords.isSaying("RPT012") && !TurnWords.isSaying("17") && TurnWords.isSaying("Hut 3"))
    }

    @Test(
        "the side of something else is no turn",
        arguments: [
            "Do not turn left", "Don't turn left here", "Pub on the left", "Keep the river on your right",
            "Nicht rechts abbiegen", "Left bank of the stream", "Right of way ends",
            "To the left of the church",
            "Ignore the path to the left", "Where you turn left, look back",
            "At the fork do not turn left", "After the bridge keep the river on your left",
            "At the left bank", "L", "R. Tejo", "Left/right",
        ])
    func sidesOfOtherThings(text: String) { #expect(TurnWords.among(text) == nil) }

    @Test(
        "turns of sentences, in the languages of planners",
        arguments: [
            ("Turn left onto St. John's Rd.", TurnDirection.left), ("Straight ahead, then left", .straight),
            ("Right, then immediately left", .right), ("Keep to the right", .slightRight), ("U turn", .uTurn),
            ("Make a U-turn", .uTurn), ("Left. Church on the right", .left),
            ("Sharp right turn", .sharpRight),
            ("Sla rechtsaf naar de Dorpsstraat", .right), ("Vire à esquerda na Rua Nova", .left),
            ("Skręć w prawo", .right), ("Sväng vänster", .left), ("Поверните направо", .right),
            ("Continuer tout droit", .straight), ("Svolta leggermente a sinistra", .slightLeft),
            ("Halblinks in den Wald", .slightLeft), ("左转进入中山路", .left), ("⬅️ Mill Lane", .left),
            ("TSLR", .slightRight), ("L onto Mill Lane", .left), ("u-turn left", .uTurn),
            ("Make a U-turn to the right", .uTurn), ("Left, then make a U-turn", .left),
            ("At the church turn left", .left), ("After the bridge, bear right onto the path", .slightRight),
            ("Nach der Kirche links abbiegen", .left), ("In 200 m turn right", .right),
            ("Après l'église tournez à gauche", .left),
        ])
    func turnsOfSentences(text: String, direction: TurnDirection) {
        #expect((TurnWords.only(text) ?? TurnWords.among(text)) == direction)
    }

    @Test func aPlaceWithALetterIsNoTurn() {
        #expect(TurnWords.only("L") == nil && TurnWords.only("R") == nil)
    }

    @Test func wordsAreToldWithoutMarksOfPages() {
        let html = CueText.plain("Turn <b>right</b> onto<br/>Mill&nbsp;St &amp; 5 < 6")
        #expect(html == "Turn right onto Mill St & 5 < 6")
        #expect(CueText.told("⬅️ Mill Lane", turn: nil) == "Turn left: Mill Lane")
        #expect(CueText.told("➡️", turn: nil) == "Turn right")
        #expect(CueText.told("Pub on the left", turn: .right) == "Turn right: Pub on the left")
        let long = "Right. " + String(repeating: "Follow the wall to a gate. ", count: 20)
        #expect(CueText.told(long, turn: nil).count <= 160)
    }

    /// The bend decides where the words do not say a turn for certain.
    @Test func aBendIsNotTurnedByWordsOfOtherThings() async throws {
        let points = Self.corner.enumerated().map {
            Self.point("rtept", $1, $0 == 2 ? "<desc>Pub on the left</desc>" : "")
        }
        let test = try TestSession(
            plugins: { [GuidancePlugin()] },
            files: ["plan.gpx": Self.gpx("<rte>\(points.joined())</rte>")])
        let told = await test.run(
            "guide prompts plan.gpx | where event == atTurn | select direction text | to csv")
        #expect(told == "direction,text\nright,Turn right: Pub on the left", "\(told)")
    }

    @Test func aCueThatSaysTheOtherSideIsDoubted() async throws {
        let points = Self.corner.enumerated().map {
            Self.point("rtept", $1, $0 == 2 ? "<desc>Turn left at the inn</desc>" : "")
        }
        let test = try TestSession(
            plugins: { [GuidancePlugin()] },
            files: ["plan.gpx": Self.gpx("<rte>\(points.joined())</rte>")])
        let file = try TrackFile(test.folder.url.appendingPathComponent("plan.gpx"), check: {})
        let line = file.lines[0].segments[0].map(\.coordinate)
        var generator = TurnGenerator(trace: NoTrace(), thresholds: TurnThresholds())
        let told = PlanCues(file).told(generator.turns(alongLine: line), on: line)
        #expect(told.against == ["Turn left at the inn"])
        // It is told all the same.
        #expect(told.turns.contains { $0.description == "Turn left at the inn" })
    }

    @Test func aPointFarFromBothNeighboursIsDoubted() {
        var places = (0...40).map { Ground().place(0, Double($0) * 10) }
        #expect(RouteFiles.alone(in: places).isEmpty)
        places[20] = Ground().place(90_000, 40_000)
        #expect(RouteFiles.alone(in: places) == [20])
        // Out to a summit and back.
        let out = [Ground().place(0, 0), Ground().place(0, 5000), Ground().place(0, 0)]
        #expect(RouteFiles.alone(in: out).isEmpty)
    }

    /// A track that was turned in an editor has times that run backwards; the plan goes as it is drawn.
    @Test func aTurnedTrackIsNotTurnedBack() async throws {
        let points = Self.corner.enumerated().map {
            Self.point("trkpt", $1, "<time>2026-05-04T08:0\(9 - $0):00Z</time>")
        }
        let test = try TestSession(
            plugins: { [GuidancePlugin()] },
            files: ["plan.gpx": Self.gpx("<trk><trkseg>\(points.joined())</trkseg></trk>")])
        let told = await test.run("guide prompts plan.gpx | where event == atTurn | get direction")
        #expect(told == "right", "\(told)")
        let url = test.folder.url.appendingPathComponent("plan.gpx")
        let file = try TrackFile(url, isPlan: true, check: {})
        #expect(file.lines[0].doubts.contains { $0.contains("run backwards") })
    }

    private static func gpx(_ body: String) -> Data { Data("<gpx>\(body)</gpx>".utf8) }

    /// A line of 600 m north and 600 m east.
    private static let corner = ["46.0,7.0", "46.003,7.0", "46.0054,7.0", "46.0054,7.004", "46.0054,7.0078"]

    private static func point(_ element: String, _ place: String, _ inner: String = "") -> String {
        let parts = place.split(separator: ",")
        return "<\(element) lat=\"\(parts[0])\" lon=\"\(parts[1])\">\(inner)</\(element)>"
    }

    @Test func theCueOfARoutePointIsToldInsteadOfTheBend() async throws {
        let words = [
            "<name>RPT001</name>", "<desc>Pass the chapel</desc>",
            "<name>Right</name><desc>Keep right at the inn</desc>", "<name>RPT004</name>", "<name>End</name>",
        ]
        let route = "<rte>" + zip(Self.corner, words).map { Self.point("rtept", $0, $1) }.joined() + "</rte>"
        let test = try TestSession(plugins: { [GuidancePlugin()] }, files: ["plan.gpx": Self.gpx(route)])
        let told = await test.run(
            "guide prompts plan.gpx | where event == atTurn | select direction text | to csv")
        #expect(told == "direction,text\nstraight,Pass the chapel\nright,Keep right at the inn", "\(told)")
        let ahead = await test.run("guide prompts plan.gpx | first | get text")
        #expect(ahead == "In 100 metres, pass the chapel")
    }

    @Test func aBendIsTakenByOneCueAndThousandsStayInOrder() throws {
        let count = 8000
        let line = Ground().line((0...count).map { ($0.isMultiple(of: 2) ? 0 : 20, Double($0) * 20) })
        let geometry = try #require(RouteGeometry(line))
        let turns = (1..<count).map { index in
            TurnInstruction(
                coordinate: line[index], direction: index.isMultiple(of: 2) ? .right : .left, bearing: 0,
                distanceFromPrevious: 0, cumulativeDistance: geometry.along[index], trailName: nil,
                description: "Turn")
        }
        let points = (1..<count).map { index in
            Self.point(
                "rtept", "\(line[index].latitude),\(line[index].longitude)", "<desc>Pass the gate</desc>")
        }
        let data = Self.gpx("<rte>" + points.joined() + "</rte>")
        let test = try TestSession(plugins: { [GuidancePlugin()] }, files: ["plan.gpx": data])
        let file = try TrackFile(test.folder.url.appendingPathComponent("plan.gpx"), check: {})
        let told = PlanCues(file).told(turns, on: line).turns
        // Words that are said of a place are not said again within 30 m.
        #expect(told.count == turns.count)
        #expect(told.map(\.cumulativeDistance) == told.map(\.cumulativeDistance).sorted())
        #expect(told.filter { $0.description == "Turn: Pass the gate" }.count == count / 2)
    }

    @Test func waypointsAreCuesOnlyWhereTheySayATurn() async throws {
        let track =
            "<trk><trkseg>" + Self.corner.map { Self.point("trkpt", $0) }.joined() + "</trkseg></trk>"
        let places =
            Self.point("wpt", "46.003,7.0", "<name>Alpine Hut</name>")
            + Self.point("wpt", "46.0054,7.0", "<name>At the inn</name><sym>Right</sym>")
            + Self.point("wpt", "46.0054,7.02", "<name>Left</name>")
        let test = try TestSession(
            plugins: { [GuidancePlugin()] }, files: ["plan.gpx": Self.gpx(places + track)])
        let told = await test.run(
            "guide prompts plan.gpx | where event == atTurn | select direction text | to csv")
        #expect(told == "direction,text\nright,Turn right: At the inn", "\(told)")
        let file = try TrackFile(test.folder.url.appendingPathComponent("plan.gpx"), check: {})
        let line = file.lines[0].segments[0].map(\.coordinate)
        #expect(PlanCues(file).told([], on: line).far == 1)
    }

    /// As BRouter, GraphHopper and openrouteservice write a plan: a track, and a route of its turns.
    @Test func aRouteOfTheTurnsOfATrackIsItsCueSheet() async throws {
        let track =
            "<trk><trkseg>" + Self.corner.map { Self.point("trkpt", $0) }.joined() + "</trkseg></trk>"
        let words = ["Start", "turn right onto Mill Lane", "Arrive"]
        let places = [Self.corner[0], Self.corner[2], Self.corner[4]]
        let route =
            "<rte>" + zip(places, words).map { Self.point("rtept", $0, "<desc>\($1)</desc>") }.joined()
            + "</rte>"
        let test = try TestSession(
            plugins: { [GuidancePlugin()] },
            files: [
                "plan.gpx": Self.gpx(route + track), "twice.gpx": Self.gpx(track + track),
            ])
        let told = await test.run(
            "guide prompts plan.gpx | where event == atTurn | select direction text | to csv")
        #expect(told == "direction,text\nright,Turn right onto Mill Lane", "\(told)")
        let once = await test.run("guide prompts twice.gpx | last | get along")
        #expect(once.contains("1.17km"), "\(once)")
    }

    /// As Locus writes them into the points of the track, as others write a symbol and nothing else, and as openrouteservice breaks lines.
    @Test(
        "cues in track points, symbols without words, and words on lines of their own",
        arguments: [
            ("<name>Turn right</name><desc>Mill Lane</desc><sym>right</sym>", "Turn right: Mill Lane"),
            ("<name>right</name>", "Turn right"), ("<name>17</name><sym>TURN_RIGHT</sym>", "Turn right"),
            ("<name>R</name><cmt>Right onto Mill Lane</cmt><sym>Right</sym>", "Right onto Mill Lane"),
            ("<name>\n  Keep right\n  at the inn\n</name><sym>Right</sym>", "Keep right at the inn"),
        ])
    func cuesOfPlanners(inner: String, told: String) async throws {
        let points = Self.corner.enumerated().map { Self.point("trkpt", $1, $0 == 2 ? inner : "") }
        let track = "<trk><trkseg>\(points.joined())</trkseg></trk>"
        let test = try TestSession(plugins: { [GuidancePlugin()] }, files: ["plan.gpx": Self.gpx(track)])
        let shown = await test.run(
            "guide prompts plan.gpx | where event == atTurn | select direction text | to csv")
        #expect(shown == "direction,text\nright,\(told)", "\(shown)")
    }

    /// A staggered crossing: each of two cues close to each other is told.
    @Test func cuesNearEachOtherAreBothTold() async throws {
        let track =
            "<trk><trkseg>" + Self.corner.map { Self.point("trkpt", $0) }.joined() + "</trkseg></trk>"
        let places =
            Self.point("wpt", "46.003,7.0", "<name>Left onto the lane</name><sym>Left</sym>")
            + Self.point("wpt", "46.0032,7.0", "<name>Right onto the path</name><sym>Right</sym>")
            + Self.point("wpt", "46.0032,7.0", "<name>Right onto the path</name><sym>Right</sym>")
        let test = try TestSession(
            plugins: { [GuidancePlugin()] }, files: ["plan.gpx": Self.gpx(places + track)])
        let file = try TrackFile(test.folder.url.appendingPathComponent("plan.gpx"), check: {})
        let line = file.lines[0].segments[0].map(\.coordinate)
        let told = PlanCues(file).told([], on: line).turns
        #expect(told.map(\.description) == ["Left onto the lane", "Right onto the path"])
        #expect(told.map(\.direction) == [.left, .right])
    }
}

/// A plan that makes a loop beside a straight path, and a walker who stays on the path.
@Suite struct StraightOnTests {
    private static let ground = Ground()

    @Test(arguments: [false, true])
    func whoGoesStraightOnIsToldNoTurn(walksLoop: Bool) throws {
        let loop = [(0.0, 500.0), (200, 500), (200, 800), (0, 800)]
        let line = Self.ground.fineLine([(0, 0)] + loop + [(0, 1400)])
        // At 500 m to the right, at 800 m of the path, where the loop ends, to the right again.
        var driver = Driver(
            try .made(line, turns: [(500, .right), (700, .left), (1000, .left), (1200, .right)]))
        let walk = walksLoop ? [(0.0, 0.0)] + loop + [(0, 1400)] : [(0, 0), (0, 1400)]
        for place in Self.ground.fineLine(walk, step: 2.6) { driver.fix(place, after: 2) }
        let told = driver.events.filter { $0.kind == .atTurn }.compactMap { $0.turn?.trailName }
        #expect(told == (walksLoop ? ["way 0", "way 1", "way 2", "way 3"] : ["way 0"]), "\(told)")
        #expect(driver.events.last?.kind == .arrived)
        let fixes = driver.events.map(\.fix)
        #expect(Set(fixes).count == fixes.count, "two events in one fix")
    }
}
