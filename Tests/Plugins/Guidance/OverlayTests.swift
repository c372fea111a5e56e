import Geodesy
import PluginKit
import Testing

@testable import GuidancePlugin

@Suite struct OverlayTests {
    private static let overlay = Overlay(
        direction: .left, text: "Turn left onto Mill Lane", distance: 80, progress: 0.47, remaining: 1240,
        time: 1500, warning: nil)

    private static func environment(_ width: Int, _ change: (inout Environment) -> Void = { _ in })
        -> Environment
    {
        var environment = Environment.notebook
        environment.width = width
        change(&environment)
        return environment
    }

    @Test("compact below 60 columns")
    func compact() {
        #expect(
            Self.overlay.rendered(in: Self.environment(40)) == """
                ← 80m Turn left onto Mill Lane
                █████████████░░░░░░░░░░░░░░░░ 47% 1.24km
                """)
        var lost = Self.overlay
        lost.warning = Overlay.Warning(distance: 62.4, isOffRoute: true)
        #expect(
            lost.rendered(in: Self.environment(20) { $0.unicode = false }) == """
                < 80m Turn left ont.
                ####..... 47% 1.24km
                ! Off route, 62m to.
                """)
        #expect(Self.overlay.rendered(in: Self.environment(59)).split(separator: "\n").count == 2)
    }

    @Test("a box from 60 columns on")
    func regular() {
        var lost = Self.overlay
        lost.warning = Overlay.Warning(distance: 62.4, isOffRoute: true)
        #expect(
            lost.rendered(in: Self.environment(60)) == """
                ╭──────────────────────────────────────────────────────────╮
                │ ←  80m                                                   │
                │ Turn left onto Mill Lane                                 │
                │ ████████████████░░░░░░░░░░░░░░░░░░░░  47%  1.24km  25min │
                │ ⚠ Off route, 62m to the line                             │
                ╰──────────────────────────────────────────────────────────╯
                """)
        let imperial = Self.overlay.rendered(
            in: Self.environment(60) {
                $0.unicode = false
                $0.units = .imperial
            })
        #expect(imperial.contains("| <  262ft") && imperial.contains("47%  0.771mi  25min |"))
    }

    @Test("no line is wider than the terminal", arguments: [1, 5, 20, 33, 59, 60, 61, 80, 200])
    func widths(width: Int) {
        var lost = Self.overlay
        lost.warning = Overlay.Warning(distance: 1e7, isOffRoute: true)
        lost.text = "Turn sharp left onto the Refugi de Juclà path 東京の小道, then bear right onto a longer one"
        for line in lost.rendered(in: Self.environment(width)).split(separator: "\n") {
            #expect(line.count <= max(width, 1))
        }
    }

    @Test("colour only where it is wanted")
    func color() {
        #expect(!Self.overlay.rendered(in: Self.environment(80)).contains("\u{1B}"))
        #expect(Self.overlay.rendered(in: Self.environment(80) { $0.color = true }).contains("\u{1B}[1m"))
    }

    @Test("each direction has an arrow of its own kind")
    func arrows() {
        for direction in TurnDirection.allCases {
            #expect(OverlayGlyphs.arrow(direction, unicode: true) != "·")
            let plain = OverlayGlyphs.arrow(direction, unicode: false)
            #expect(plain.utf8.count == plain.count)
        }
    }
}

@Suite struct PlayerTests {
    /// Presses a key; returns whether playback continues.
    private func press(_ player: inout WalkPlayer, _ key: ScreenKey) -> Bool { player.take(key) }

    private func stays(_ goesOn: Bool) { #expect(goesOn) }
    private func ends(_ goesOn: Bool) { #expect(!goesOn) }

    private func player(rate: Double = 10) throws -> WalkPlayer {
        let line = Ground().line([(0, 0), (0, 300), (200, 300)])
        let run = try walked(try .made(line, turns: [(300, .right)]), WalkPlan())
        return WalkPlayer(walk: GuidanceWalk(run: run, words: SpokenText(.metric)), rate: rate)
    }

    @Test("time passes by the rate, and not while paused")
    func passing() throws {
        var player = try player()
        player.pass(0.5)
        #expect(player.position == 5)
        stays(press(&player, .character(" ")))
        player.pass(0.5)
        #expect(player.position == 5 && player.isPaused)
        stays(press(&player, .character(" ")))
        player.pass(1000)
        #expect(player.position == player.walk.samples.count - 1)
    }

    @Test("keys: step, speed, next event, start, end")
    func keys() throws {
        var player = try player()
        stays(press(&player, .right))
        #expect(player.position == 1)
        #expect(player.isPaused)
        stays(press(&player, .left))
        #expect(player.position == 0)
        stays(press(&player, .left))
        #expect(player.position == 0)
        stays(press(&player, .character("+")))
        #expect(player.rate == 20)
        stays(press(&player, .character("-")))
        stays(press(&player, .character("-")))
        #expect(player.rate == 5)
        stays(press(&player, .character("e")))
        let first = try #require(player.walk.run.events.first)
        #expect(player.position == first.fix - 1)
        stays(press(&player, .character("e")))
        #expect(player.position > first.fix - 1)
        stays(press(&player, .character("r")))
        #expect(player.position == 0)
        stays(press(&player, .character("z")))
        #expect(player.position == 0)
        ends(press(&player, .character("q")))
        ends(press(&player, .escape))
        ends(press(&player, .end))
        for _ in 0..<100 { _ = press(&player, .character("+")) }
        #expect(player.rate == WalkPlayer.Settings.rates.last)
    }

    @Test(
        "a frame fits the terminal, and shows keys and what was said",
        arguments: [(80, 24), (40, 10), (120, 50), (20, 5)])
    func frames(width: Int, height: Int) throws {
        var player = try player()
        for _ in 0..<2 { _ = press(&player, .character("e")) }
        var environment = Environment.notebook
        environment.width = width
        environment.height = height
        let lines = PlayerFrame(player: player, environment: environment).lines
        if height >= 10 {
            #expect(lines.count <= height)
            #expect(lines.contains { $0.contains("In 100 metres") })
        }
        #expect(lines.last?.contains(width < 60 ? "spc pause" : "space pause") == true)
        #expect(lines.allSatisfy { $0.count <= width })
    }
}
