import CivilTime
import Foundation
import Geodesy
import Pictures
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// The full-screen map, key by key.
@Suite struct MapPlayTests {
    /// The sample feed without a session.
    private struct Source: MapPlaySource {
        let feed: Feed

        func load(_ region: BoundingBox) throws -> LoadedStops { try feed.stops.points(in: region) }
        func board(of stop: StopRecord, in state: DrawerState, at time: Timestamp) throws -> DepartureBoard? {
            let count = Drawer.departures(in: state)
            return count == 0 ? nil : try feed.board(of: stop, at: time.seconds, within: 86_400, limit: count)
        }
        func object(_ map: StopMap, at time: Timestamp) throws -> StopMapObject {
            var frame = StopMapFrame(marks: try MapMarks(of: map, feed))
            frame.selected = map.drawer.map { StopObject($0.stop) }
            return StopMapObject(map: map, frame: frame, now: time, hasTimetable: true)
        }
        func find(_ text: String) throws -> [StopObject] {
            try feed.stops.described(feed.names.find(text, limit: 6).stops)
        }
        func dropPin(at coordinate: Coordinate) async -> DroppedPin {
            DroppedPin(
                feature: .waypoint(
                    MapWaypoint(
                        name: "dropped", coordinate: coordinate, label: "Dropped here", colorHex: "E67E22",
                        icon: "mappin")), message: "kept at \(Literal.coordinate(coordinate))")
        }
        func moment(_ time: Timestamp) -> String { ServiceDay.clock(Int(time.seconds), in: feed.zone) }
    }

    private let folder: TemporaryFolder
    private var player: MapPlayer

    init() throws {
        folder = try TemporaryFolder()
        let tables = Dictionary(uniqueKeysWithValues: SampleFeed.tables().map { ($0.name, $0.text) })
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(FeedSource(name: "harbour", tables: tables), to: database, isLenient: false)
        let source = Source(feed: try Feed(database, isOwn: true, fallback: .gmt))
        var map = StopMap(center: Coordinate(latitude: 0.5, longitude: 0.5), zoom: 16)
        try map.loadIfNeeded(at: TestSession.Settings.start, load: source.load)
        player = MapPlayer(map, source: source, time: TestSession.Settings.start, isRunning: false)
    }

    private func environment(_ width: Int, _ height: Int, unicode: Bool = true) -> PluginKit.Environment {
        var environment = PluginKit.Environment.notebook
        (environment.width, environment.height, environment.unicode) = (width, height, unicode)
        return environment
    }

    private mutating func press(_ keys: ScreenKey...) throws {
        for key in keys { #expect(try player.take(key)) }
    }

    private mutating func type(_ text: String) throws {
        for character in text { #expect(try player.take(.character(character))) }
    }

    @Test func aPinIsDroppedAtTheCentre() async throws {
        var player = player
        let center = player.map.center
        #expect(try player.take(.character("m")))
        await player.dropPin()
        let shown = try player.lines(environment(80, 24)).joined(separator: "\n")
        #expect(shown.contains("kept at \(Literal.coordinate(center))"))
        #expect(shown.contains("Dropped here"))
        // What was said goes with the next key; the pin stays, and none is dropped twice.
        #expect(try player.take(.character("+")))
        await player.dropPin()
        let later = try player.lines(environment(80, 24)).joined(separator: "\n")
        #expect(!later.contains("kept at"))
        #expect(later.contains("Dropped here"))
    }

    /// Every frame fits in every state, and never has more lines than the terminal has rows.
    @Test(arguments: [(80, 24), (132, 43), (40, 12), (24, 8)])
    func framesFit(width: Int, height: Int) throws {
        var test = self
        for keys in ["", "n", "n\r", "n\r\r", "/cen"] {
            var player = test.player
            for character in keys {
                _ = try player.take(character == "\r" ? .enter : .character(character))
            }
            for unicode in [true, false] {
                let lines = try player.lines(environment(width, height, unicode: unicode))
                #expect(lines.count <= height, "\(keys)")
                if height >= 24 { #expect(lines.count == height, "\(keys)") }
                #expect(lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(keys)")
                if !unicode { #expect(lines.allSatisfy { $0.allSatisfy(\.isASCII) }) }
            }
        }
        test.player = player
    }

    @Test func selectingAndTheDrawer() throws {
        var test = self
        try test.press(.enter)
        let first = test.player.map.drawer?.stop.id
        #expect(first != nil)
        try test.press(.character("n"))
        #expect(test.player.map.drawer?.stop.id != first)
        try test.press(.character("p"))
        #expect(test.player.map.drawer?.stop.id == first)
        try test.press(.enter, .enter)
        #expect(test.player.map.drawer?.state == .full)
        try test.press(.character("b"), .character("b"))
        #expect(test.player.map.drawer?.state == .collapsed)
        try test.press(.escape)
        #expect(test.player.map.drawer == nil)
        #expect(try !test.player.take(.character("q")))
    }

    @Test func searching() throws {
        var test = self
        try test.type("/harbr")
        #expect(
            try test.player.lines(environment(80, 24)).contains {
                $0.contains("no stop matches") || $0.contains("Harbour")
            })
        try test.press(.character("\u{7F}"), .character("\u{7F}"))
        try test.type("bour")
        try test.press(.enter)
        #expect(test.player.map.drawer?.stop.id == "HAR")
        #expect(test.player.map.drawer?.state == .half)
        #expect(test.player.map.shows(Coordinate(latitude: 0.493, longitude: 0.504)))
        #expect(try test.player.lines(environment(80, 24)).contains { $0.contains("[F]") })
    }

    /// A coordinate typed instead of a name moves the map there; other texts change nothing.
    @Test func jumpingToACoordinate() throws {
        var test = self
        try test.type("/0.51, 0.49")
        #expect(try test.player.lines(environment(80, 24)).contains { $0.contains("> 0.51,0.49") })
        try test.press(.enter)
        #expect(test.player.map.center == Coordinate(latitude: 0.51, longitude: 0.49))
        #expect(test.player.map.drawer == nil)
        try test.type("/nowhere at all 7")
        try test.press(.enter)
        #expect(test.player.map.center == Coordinate(latitude: 0.51, longitude: 0.49))
    }

    /// Waits of many hours and long names of lines are shown in full if there is enough width.
    @Test func theDrawerShowsWholeValues() throws {
        var test = self
        try test.type("/harbour")
        try test.press(.enter)
        let drawer = try #require(test.player.map.drawer)
        var departure = try #require(drawer.visible.first)
        departure.route = "Blue Line Express"
        departure.asked = Double(departure.row.time) - 15 * 3600 - 35 * 60
        var shown = drawer
        var board = try #require(drawer.board)
        board.departures = [departure]
        shown.refresh(board)
        let lines = DrawerText(width: 80, isPlain: false).lines(shown)
        #expect(lines.contains { $0.contains("  15h35min  Blue Line Expre…  ") }, "\(lines)")
    }

    /// A move loads after no key for a while, and the clock runs at its speed.
    @Test func timePasses() throws {
        var test = self
        try test.press(.up, .up, .up, .up, .up, .up, .up)
        let loads = test.player.map.events.count { $0.kind == .load }
        try test.player.pass(0.3)
        #expect(test.player.map.events.count { $0.kind == .load } == loads + 1)
        try test.press(.character(" "), .character(">"), .character(">"))
        let before = test.player.time
        try test.player.pass(1)
        #expect(test.player.time.seconds(since: before) == 60)
        try test.press(.character(" "))
        try test.player.pass(1)
        #expect(test.player.time.seconds(since: before) == 60)
    }

    /// Minutes of the open drawer count down while the clock runs.
    @Test func theDrawerCountsDown() throws {
        var test = self
        try test.type("/cen3")
        try test.press(.enter)
        #expect(try test.player.lines(environment(80, 24)).contains { $0.contains("09:03  3min") })
        try test.press(.character("t"))
        #expect(try test.player.lines(environment(80, 24)).contains { $0.contains("09:03  2min") })
    }
}
