import Geodesy
import Pictures
import PluginKit

/// The overlay as lines, fitted to a width: compact below 60 columns, else regular.
struct OverlayLines {
    let overlay: Overlay
    let environment: Environment

    /// Columns from which the regular form is used.
    static let regularWidth = 60
    /// The largest width of the regular form, columns.
    static let widest = 78
    private static let bold = "\u{1B}[1m"
    private static let red = "\u{1B}[1;31m"
    private static let plain = "\u{1B}[0m"

    var lines: [String] { environment.width < Self.regularWidth ? compact : regular }

    // MARK: Compact

    /// Two lines, and one more for the warning.
    private var compact: [String] {
        let width = max(1, environment.width)
        var lines = [
            style(
                Self.bold,
                fit([arrow, facts.distance, overlay.text].compactMap { $0 }.joined(separator: " "), width))
        ]
        let rest = "\(facts.percent) \(facts.remaining)"
        let bar = bar(width - DisplayWidth.of(rest) - 1)
        lines.append(fit(bar.isEmpty ? rest : bar + " " + rest, width))
        if let warning { lines.append(style(Self.red, fit(warning, width))) }
        return lines
    }

    // MARK: Regular

    private var regular: [String] {
        let inner = min(environment.width, Self.widest) - 4
        let first = [arrow, facts.distance].compactMap { $0 }.joined(separator: "  ")
        let bar = bar(inner - DisplayWidth.of(rest) - 2)
        var rows = [
            (first, Self.bold), (overlay.text, Self.bold), (bar + "  " + rest, ""),
        ]
        if let warning { rows.append((warning, Self.red)) }
        let frame = environment.unicode ? ("╭", "╮", "╰", "╯", "─", "│") : ("+", "+", "+", "+", "-", "|")
        let edge = String(repeating: frame.4, count: inner + 2)
        let body = rows.map { text, look in
            "\(frame.5) \(style(look, DisplayWidth.padded(fit(text, inner), to: inner))) \(frame.5)"
        }
        return [frame.0 + edge + frame.1] + body + [frame.2 + edge + frame.3]
    }

    // MARK: Parts

    /// The same for players that draw the overlay themselves.
    var panel: Playback.Panel {
        Playback.Panel(
            arrow: arrow, distance: facts.distance, text: overlay.text, facts: rest,
            progress: max(0, min(1, overlay.progress)), warning: warning)
    }

    private var rest: String { "\(facts.percent)  \(facts.remaining)  \(facts.time)" }
    private var arrow: String { OverlayGlyphs.arrow(overlay.direction, unicode: environment.unicode) }
    private var facts: OverlayFacts { overlay.facts(environment.units) }

    private var warning: String? {
        facts.warning.map { "\(environment.unicode ? "⚠" : "!") \($0)" }
    }

    private func bar(_ width: Int) -> String {
        guard width > 0 else { return "" }
        let done = Int((max(0, min(1, overlay.progress)) * Double(width)).rounded(.down))
        let (full, empty) = environment.unicode ? ("█", "░") : ("#", ".")
        return String(repeating: full, count: done) + String(repeating: empty, count: width - done)
    }

    private func fit(_ text: String, _ width: Int) -> String {
        DisplayWidth.truncated(text, to: width, mark: environment.unicode ? "…" : ".")
    }

    private func style(_ look: String, _ text: String) -> String {
        environment.color && !look.isEmpty ? look + text + Self.plain : text
    }
}

/// Arrows for directions.
enum OverlayGlyphs {
    private static let glyphs: [TurnDirection: (unicode: String, ascii: String)] = [
        .start: ("↑", "^"), .straight: ("↑", "^"), .slightLeft: ("↖", "^<"), .left: ("←", "<"),
        .sharpLeft: ("↙", "v<"), .slightRight: ("↗", "^>"), .right: ("→", ">"), .sharpRight: ("↘", "v>"),
        .uTurn: ("↓", "v"), .arrive: ("◎", "O"),
    ]

    /// The arrow of a direction; a dot for none.
    static func arrow(_ direction: TurnDirection?, unicode: Bool) -> String {
        guard let direction, let glyph = glyphs[direction] else { return unicode ? "·" : "." }
        return unicode ? glyph.unicode : glyph.ascii
    }
}
