import CivilTime
import Foundation
import Pictures
import PluginKit

/// The state of a drawer: collapsed, half or full.
enum DrawerState: String, Sendable, CaseIterable {
    case collapsed, half, full

    /// Its help.
    var summary: String {
        switch self {
        case .collapsed: "name and mode"
        case .half: "also the next \(TransitSettings.halfDepartures) departures"
        case .full: "\(TransitSettings.fullDepartures) departures, scrollable"
        }
    }

    fileprivate var height: Int {
        switch self {
        case .collapsed: 0
        case .half: 1
        case .full: 2
        }
    }
}

/// The drawer of a stop, below the map of the app's screen.
struct Drawer: Sendable {
    /// Its stop.
    let stop: StopRecord
    /// Its state.
    private(set) var state = DrawerState.collapsed
    /// The first departure that the full drawer shows, from 0.
    private(set) var scroll = 0
    /// Its departures; `nil` when collapsed.
    private(set) var board: DepartureBoard?

    init(_ stop: StopRecord) { self.stop = stop }

    /// The same drawer with the stop as another timetable has it, without departures.
    func moved(to stop: StopRecord) -> Drawer {
        var drawer = Drawer(stop)
        drawer.state = state
        drawer.scroll = scroll
        return drawer
    }

    /// Whether its departures were computed for another second.
    func isStale(at now: Timestamp) -> Bool {
        guard state != .collapsed else { return false }
        return board.map { Int($0.asked.rounded(.down)) != Int(now.seconds.rounded(.down)) } ?? true
    }

    /// Replaces the departures.
    mutating func refresh(_ board: DepartureBoard?) {
        self.board = board
        scroll = min(scroll, furthest)
    }

    /// The number of departures of a state.
    static func departures(in state: DrawerState) -> Int {
        switch state {
        case .collapsed: 0
        case .half: TransitSettings.halfDepartures
        case .full: TransitSettings.fullDepartures
        }
    }

    /// Changes its state. A smaller state scrolls back to the top.
    mutating func change(to new: DrawerState, board: DepartureBoard?) {
        if new.height < state.height || new != .full { scroll = 0 }
        state = new
        self.board = new == .collapsed ? nil : board
        scroll = min(scroll, furthest)
    }

    /// The last scroll position; only the full drawer scrolls.
    var furthest: Int {
        guard state == .full else { return 0 }
        return max(0, (board?.departures.count ?? 0) - TransitSettings.fullRows)
    }

    /// Scrolls by rows, down for a positive number, and stops at the ends.
    mutating func scroll(by rows: Int) {
        scroll = max(0, min(furthest, scroll + max(-furthest, min(furthest, rows))))
    }

    /// The command that lists all departures of the day.
    var viewAll: String { "departures \(Literal.quoted(stop.id)) --all-day" }

    /// The hint for screen readers on how to change the state.
    var hint: String {
        switch state {
        case .collapsed:
            "Enter, or stop drawer --state half, for the next \(TransitSettings.halfDepartures) departures"
        case .half:
            "Enter, or stop drawer --state full, for \(TransitSettings.fullDepartures) departures"
        case .full: "stop drawer --state half for the next \(TransitSettings.halfDepartures)"
        }
    }

    /// The visible departures.
    var visible: [Departure] {
        guard let departures = board?.departures else { return [] }
        let rows = state == .full ? TransitSettings.fullRows : Self.departures(in: state)
        return Array(departures.dropFirst(scroll).prefix(rows))
    }
}

/// The drawer as a value: displayed as text, with fields.
struct DrawerObject: FieldedObject, SelfRendering {
    let drawer: Drawer

    let typeName = "drawer"

    static let fields = FieldTable<Self> {
        Field("stop") { .text($0.drawer.stop.title) }
        Field("stopId") { .text($0.drawer.stop.id) }
        Field("mode") { .text($0.drawer.stop.mode.rawValue) }
        Field("icon") { .text($0.drawer.stop.mode.icon) }
        Field("label") { .text($0.drawer.stop.label) }
        Field("state") { .text($0.drawer.state.rawValue) }
        Field("scroll") { .integer($0.drawer.scroll) }
        Field("departures") { Self.table($0.drawer.board?.departures ?? []) }
        Field("visible") { Self.table($0.drawer.visible) }
        Field("message") { Value(DrawerText.message($0.drawer), Value.text) }
        Field("alerts") { .list(($0.drawer.board?.alerts ?? []).map { .text($0.text) }) }
        Field("viewAll") { .text($0.drawer.viewAll) }
        Field("hint") { .text($0.drawer.hint) }
    }

    private static func table(_ departures: [Departure]) -> Value {
        .table(objects: departures, columns: Departure.columns)
    }

    var summary: String { "\(drawer.stop.label), \(drawer.state.rawValue)" }

    var plainRows: Rows? {
        let notes =
            (drawer.board?.alerts ?? []).map(\.text)
            + [
                drawer.board?.validity, drawer.board?.information, DrawerText.message(drawer),
                DrawerText.range(drawer),
            ].compactMap { $0 }
        return Rows(
            drawer.visible.map { .object($0) }, columns: Departure.columns,
            note: ([summary] + notes).joined(separator: "; "))
    }

    func rendered(in environment: Environment) -> String {
        DrawerText(
            width: environment.width, isPlain: !environment.unicode, isColored: environment.color
        ).lines(drawer).joined(separator: "\n")
    }
}
