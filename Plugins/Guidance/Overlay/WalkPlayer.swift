import Geodesy
import Pictures
import PluginKit

/// The state of playback: position, speed, and the effect of keys. It has no clock: time advances by the frames that
/// it waits for.
struct WalkPlayer {
    /// Frame intervals and speeds.
    enum Settings {
        /// Shortest and longest time between two frames, seconds.
        static let frame = 0.04...0.5
        /// Speeds of the keys + and -, as multiples of real time.
        static let rates = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500]
    }

    let walk: GuidanceWalk
    /// Speed as a multiple of real time.
    private(set) var rate: Double
    /// The index of the displayed fix.
    private(set) var position = 0
    /// Whether playback is paused.
    private(set) var isPaused = false
    /// Seconds since the first fix.
    private var playhead = 0.0
    /// The number of events that the displayed fix has reached.
    private var reached = 0
    private let times: [Double]

    init(walk: GuidanceWalk, rate: Double) {
        self.walk = walk
        self.rate = rate
        times = walk.samples.map { walk.elapsed($0) }
    }

    /// Plays to the end, and then waits for the key that quits.
    mutating func play(
        on screen: any LiveScreen, _ environment: Environment, speaker: Speaker? = nil
    ) async throws {
        while true {
            if let event = newEvent() { await speaker?.say(walk.words.text(event)) }
            var fitted = environment
            fitted.width = screen.columns
            fitted.height = screen.rows
            screen.show(PlayerFrame(player: self, environment: fitted).lines)
            let wait = self.wait
            if let key = try await screen.key(within: wait) {
                if !take(key) { return }
            } else {
                pass(wait)
            }
        }
    }

    private var isAtEnd: Bool { position == times.count - 1 }

    /// Seconds until the next frame.
    private var wait: Double {
        guard !isPaused, !isAtEnd else { return Settings.frame.upperBound }
        let gap = (times[position + 1] - playhead) / rate
        return max(Settings.frame.lowerBound, min(Settings.frame.upperBound, gap))
    }

    /// Advances time.
    mutating func pass(_ seconds: Double) {
        guard !isPaused else { return }
        playhead = min(times[times.count - 1], playhead + seconds * rate)
        while !isAtEnd, times[position + 1] <= playhead { position += 1 }
    }

    /// The last event reached since the last call, if any; going back makes events new again.
    mutating func newEvent() -> GuidanceEvent? {
        let before = reached
        reached = walk.run.events.prefix { $0.fix <= position + 1 }.count
        return reached > before ? walk.run.events[reached - 1] : nil
    }

    /// Handles a key; `false` if it quits.
    mutating func take(_ key: ScreenKey) -> Bool {
        switch key {
        case .character("q"), .character("Q"), .escape, .end: return false
        case .character(" "), .enter: isPaused.toggle()
        case .right, .character("n"): step(1)
        case .left, .character("b"): step(-1)
        case .up, .character("+"), .character("="):
            rate = Settings.rates.first { $0 > rate } ?? rate
        case .down, .character("-"): rate = Settings.rates.last { $0 < rate } ?? rate
        case .character("e"): goToNextEvent()
        case .character("r"): go(to: 0)
        default: break
        }
        return true
    }

    private mutating func step(_ count: Int) {
        isPaused = true
        go(to: position + count)
    }

    private mutating func goToNextEvent() {
        let present = position + 1
        guard let event = walk.run.events.first(where: { $0.fix > present }) else { return }
        isPaused = true
        go(to: event.fix - 1)
    }

    private mutating func go(to wanted: Int) {
        position = max(0, min(times.count - 1, wanted))
        playhead = times[position]
    }

    /// The time of the displayed fix, seconds since the first.
    var elapsed: Double { times[position] }
}

/// One frame: overlay, map, the last prompts, keys.
struct PlayerFrame {
    let player: WalkPlayer
    let environment: Environment

    private static let shownEvents = 3
    private static let leastMapRows = 4
    /// Length of route shown ahead of and behind the position, metres.
    private static let sight = 400.0

    var lines: [String] {
        let walk = player.walk
        let sample = walk.samples[player.position]
        let overlay = Overlay(sample, on: walk.run.routes[sample.leg])
        let top = OverlayLines(overlay: overlay, environment: environment).lines
        let said = walk.run.events.filter { $0.fix <= player.position + 1 }.suffix(Self.shownEvents)
        let prompts = said.map { event in
            let time = Literal.duration(event.time.seconds(since: walk.samples[0].walk.fix.time).rounded())
            return fit("\(time)  \(event.kind.rawValue)  \(walk.words.text(event))")
        }
        let bottom = prompts + [fit(facts(sample)), fit(keys)]
        let rows = environment.height - top.count - bottom.count
        return top + (rows >= Self.leastMapRows ? map(sample, rows: rows) : []) + bottom
    }

    private func facts(_ sample: GuidanceRun.Sample) -> String {
        let count = "fix \(player.position + 1) of \(player.walk.samples.count)"
        let speed = player.isPaused ? "paused" : "\(Literal.number(player.rate))× real time"
        return "\(count)  \(Literal.duration(player.elapsed.rounded()))  \(speed)"
    }

    private var keys: String {
        environment.width < OverlayLines.regularWidth
            ? "spc pause ←→ step +- speed e r q"
            : "space pause   ←→ step   +- speed   e next event   r start   q quit"
    }

    private func map(_ sample: GuidanceRun.Sample, rows: Int) -> [String] {
        let walk = player.walk
        let route = walk.run.routes[sample.leg].geometry
        let place = sample.walk.fix.coordinate
        let near = [-1.0, 1].map { route.coordinate(at: sample.along + $0 * Self.sight) }
        let around = BoundingBox(center: place, radius: Self.sight / 2)
        let corners = [
            Coordinate(latitude: around.south, longitude: around.west),
            Coordinate(latitude: around.north, longitude: around.east),
        ]
        guard let view = MapView(fitting: near + [place] + corners) else { return [] }
        let walked = walk.samples[...player.position].map(\.walk.fix.coordinate)
        let scene = MapScene(
            view: view,
            features: [
                .route(route.points), .track(walked),
                .position(place, heading: walk.heading(at: player.position), accuracy: nil),
            ],
            furniture: MapFurniture(
                title: "", scale: ScaleUnits(environment.units)))
        let style = TerminalStyle(isUnicode: environment.unicode, isColored: environment.color)
        let text = scene.terminal(columns: environment.width, rows: max(1, rows - 2), style: style)
        return Array(
            text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).prefix(rows))
    }

    private func fit(_ text: String) -> String { DisplayWidth.truncated(text, to: environment.width) }
}
