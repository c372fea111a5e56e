import Foundation
import Pictures
import PluginKit

/// Draws a drawer as text, fitted to the terminal.
struct DrawerText {
    let width: Int
    let isPlain: Bool
    /// Whether the status of departures has a colour.
    var isColored = false

    /// The smallest readable width, in columns.
    private static let narrowest = 24
    private static let widest = TransitSettings.mapColumns
    /// Minimum widths of the columns of lines and waits; they grow with their content.
    private static let routeWidths = 6...16
    private static let inWidths = 7...10

    /// The lines of the drawer: its frame with a handle, the stop, and the content of its state.
    func lines(_ drawer: Drawer) -> [String] {
        var rows = [header(drawer)]
        var first = 0
        if drawer.state != .collapsed {
            rows.append(badge(drawer.stop))
            rows += notes(drawer).flatMap(wrapped)
            first = rows.count
            rows += departures(drawer)
        }
        rows += wrapped(spoken(drawer))
        var framed = rows.map(row)
        if isColored, first > 0 {
            for (index, departure) in drawer.visible.enumerated() {
                framed[first + index] = Self.painted(framed[first + index], departure)
            }
        }
        return [edge(top: true)] + framed + [edge(top: false)]
    }

    /// A line with the colour of its status, if there was room for it.
    private static func painted(_ line: String, _ departure: Departure) -> String {
        guard let range = line.range(of: departure.status, options: .backwards) else { return line }
        return line.replacingCharacters(in: range, with: departure.tone.painted(departure.status))
    }

    /// The message shown when there is no departure, with the next one.
    static func message(_ drawer: Drawer) -> String? {
        guard let board = drawer.board, board.departures.isEmpty else { return nil }
        return DepartureText.none(board.next)
    }

    /// `1-8 of 20`: the visible departures of a full drawer; `nil` if all are visible.
    static func range(_ drawer: Drawer) -> String? {
        let (visible, total) = (drawer.visible.count, drawer.board?.departures.count ?? 0)
        guard drawer.state == .full, total > visible else { return nil }
        return "\(drawer.scroll + 1)-\(drawer.scroll + visible) of \(total)"
    }

    private var cells: Int { max(Self.narrowest, min(width, Self.widest)) }
    private var inner: Int { cells - 4 }

    private func header(_ drawer: Drawer) -> String {
        let glyph = IconGlyph.named(drawer.stop.mode.icon)
        return "\(isPlain ? glyph.ascii : glyph.symbol)  \(drawer.stop.title)"
    }

    /// The text for screen readers.
    private func spoken(_ drawer: Drawer) -> String {
        var parts = [drawer.stop.label, "drawer \(drawer.state.rawValue)"]
        if drawer.state != .collapsed {
            let count = drawer.board?.departures.count ?? 0
            parts.append("\(count, of: "departure")")
        }
        parts.append(drawer.hint)
        return "(" + parts.joined(separator: "; ") + ")"
    }

    /// Mode, platform and access of a stop.
    func badge(_ stop: StopRecord) -> String {
        var facts = "[\(stop.mode == .other ? "stop" : stop.mode.rawValue)]"
        if let platform = stop.platform { facts += "  platform \(platform)" }
        if Wheelchair.word(stop.wheelchair) == "yes" { facts += "  step-free" }
        return facts
    }

    /// The notes before the departures.
    func notes(_ drawer: Drawer) -> [String] {
        (drawer.board?.alerts ?? []).map { (isPlain ? "! " : "⚠ ") + $0.text }
            + [drawer.board?.validity, drawer.board?.information, Self.message(drawer)].compactMap { $0 }
    }

    private func departures(_ drawer: Drawer) -> [String] {
        let visible = drawer.visible
        let waits = Self.width(visible.map(DepartureText.wait), Self.inWidths)
        let routes = Self.width(visible.map(\.route), Self.routeWidths)
        var lines = visible.map { line($0, waits: waits, routes: routes) }
        if let range = Self.range(drawer) { lines.append(isPlain ? "^v \(range)" : "↕ \(range)") }
        if drawer.state == .full { lines.append("View all departures: \(drawer.viewAll)") }
        return lines
    }

    /// `08:15  5min   S1    Airport          pl. 2  Scheduled`
    private func line(_ departure: Departure, waits: Int, routes: Int) -> String {
        let platform = departure.platform.map { "pl. \($0)  " } ?? ""
        let tail = platform + departure.status
        let start =
            departure.clock + "  "
            + fitted(DepartureText.wait(departure), waits) + "  "
            + fitted(departure.route, routes)
            + "  "
        let room = inner - DisplayWidth.of(start) - DisplayWidth.of(tail) - 2
        guard room >= 4 else { return start + departure.headsign }
        return start + fitted(departure.headsign, room) + "  " + tail
    }

    /// The width in cells that texts need, within limits.
    private static func width(_ texts: [String], _ limits: ClosedRange<Int>) -> Int {
        let widest = texts.map(DisplayWidth.of).max() ?? 0
        return max(limits.lowerBound, min(widest, limits.upperBound))
    }

    private func fitted(_ text: String, _ cells: Int) -> String {
        DisplayWidth.padded(cut(text, cells), to: cells)
    }

    private func cut(_ text: String, _ cells: Int) -> String {
        let clean = String(text.map { $0.isNewline || DisplayWidth.of($0) == 0 ? " " : $0 })
        let ascii = isPlain ? Self.plain(clean) : clean
        return DisplayWidth.truncated(ascii, to: cells, mark: isPlain ? "~" : "…")
    }

    /// A text in ASCII.
    static func plain(_ text: String) -> String {
        String(text.folding(options: .diacriticInsensitive, locale: nil).map { $0.isASCII ? $0 : "?" })
    }

    /// A text in lines of the drawer's width.
    func wrapped(_ text: String) -> [String] {
        TextWrap.wrapped(text, to: inner).split(separator: "\n").map(String.init)
    }

    private func row(_ text: String) -> String {
        let side = isPlain ? "|" : "│"
        return "\(side) \(fitted(text, inner)) \(side)"
    }

    private func edge(top: Bool) -> String {
        let line = isPlain ? "-" : "─"
        let handle = top ? (isPlain ? "===" : "━━━") : ""
        let left = (cells - 2 - handle.count) / 2
        let right = cells - 2 - handle.count - left
        let corners = isPlain ? ("+", "+") : top ? ("╭", "╮") : ("╰", "╯")
        return corners.0 + String(repeating: line, count: left) + handle
            + String(repeating: line, count: right) + corners.1
    }
}

/// Texts about departures.
enum DepartureText {
    /// The time until departure: `5min`, `1h5min`, `now`.
    static func wait(_ departure: Departure) -> String {
        guard departure.isRunning else { return "" }
        let seconds = Double(departure.expected) - departure.asked
        guard seconds >= 60 else { return "now" }
        return Literal.duration((seconds / 60).rounded(.down) * 60)
    }

    /// `every 15min`
    static func every(_ headway: Int) -> String { "every \(Literal.duration(Double(headway)))" }

    /// `No upcoming departures at this time; the next is Monday 2026-02-09 05:12, S1 to Airport`
    static func none(_ next: Departure?, _ side: BoardSide = .departures) -> String {
        guard let next else { return side.none + "; the timetable has no later one" }
        let day = ServiceDay.date(of: next.row.time, in: next.zone)
        return side.none
            + "; the next is \(day.weekdayName) \(day.text) \(next.clock), \(next.route) "
            + (next.origin.map { "from \($0)" } ?? "to \(next.headsign)")
    }
}

extension DepartureText {
    /// A note that the session's zone differs from those of the stops; `nil` if it does not.
    static func zoneNote(
        _ zones: [TimeZone], _ moment: Double, _ environment: PluginKit.Environment
    ) -> String? {
        let date = Date(timeIntervalSince1970: moment)
        let shown = environment.timeZone
        guard zones.contains(where: { $0.secondsFromGMT(for: date) != shown.secondsFromGMT(for: date) })
        else { return nil }
        var names: [String] = []
        for zone in zones where !names.contains(zone.identifier) { names.append(zone.identifier) }
        return "times are local to the \(names.count == 1 ? "stop" : "stops"), in "
            + "\(names.joined(separator: " and ")); the session is in \(shown.identifier)"
    }
}
