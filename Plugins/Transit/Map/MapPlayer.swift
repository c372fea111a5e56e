import CivilTime
import Foundation
import Geodesy
import Pictures
import PluginKit

/// The data source of the player: the timetable behind the map.
protocol MapPlaySource {
    func load(_ region: BoundingBox) throws -> LoadedStops
    func board(of stop: StopRecord, in state: DrawerState, at time: Timestamp) throws -> DepartureBoard?
    func object(_ map: StopMap, at time: Timestamp) throws -> StopMapObject
    func find(_ text: String) throws -> [StopObject]
    func moment(_ time: Timestamp) -> String
    /// Keeps a pin as a waypoint.
    func dropPin(at coordinate: Coordinate) async -> DroppedPin
}

/// What became of a pin.
struct DroppedPin: Sendable {
    /// The pin on the map; `nil` if it was not kept.
    var feature: MapFeature?
    /// What is said of it.
    var message: String
}

/// The map of stops, full screen: keys move it, select stops, search and run the clock.
struct MapPlayer {
    /// The mode of the keyboard.
    enum Mode: Sendable {
        case map
        /// The text typed, its matches, and the index of the chosen one.
        case search(text: String, found: [StopObject], chosen: Int)
    }

    let source: any MapPlaySource
    private(set) var map: StopMap
    /// The time of the drawer.
    private(set) var time: Timestamp
    private(set) var isRunning: Bool
    /// Speed of the clock as a multiple of real time.
    private(set) var rate = 1.0
    private(set) var mode = Mode.map
    private var frame: StopMapObject?
    /// The pins dropped so far, and what is said of the last one until the next key.
    private var pins: [MapFeature] = []
    private var notice = ""
    /// Where a pin is dropped before the next frame.
    private var wantedPin: Coordinate?

    init(_ map: StopMap, source: any MapPlaySource, time: Timestamp, isRunning: Bool) {
        (self.map, self.source, self.time, self.isRunning) = (map, source, time, isRunning)
    }

    /// Plays until a key quits.
    mutating func play(on screen: any LiveScreen, _ environment: PluginKit.Environment) async throws {
        while true {
            var fitted = environment
            fitted.width = screen.columns
            fitted.height = screen.rows
            screen.show(try lines(fitted))
            let wait = self.wait
            if let key = try await screen.key(within: wait) {
                if try !take(key) { return }
                await dropPin()
            } else {
                try pass(wait)
            }
        }
    }

    /// Keeps the pin that a key asked for.
    mutating func dropPin() async {
        guard let coordinate = wantedPin else { return }
        wantedPin = nil
        let dropped = await source.dropPin(at: coordinate)
        notice = dropped.message
        if let feature = dropped.feature { pins.append(feature) }
        frame = nil
    }

    /// Seconds until the next change without a key.
    private var wait: Double {
        if map.dueAt != nil { return Double(TransitSettings.settleMilliseconds) / 1000 }
        return isRunning ? max(TransitSettings.shortestFrame, 1 / rate) : TransitSettings.longestFrame
    }

    /// Advances the time: a moved map loads its stops, and a running clock advances.
    mutating func pass(_ seconds: Double) throws {
        if isRunning { time = time.advanced(bySeconds: seconds * rate) }
        if map.dueAt != nil { try map.loadIfNeeded(at: time, load: source.load) }
        try refreshDrawer()
        frame = nil
    }

    private mutating func refreshDrawer() throws {
        guard let drawer = map.drawer, drawer.isStale(at: time) else { return }
        let board = try source.board(of: drawer.stop, in: drawer.state, at: time)
        map.drawer?.refresh(board)
    }

    // MARK: Keys

    /// Handles a key; `false` if it quits.
    mutating func take(_ key: ScreenKey) throws -> Bool {
        frame = nil
        notice = ""
        if case .search(let text, let found, let chosen) = mode {
            return try search(key, text, found, chosen)
        }
        switch key {
        case .character("q"), .character("Q"), .end: return false
        case .escape:
            // The first Escape closes the drawer.
            guard map.drawer != nil else { return false }
            map.drawer = nil
        case .left: pan(-1, 0)
        case .right: pan(1, 0)
        case .up: pan(0, -1)
        case .down: pan(0, 1)
        case .character("+"), .character("="): map.move(to: map.center, zoom: map.zoom + 1, at: time)
        case .character("-"): map.move(to: map.center, zoom: map.zoom - 1, at: time)
        case .character("n"), .character("\t"): try select(1)
        case .character("p"): try select(-1)
        case .enter: try raise()
        case .character("b"), .character("\u{7F}"), .character("\u{8}"): try lower()
        case .character("j"): map.drawer?.scroll(by: 1)
        case .character("k"): map.drawer?.scroll(by: -1)
        case .character("c"):
            if let place = map.drawer?.stop.coordinate { map.move(to: place, zoom: map.zoom, at: time) }
        case .character("m"): wantedPin = map.center
        case .character(" "): isRunning.toggle()
        case .character(">"): rate = TransitSettings.rates.first { $0 > rate } ?? rate
        case .character("<"): rate = TransitSettings.rates.last { $0 < rate } ?? rate
        case .character("t"):
            time = time.advanced(bySeconds: 60)
            try refreshDrawer()
        case .character("/"): mode = .search(text: "", found: [], chosen: 0)
        default: break
        }
        return true
    }

    /// Moves by a quarter of the screen.
    private mutating func pan(_ x: Double, _ y: Double) {
        let view = map.view
        let middle = ScenePoint(
            view.size.width / 2 + x * view.size.width / 4, view.size.height / 2 + y * view.size.height / 4)
        map.move(to: view.coordinate(at: middle), zoom: map.zoom, at: time)
    }

    /// Selects the next pin in reading order.
    private mutating func select(_ step: Int) throws {
        let view = map.view
        let placed = try source.object(map, at: time).frame.marks.pins.compactMap { pin in
            pin.stop.coordinate.map { (stop: pin.stop, place: $0) }
        }
        let pins = placed.sorted { left, right in
            let (a, b) = (view.point(for: left.place), view.point(for: right.place))
            let (row, other) = (
                (a.y / PictureSettings.cellHeight).rounded(.down),
                (b.y / PictureSettings.cellHeight).rounded(.down)
            )
            return (row, a.x, left.stop.id) < (other, b.x, right.stop.id)
        }.map(\.stop)
        guard !pins.isEmpty else { return }
        let present = map.drawer.flatMap { drawer in pins.firstIndex { $0.id == drawer.stop.id } }
        let next = present.map { ($0 + step + pins.count) % pins.count } ?? (step > 0 ? 0 : pins.count - 1)
        map.select(pins[next], at: time)
    }

    private mutating func raise() throws {
        guard let drawer = map.drawer else { return try select(1) }
        try change(to: drawer.state == .collapsed ? .half : .full)
    }

    private mutating func lower() throws {
        guard let drawer = map.drawer else { return }
        if drawer.state == .collapsed {
            map.drawer = nil
        } else {
            try change(to: drawer.state == .full ? .half : .collapsed)
        }
    }

    private mutating func change(to state: DrawerState) throws {
        guard let stop = map.drawer?.stop else { return }
        let board = try source.board(of: stop, in: state, at: time)
        map.drawer?.change(to: state, board: board)
    }

    private mutating func search(
        _ key: ScreenKey, _ text: String, _ found: [StopObject], _ chosen: Int
    ) throws -> Bool {
        func typed(_ text: String) throws -> Mode {
            .search(text: text, found: text.isEmpty ? [] : try source.find(text), chosen: 0)
        }
        switch key {
        case .end: return false
        case .escape: mode = .map
        case .enter:
            mode = .map
            guard found.indices.contains(chosen) else {
                // A coordinate, not a stop: the map moves there, and nothing is selected.
                if let coordinate = Self.coordinate(in: text) {
                    map.move(to: coordinate, zoom: max(map.zoom, TransitSettings.stopZoom), at: time)
                    try map.loadIfNeeded(at: time, load: source.load)
                }
                break
            }
            let stop = found[chosen].stop
            if let place = stop.coordinate {
                map.move(to: place, zoom: max(map.zoom, TransitSettings.stopZoom), at: time)
            }
            try map.loadIfNeeded(at: time, load: source.load)
            map.select(stop, at: time)
            try change(to: .half)
        case .up: mode = .search(text: text, found: found, chosen: max(0, chosen - 1))
        case .down: mode = .search(text: text, found: found, chosen: max(0, min(found.count - 1, chosen + 1)))
        case .character("\u{7F}"), .character("\u{8}"): mode = try typed(String(text.dropLast()))
        case .character(let character)
        where !character.isNewline && text.count < TransitSettings.longestQuery:
            mode = try typed(text + String(character))
        default: break
        }
        return true
    }

    /// The coordinate in a text; `nil` if it is not one.
    private static func coordinate(in text: String) -> Coordinate? {
        if case .coordinate(let coordinate, _) = CoordinateText.read(text) { return coordinate }
        return nil
    }

    // MARK: Frames

    /// The frame, with exactly as many lines as the terminal has rows if there is enough space for a map.
    mutating func lines(_ environment: PluginKit.Environment) throws -> [String] {
        let columns = max(16, environment.width)
        let isPlain = !environment.unicode
        let style = TerminalStyle(isUnicode: !isPlain, isColored: environment.color)
        let bottom = panel(columns, isPlain: isPlain, isColored: environment.color)
        let rows = max(TransitSettings.leastMapRows, environment.height - bottom.count - 2)
        map.resize(columns: columns, rows: rows)
        var object = try frame ?? source.object(map, at: time)
        object.frame.dropped = pins
        frame = object
        let picture = object.terminalLines(
            columns: columns, rows: rows, style: style,
            units: ScaleUnits(environment.units))
        let status = DisplayWidth.truncated(statusLine(object), to: columns, mark: isPlain ? "~" : "…")
        let all =
            picture + [status] + bottom + [
                DisplayWidth.truncated(keys(columns), to: columns, mark: isPlain ? "~" : "…")
            ]
        return Array(all.prefix(max(1, environment.height)))
    }

    private func statusLine(_ object: StopMapObject) -> String {
        let clock =
            source.moment(time) + (isRunning ? rate == 1 ? "" : " x\(Literal.number(rate))" : " (stopped)")
        return clock + "  " + (notice.isEmpty ? object.status : notice)
    }

    private func panel(_ columns: Int, isPlain: Bool, isColored: Bool) -> [String] {
        switch mode {
        case .map:
            guard let drawer = map.drawer else { return [] }
            return DrawerText(width: columns, isPlain: isPlain, isColored: isColored).lines(drawer)
        case .search(let text, let found, let chosen):
            let rows = found.enumerated().map { index, stop -> String in
                let mark = index == chosen ? "> " : "  "
                let lines = stop.lines.map { "  " + $0.map(\.name).joined(separator: ", ") } ?? ""
                let shown = mark + stop.stop.title + lines
                return DisplayWidth.truncated(
                    isPlain ? DrawerText.plain(shown) : shown, to: columns, mark: isPlain ? "~" : "…")
            }
            let none =
                text.isEmpty || !found.isEmpty
                ? []
                : [Self.coordinate(in: text).map { "> " + Literal.coordinate($0) } ?? "  no stop matches"]
            return [
                DisplayWidth.truncated(
                    isPlain ? DrawerText.plain("/\(text)") : "/\(text)", to: columns,
                    mark: isPlain ? "~" : "…")
            ] + rows + none
        }
    }

    private func keys(_ columns: Int) -> String {
        if case .search = mode { return "type a name or coordinate   up/down choose   enter show   esc back" }
        return columns < 82
            ? "arrows +- n/p enter b / c m space t q"
            : "arrows pan  +- zoom  n/p stop  enter open  b back  / search  m pin  space clock  q"
    }
}
