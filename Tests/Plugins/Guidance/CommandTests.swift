import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import GuidancePlugin

@Suite struct GuidanceCommandTests {
    static let line = "let line = [47,9 47.003,9 47.003,9.004 47.006,9.004]"

    private static func session(_ files: [String: Data] = [:]) throws -> TestSession {
        try TestSession(plugins: { [GuidancePlugin()] }, files: files)
    }

    private static func planned() throws -> PlannedRoute {
        let line = Ground().line([(0, 0), (0, 300), (200, 300)])
        var route = PlannedRoute(
            id: UUID(uuidString: "8B6A2F9E-5E0C-4B0C-9A6B-2B0D6E0C1A11") ?? UUID(), name: "To the mill",
            mode: .hiking, start: line[0], end: line[2], coordinates: line,
            turns: [
                TurnInstruction(
                    coordinate: line[1], direction: .right, bearing: 90, distanceFromPrevious: 300,
                    cumulativeDistance: 300, trailName: "Mill Lane",
                    description: "Turn right onto Mill Lane"),
                TurnInstruction(
                    coordinate: line[2], direction: .arrive, bearing: 90, distanceFromPrevious: 200,
                    cumulativeDistance: 500, trailName: nil, description: "Arrive"),
            ], distance: 500, duration: 400, gain: 50, loss: 0, createdAt: .init(milliseconds: 0))
        route.profile = [.init(distance: 0, elevation: 500), .init(distance: 500, elevation: 550)]
        return route
    }

    @Test("routes come from a list, a GPX file, a planned route's file, and the pipe")
    func sources() async throws {
        let gpx = """
            <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Up</name><trkseg>
            <trkpt lat="47" lon="9"/><trkpt lat="47.003" lon="9"/><trkpt lat="47.003" lon="9.004"/>
            </trkseg></trk></gpx>
            """
        let session = try Self.session([
            "up.gpx": Data(gpx.utf8), "mill.json": PlannedRouteJSON.data(try Self.planned()),
        ])
        #expect(await session.run("guide simulate up.gpx | last | get event") == "arrived")
        #expect(
            await session.run("guide simulate mill.json | select text | first | get text")
                == "In 100 metres, turn right onto Mill Lane")
        #expect(await session.run("let w = guide simulate mill.json --pace tobler; $w.arrived") == "true")
        #expect(await session.run("[47,9 47.001,9] | guide simulate | last | get event") == "arrived")
        #expect(await session.run("\(Self.line); guide simulate $line | last | get event") == "arrived")
        #expect(await session.run("$w | guide simulate | last | get event") == "arrived")
    }

    @Test(
        "invalid routes and options are refused",
        arguments: [
            ("guide simulate", "E-GUIDE-ROUTE"), ("guide simulate none.gpx", "E-FILE-MISSING"),
            ("guide simulate 'My walk'", "E-GUIDE-ROUTE"), ("5 | guide simulate", "E-GUIDE-ROUTE"),
            ("[47.0,9.0] | guide simulate", "E-GUIDE-ROUTE"),
            ("[47,9 47,9] | guide simulate", "E-GUIDE-ROUTE"),
            ("guide simulate broken.json", "E-GUIDE-ROUTE"), ("guide simulate empty.gpx", "E-GUIDE-ROUTE"),
            ("guide simulate $line --detour 5m", "E-GUIDE-SIMULATION"),
            ("guide simulate $line --detour 1m,2s,3m", "E-GUIDE-SIMULATION"),
            ("guide simulate $line --pause 50km,5min", "E-GUIDE-SIMULATION"),
            ("guide simulate $line --pause 500m", "E-GUIDE-SIMULATION"),
            ("guide simulate $line --pace tobler", "E-GUIDE-SIMULATION"),
            ("guide simulate $line --pace tobler --speed 1m/s", "E-GUIDE-SIMULATION"),
            ("guide simulate $line --speed 50m", "E-UNIT-DIMENSION"),
            ("guide simulate $line --noise 5", "E-UNIT-DIMENSION"),
            ("guide simulate $line --dropout 100%", "E-ARG-RANGE"),
            ("guide simulate $line --with off-route=5s", "E-GUIDE-SETTING"),
            ("guide simulate $line --with offroute=5m", "E-GUIDE-SETTING"),
            ("guide simulate $line --with offRoute", "E-GUIDE-SETTING"),
            ("guide simulate $line --with off-route=20m", "E-GUIDE-SETTING"),
            ("guide simulate $line --with 'clear=60m off-route=40m'", "E-GUIDE-SETTING"),
            ("guide simulate $line --reroute", "E-GUIDE-ROUTING"),
            ("guide simulate $line --track empty.gpx", "E-GUIDE-SIMULATION"),
            ("guide fix 47,9", "E-GUIDE-IDLE"), ("guide show", "E-GUIDE-IDLE"),
            ("guide stop", "E-GUIDE-IDLE"), ("guide reroute", "E-GUIDE-IDLE"),
            ("5 | guide show", "E-INPUT-KIND"), ("5 | guide compare matcher=nearest", "E-INPUT-KIND"),
            ("set guidance.nonsense 5m", "E-SETTING-UNKNOWN"), ("set guidance.matcher magic", "E-ARG-CHOICE"),
            ("set guidance.off-route 5s", "E-UNIT-DIMENSION"), ("set guidance.lag 1.5", "E-ARG-KIND"),
            ("set guidance.at-turn 200m", "E-GUIDE-SETTING"),
            ("set guidance.off-route 20m", "E-GUIDE-SETTING"),
        ])
    func errors(entry: String, code: String) async throws {
        let gpx = "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"><wpt lat=\"1\" lon=\"2\"/></gpx>"
        let session = try Self.session(["broken.json": Data("{}".utf8), "empty.gpx": Data(gpx.utf8)])
        await session.run(Self.line)
        #expect(await session.result(entry).failure?.code == code)
    }

    @Test("rerouting without Routing reports the missing plugin, also fix by fix, and the walk continues")
    func reroutingWithoutRouting() async throws {
        let session = try Self.session()
        await session.run(Self.line)
        #expect(
            await session.run("guide simulate $line --reroute").contains(
                "no new route can be planned without the Routing plugin"))
        await session.run("guide start $line; guide fix 47.0015,9.002; guide fix 47.0015,9.002 --after 60s")
        #expect(await session.result("guide reroute").failure?.code == "E-GUIDE-ROUTING")
        #expect(await session.run("guide fix 47.0016,9 --after 60s | get event") == "backOnRoute")
        #expect(await session.run("guide simulate $line --reroute --with reroute=off | count") == "6")
    }

    @Test("far from the line: unclear until it is confirmed, also without times")
    func unclear() async throws {
        let session = try Self.session()
        await session.run(Self.line + "; guide start $line; guide fix 47.0005,9")
        #expect(await session.run("guide fix 47.1,9 --after 2s | count") == "0")
        #expect(await session.run("guide show | get state") == "unclear")
        #expect(await session.run("guide show | get warning").hasPrefix("position unclear, 10.5km"))
        #expect(await session.run("guide fix 47.1,9 --after 10s | get event") == "offRoute")
        #expect(await session.run("guide show | get warning").hasPrefix("off route, 10.5km"))
        // Positions of one time, as of a track without times.
        await session.run("guide stop; guide start $line; guide fix 47.0005,9")
        #expect(await session.run("guide fix 47.1,9 | count") == "0")
        #expect(await session.run("guide fix 47.1,9 | get event") == "offRoute")
    }

    @Test("fix by fix: time never decreases; a fixed clock advances with --after")
    func byHand() async throws {
        let session = try Self.session()
        await session.run(Self.line + "; guide start $line")
        #expect(await session.result("guide start $line").failure?.code == "E-GUIDE-BUSY")
        #expect(await session.run("guide fix 47.0005,9 | count") == "0")
        #expect(await session.run("guide fix 47.001,9 --after 40s | count") == "0")
        #expect(await session.run("clock").contains("08:00:40"))
        #expect(
            await session.result("guide fix 47.001,9 --at 2026-02-06T07:00:00Z").failure?.code
                == "E-GUIDE-TIME")
        #expect(await session.run("guide fix 47.0025,9 --after 2min | each event") == "approaching")
        #expect(await session.run("guide show | get state") == "onRoute")
        let walk = try await session.value("guide stop")
        #expect(walk.field("duration").map { "\($0)" }?.contains("160") == true)
        #expect(await session.result("guide show").failure?.code == "E-GUIDE-IDLE")
    }

    @Test("settings change the prompts of one walk or of all later ones, and can be reset")
    func settings() async throws {
        let session = try Self.session()
        await session.run(Self.line)
        let heard = "guide simulate $line | where event == atTurn | count"
        #expect(await session.run(heard) == "2")
        #expect(
            await session.run("guide simulate $line --with advance=30m | where event == atTurn | count")
                == "0")
        #expect(await session.run(heard) == "2")
        await session.run("set guidance.advance 30m")
        #expect(await session.run(heard) == "0")
        await session.run("set guidance.advance default")
        #expect(await session.run(heard) == "2")
        await session.run("set guidance.off-route 60m; set guidance.matcher markov")
        #expect(
            await session.run(
                "set | where setting =~ '^guidance' | where value != default | each setting")
                == "guidance.off-route\nguidance.matcher")
        // A distance that became a time is another value.
        await session.run("set guidance.approaching 60s")
        #expect(
            await session.run(
                "set | where setting =~ '^guidance' | where value != default | each setting")
                == "guidance.off-route\nguidance.approaching\nguidance.matcher")
        #expect(
            await session.run("set | where setting =~ '^guidance' | where value == default | count")
                == "16")
        #expect(await session.result("set guidance.off-route 50").failure?.fix == "write 50m")
    }

    @Test("settings and files are completed")
    func completion() async throws {
        let session = try Self.session(["up.gpx": Data()])
        func words(_ text: String) async -> [String] {
            await session.session.completions(of: text).candidates.map(\.replacement)
        }
        #expect(await words("set guidance.off").contains("guidance.off-route"))
        #expect(await words("guide simulate up").contains("up.gpx"))
        #expect(await words("guide simulate up.gpx --pace ").contains("tobler"))
    }

    @Test("a recorded track provides the fixes")
    func tracks() async throws {
        let session = try Self.session()
        await session.run(Self.line)
        await session.run("[47,9 47.0015,9 47.003,9 47.003,9.002 47.003,9.004 47.006,9.004] | save track.gpx")
        #expect(
            await session.run(
                "let w = guide simulate $line --track track.gpx --interval 2min; $w.fixes | count") == "6")
        #expect(await session.run("$w | last | get event") == "arrived")
        #expect(await session.run("$w.duration") == "10min")
        #expect(
            await session.result("guide simulate $line --track track.gpx --pause 5m,5s").failure?.code
                == "E-GUIDE-SIMULATION")
    }

    @Test("a walk can be rows, a map, a plot and a file")
    func walkAsValue() async throws {
        let session = try Self.session()
        await session.run(Self.line)
        await session.run("let w = guide simulate $line --noise 5m --seed 3 --detour 50m,120m,150m")
        #expect(await session.run("$w | where event == offRoute | count") == "1")
        #expect(await session.run("$w | map --out w.svg") == "map written to w.svg")
        #expect(await session.run("$w | plot --out w-time.svg") == "plot written to w-time.svg")
        let chart = try String(
            contentsOf: session.folder.url.appendingPathComponent("w-time.svg"), encoding: .utf8)
        #expect(chart.contains("off route") && chart.contains("clear"))
        #expect(await session.run("$w.fixes | save fixes.csv").contains("bytes written"))
        #expect(await session.run("$w.track | save track.gpx").contains("bytes written"))
        #expect(await session.run("$w | save events.json").contains("bytes written"))
        #expect(await session.run("open events.json | where event == offRoute | count") == "1")
    }

    @Test("comparing shows the first difference")
    func compare() async throws {
        let session = try Self.session()
        await session.run("let there = [47,9 47.005,9 47,9]")
        let table = await session.run(
            "set width 200; guide simulate $there | guide compare matcher=nearest matcher=markov | select run arrived first here"
        )
        let lines = table.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[1].hasPrefix("base") && lines[2].contains("matcher=nearest"))
        // At the start the end of the line is equally near, and later its second half is.
        #expect(lines[2].contains("s  ") && !lines[3].contains(" at "))
    }

    @Test("settings that fit each other may be given in any order")
    func settingsTogether() async throws {
        let session = try Self.session()
        await session.run(Self.line)
        for settings in [
            "off-route=20m clear=10m", "clear=60m off-route=80m", "at-turn=120m approaching=150m",
        ] {
            let entry = "guide simulate $line | guide compare '\(settings)' | count"
            #expect(await session.run(entry) == "2", "\(settings)")
        }
    }

    @Test("every fix is traced step by step: candidates, projection, comparisons, state")
    func trace() async throws {
        let session = try Self.session()
        await session.run(Self.line + "; guide start $line")
        #expect(
            await session.run("let t = trace guide fix 47.0027,9.0001; $t | select kind | unique | each kind")
                == "start\nfix\ncandidate\nprojection\nbelief\ncompare\nstate\nend")
        await session.run("guide fix 47.0015,9.0019 --after 60s")
        let outcome = await session.run(
            "let t = trace guide fix 47.0015,9.0019 --after 60s; $t | where what == offRoute | select value threshold outcome why"
        )
        #expect(
            outcome.contains("50m") && outcome.contains("changed")
                && outcome.contains("more than 50m: off route"))
        await session.run("step guide fix 47.0015,9.0018 --after 1s")
        #expect(
            await session.run("step to kind == projection; step picture | map --out step.svg").contains(
                "written"))
    }

    @Test("the steps of a simulated walk are those of its fixes, and tracing changes nothing")
    func traceOfAWalk() async throws {
        let session = try Self.session()
        await session.run(Self.line)
        let plain = await session.run("guide simulate $line --noise 5m --seed 9")
        let count = await session.run(
            "let t = trace --limit 1000000 guide simulate $line --noise 5m --seed 9; $t | where kind == fix | count"
        )
        await session.run("let w = guide simulate $line --noise 5m --seed 9")
        #expect(await session.run("$w.fixes | count") == count)
        #expect(await session.run("guide simulate $line --noise 5m --seed 9") == plain)
    }

    @Test(
        "several walks are scored together, each under the same settings; events of several are not compared")
    func severalWalks() async throws {
        let session = try Self.session()
        await session.run(
            "\(Self.line); let a = guide simulate $line; let b = guide simulate $line --noise 5m --seed 2")
        let sums = await session.run(
            "[$a $b] | guide compare --scores matcher=app | select run prompts missing")
        let single = await session.run("$a | guide compare --scores matcher=app | select run prompts missing")
        #expect(sums.contains("10") && single.contains("5"))
        #expect(await session.run("[$a $b] | guide score | count") == "2")
        #expect(
            await session.result("[$a $b] | guide compare matcher=app").failure?.code == "E-GUIDE-SIMULATION")
        #expect(await session.result("[] | guide compare matcher=app").failure?.code == "E-INPUT-KIND")
        #expect(await session.result("[$a 5] | guide score").failure?.code == "E-INPUT-KIND")
    }
}
