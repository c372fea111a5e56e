import Core
import Pictures
import PluginKit

/// `step play`
struct StepPlay: CommandProvider {
    let stepper: Stepper

    var name: String { "step play" }

    var command: Command {
        Command(
            name, "play the active trace in the terminal",
            details: """
                Shows picture, values and reason of each step. Keys: space plays and pauses, → and ← step, n and p go to the \
                next and previous step of the same kind, + and - change the speed, g and G go to the first and last step, q \
                quits. The stepper stays at the step shown last. Without a terminal it returns the current step.
                """,
            .option("rate", .number(StepPlayback.rates), default: "2", "steps a second"),
            output: .value("record"), effect: .pure,
            examples: [
                .init(
                    "an active trace is required", "expect-error E-STEP-NONE step play",
                    gives: "no active trace")
            ],
            searchTerms: [
                "slow motion", "speed of the animation", "player", "animate", "watch an algorithm",
                "animate an algorithm", "expand nodes",
            ]
        ) { context, rate in
            let walk = try stepper.walk
            guard let terminal = context.screen, context.environment.isInteractive else { return walk.shown }
            let environment = context.environment
            let last = try await terminal.withScreen { screen in
                var play = StepPlayback(walk: walk, rate: rate, base: MapBase.usual(context))
                try await play.run(on: screen, environment)
                return play.position
            }
            return try stepper.move(to: last)
        }
    }
}

/// The state of playback: position, speed and key handling.
struct StepPlayback {
    let walk: Stepper.Walk
    /// Steps a second.
    private(set) var rate: Double
    private(set) var isPlaying = false
    /// The step shown, counted from 0.
    private(set) var position: Int

    static let rates = 0.1...1000.0
    /// Seconds for which a paused player waits for a key before it asks again.
    private static let pause = 3600.0
    /// Minimum rows of the picture; with fewer it is not shown.
    private static let leastRows = 5

    /// The base map; the terminal shows the attribution of the ways.
    private let base: MapBase.Choosing

    init(
        walk: Stepper.Walk, rate: Double, base: @escaping MapBase.Choosing = { _, _ in PlainBacking() }
    ) {
        self.walk = walk
        self.base = base
        self.rate = rate
        position = walk.position
    }

    /// Plays until `q` or the end of the input.
    mutating func run(on screen: any LiveScreen, _ environment: Environment) async throws {
        var needsFrame = true
        while true {
            if needsFrame { screen.show(try frame(columns: screen.columns, rows: screen.rows, environment)) }
            guard let key = try await screen.key(within: isPlaying ? 1 / rate : Self.pause) else {
                needsFrame = isPlaying
                if isPlaying { advance() }
                continue
            }
            guard take(key) else { return }
            needsFrame = true
        }
    }

    /// Advances one step; playback stops at the end of the trace.
    mutating func advance() {
        if position < walk.steps.count - 1 { position += 1 }
        if position == walk.steps.count - 1 { isPlaying = false }
    }

    /// Handles a key; returns `false` to quit.
    mutating func take(_ key: ScreenKey) -> Bool {
        let last = walk.steps.count - 1
        switch key {
        case .character("q"), .escape, .end: return false
        case .character(" "):
            if !isPlaying, position == last { position = 0 }
            isPlaying.toggle()
            return true
        case .character("+"): rate = min(rate * 2, Self.rates.upperBound)
        case .character("-"): rate = max(rate / 2, Self.rates.lowerBound)
        case .right, .enter: move(to: min(position + 1, last))
        case .left: move(to: max(position - 1, 0))
        case .character("g"): move(to: 0)
        case .character("G"): move(to: last)
        case .character("n"):
            move(to: walk.steps[(position + 1)...].firstIndex { $0.kind == kind } ?? position)
        case .character("p"):
            move(to: walk.steps[..<position].lastIndex { $0.kind == kind } ?? position)
        default: break
        }
        return true
    }

    private var kind: String { walk.steps[position].kind }

    private mutating func move(to step: Int) {
        position = step
        isPlaying = false
    }

    /// What the terminal shows.
    func frame(columns: Int, rows: Int, _ environment: Environment) throws -> [String] {
        var narrow = environment
        narrow.width = columns
        let values = try ValueRenderer(environment: narrow).text(walk.shown(position))
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let speed = rate == rate.rounded() ? String(Int(rate)) : String(rate)
        let status =
            (isPlaying ? "playing" : "paused") + "   \(speed) steps a second"
            + "   space play  ←/→ step  n/p same kind  +/- speed  g/G ends  q quit"
        let picture = try picture(columns: columns, rows: rows - values.count - 1 - Self.legendRows, narrow)
        return picture + values + [DisplayWidth.truncated(status, to: columns)]
    }

    /// Maximum number of rows of a map's legend.
    private static let legendRows = 8

    private func picture(columns: Int, rows: Int, _ environment: Environment) throws -> [String] {
        guard rows >= Self.leastRows, let picture = walk.picture(position) else { return [] }
        let style = TerminalStyle(isUnicode: environment.unicode, isColored: environment.color)
        let units = ScaleUnits(environment.units)
        let text: String
        if let board = picture as? StepBoard {
            text = board.board.terminal(columns: columns, style: style)
        } else if let chart = picture as? any ChartDrawable {
            text = chart.chart(units: units).terminal(columns: columns, rows: rows, style: style)
        } else if let map = picture as? any MapPicture {
            text = try map.mapText(columns: columns, style: style, units: units)
        } else if var map = try MapFeatures.fitted(to: picture, units) {
            map.furniture.attribution = try base(map.view, map.features).cellAttribution
            text = map.terminal(columns: columns, rows: rows, style: style)
        } else {
            return []
        }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
