import CivilTime
import Foundation
import Geodesy
import Logging
import PluginKit
import PluginTestKit
import Synchronization
import Testing
import Workbench

@testable import TransitPlugin

/// The app's screen: when stops are loaded, what the drawer shows, undo, steps, the log.
@Suite struct MapTests {
    private func session() async throws -> TestSession {
        let session = try TestSession(plugins: { [TransitPlugin()] })
        try await session.value("feed sample")
        try await session.value("feed import harbour")
        return session
    }

    @Test func overlaps() {
        let region = BoundingBox(south: 0, west: 0, north: 1, east: 2)
        #expect(StopMap.overlap(of: region, with: region) == 1)
        let east = BoundingBox(south: 0, west: 1, north: 1, east: 3)
        #expect(abs(StopMap.overlap(of: region, with: east) - 0.5) < 1e-12)
        #expect(StopMap.overlap(of: region, with: BoundingBox(south: 5, west: 0, north: 6, east: 2)) == 0)
        let across = BoundingBox(south: 0, west: 179, north: 1, east: -179)
        #expect(abs(StopMap.overlap(of: across, with: across) - 1) < 1e-12)
        let half = BoundingBox(south: 0, west: 179, north: 1, east: 180)
        #expect(abs(StopMap.overlap(of: across, with: half) - 0.5) < 1e-12)
    }

    /// Loads, waits and skips, by the session's clock.
    @Test func whenStopsAreLoaded() async throws {
        let session = try await session()
        await session.run("stop map 0.5,0.5")
        func kinds() async -> [String] {
            await session.run("stop map | get events | get kind | to csv").split(separator: "\n").dropFirst()
                .map(String.init)
        }
        #expect(await kinds() == ["load"])
        // A small move: after 300 ms, not before, it turns out that enough is there.
        await session.run("stop map --east 100m")
        await session.run("clock +299ms")
        #expect(await session.run("stop map | get pending") == "0.001s")
        #expect(await kinds() == ["load", "move"])
        await session.run("clock +1ms")
        #expect(await kinds() == ["load", "move", "skip"])
        // A far move, and another one before it has settled: one load, for the last.
        await session.run("stop map --north 2km; clock +200ms; stop map --north 2km; clock +200ms")
        #expect(await kinds() == ["load", "move", "skip", "move", "wait"])
        await session.run("clock +100ms")
        #expect(await session.run("stop map | get events | last | get kind") == "load")
        #expect(await session.run("stop map | get pending") == "")
        #expect(await session.run("stop map | get loaded") == "0")
    }

    /// A move that comes late still finds that the one before had settled, at its own time.
    @Test func aLateLook() async throws {
        let session = try await session()
        await session.run("stop map 0.5,0.5; stop map --north 3km; clock +10s; stop map --north 1m")
        let events = await session.run("stop map | get events | select time kind | to csv")
        #expect(events.contains("2026-02-06T08:00:00.300Z,load"), "\(events)")
        #expect(events.hasSuffix("2026-02-06T08:00:10Z,move"), "\(events)")
    }

    @Test func theDrawer() async throws {
        let session = try await session()
        await session.run("stop drawer Central")
        #expect(await session.run("stop drawer | get departures | count") == "0")
        #expect(await session.run("stop drawer --state half | get visible | count") == "3")
        #expect(await session.run("stop drawer --scroll 3 | get scroll") == "0")
        #expect(await session.run("stop drawer --state full | get departures | count") == "20")
        #expect(await session.run("stop drawer --scroll 7 | get scroll") == "7")
        #expect(await session.run("stop drawer --scroll 20 | get scroll") == "12")
        // Down and up again: at the top.
        #expect(await session.run("stop drawer --state half | get scroll") == "0")
        #expect(await session.run("stop drawer --state full | get scroll") == "0")
        #expect(
            await session.run("stop drawer DEP; stop drawer --state half | get message").contains(
                "No upcoming departures")
        )
    }

    @Test func everyLineIsAsWideAsTheTerminal() async throws {
        let session = try await session()
        await session.run("stop drawer Central; stop drawer --state full")
        guard case .object(let object) = try await session.value("stop drawer"),
            let drawer = object as? DrawerObject
        else {
            Issue.record("no drawer")
            return
        }
        for width in [30, 47, 80, 200] {
            for plain in [false, true] {
                var environment = PluginKit.Environment.notebook
                environment.width = width
                environment.unicode = !plain
                let lines = drawer.rendered(in: environment).split(separator: "\n")
                #expect(lines.allSatisfy { $0.count == min(width, 80) }, "\(width)")
                if plain { #expect(lines.allSatisfy { $0.allSatisfy(\.isASCII) }) }
            }
        }
    }

    @Test func undoTakesBackEachStep() async throws {
        let session = try await session()
        await session.run(
            "stop show Harbour; stop drawer --state half; stop drawer --state full; stop drawer --scroll 2; stop map --zoom 12"
        )
        await session.run("undo")
        #expect(await session.run("stop map | get zoom") == "16")
        await session.run("undo")
        #expect(await session.run("stop drawer | get scroll") == "0")
        await session.run("undo")
        #expect(await session.run("stop drawer | get state") == "half")
        await session.run("undo; undo")
        #expect(await session.run("stop map --east 1m").contains("E-TRANSIT-NOMAP"))
    }

    @Test func stepping() async throws {
        let session = try await session()
        await session.run("stop map 0.5,0.5; stop map --north 3km; clock +1s")
        #expect(
            await session.run("let s = trace stop map; $s | first 2 | get kind") == "start\nload")
        await session.run("let c = trace stop list 0.49,0.48,0.52,0.51 | stop cluster")
        let why = await session.run("$c | where kind == cluster | first | get why")
        #expect(why.contains("it has the most neighbours"), "\(why)")
    }

    /// The events of the log, with their facts.
    @Test func theLog() async throws {
        let lines = Mutex<[String]>([])
        let folder = try TemporaryFolder()
        let logger = Logger(label: "test") { _ in Recorder { line in lines.withLock { $0.append(line) } } }
        let session = try Session(
            configuration: SessionConfiguration(
                seed: 1, clock: SessionClock(standingAt: TestSession.Settings.start), environment: .notebook,
                workspace: folder.url.appendingPathComponent("w", isDirectory: true),
                files: FileAccess(unconfinedIn: folder.url), log: logger),
            plugins: { [TransitPlugin()] })
        _ = await session.run("feed sample; feed import harbour; stop show Harbour; stop drawer --state half")
        let found = lines.withLock { $0 }
        for event in ["map_stop_selected", "drawer_opened", "offline_departures_shown", "map_stops_loaded"] {
            let line = found.first { $0.hasPrefix(event) }
            #expect(line != nil, "\(event)")
            #expect(line?.contains("duration_ms") ?? false)
        }
        #expect(found.contains { $0.hasPrefix("drawer_opened") && $0.contains("stop_id=HAR") })
        #expect(found.contains { $0.hasPrefix("offline_departures_shown") && $0.contains("count=3") })
    }

    private struct Recorder: LogHandler {
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace
        let take: @Sendable (String) -> Void

        init(_ take: @escaping @Sendable (String) -> Void) { self.take = take }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let facts = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
                .joined()
            take("\(event.message)\(facts)")
        }
    }

    /// A tap is an event of the map; the drawer names the command behind "View all departures" and how to open it further.
    @Test func tapAndDrawer() async throws {
        let session = try TestSession(plugins: { [TransitPlugin()] })
        await session.run("set timezone Europe/Berlin; feed sample; feed import harbour")
        await session.run("stop map; stop drawer Central")
        #expect(await session.run("stop map | get events | last | get kind") == "tap")
        #expect(await session.run("stop map | get events | last | get why").contains("light haptic"))
        #expect(
            await session.run("stop drawer --state half | get hint").contains(
                "stop drawer --state full, for 20 departures"))
        let all = await session.run("stop drawer --state full | get viewAll")
        #expect(all == "departures \"CEN\" --all-day")
        #expect(await session.run("stop drawer").contains("View all departures: \(all)"))
        #expect(
            await session.run("\(all) | count")
                == session.run("departures Central --at 08:00 --all-day | count"))
        #expect(await session.run("stop map | to json").contains("Central"))
    }

    /// Without a timetable the map opens where the app's does, and shows the stops once there are some.
    @Test func withoutTimetable() async throws {
        let session = try TestSession(plugins: { [TransitPlugin()] })
        #expect(await session.run("stop map").contains("no stops: there is no timetable"))
        #expect(await session.run("stop map | get center") == "-33.8688,151.2093")
        await session.run("feed sample; feed import harbour; stop map --to 0.5,0.5; clock +1s")
        #expect(await session.run("stop map | get shown") != "0")
    }
}
