import Foundation
import Pictures

/// Fills pages from the top, and continues on the next page.
struct PageFlow {
    /// The text size of plain lines, in points.
    static let textSize = 9.5
    /// The height of a plain line.
    static let lineHeight = 13.5
    static let ink = Color(0x1F2933)
    static let faint = Color(0x667180)
    static let rule = Color(0xD5DAE1)
    static let accent = Color(0xD9480F)
    static let panel = Color(0xF5F7F9)
    /// Height of the footer.
    private static let footer = 26.0

    /// The left edge of the text.
    static let left = ReportSettings.margin
    /// The width of the text.
    static let width = ReportSettings.pageWidth - 2 * ReportSettings.margin
    /// The right edge of the text.
    static let right = left + width
    /// The bottom of the text.
    static let bottom = ReportSettings.pageHeight - ReportSettings.margin - footer

    private(set) var pages: [Scene] = []
    /// Vertical position of the next element.
    private(set) var y = ReportSettings.margin
    /// The titles in the footers of the pages.
    private var titles: [String] = []
    private var title = ""

    /// Starts a part of the document: its title is in the footer of the following pages.
    mutating func begin(_ title: String) { self.title = title }

    /// Starts a page.
    mutating func newPage() {
        let size = SceneSize(width: ReportSettings.pageWidth, height: ReportSettings.pageHeight)
        pages.append(Scene(size: size, background: .white, title: title))
        titles.append(title)
        y = ReportSettings.margin
    }

    /// Starts a page unless this height is left on the current one. Returns whether it did.
    @discardableResult
    mutating func need(_ height: Double) -> Bool {
        if !pages.isEmpty, y + height <= Self.bottom { return false }
        newPage()
        return true
    }

    /// Moves down.
    mutating func skip(_ height: Double) { y += height }

    /// Draws on the current page.
    mutating func draw(_ shape: SceneShape) {
        if pages.isEmpty { newPage() }
        pages[pages.count - 1].add(shape)
    }

    /// Draws a line of text with its baseline at `y`.
    mutating func write(
        _ string: String, x: Double = left, at y: Double, size: Double = textSize, color: Color = ink,
        weight: TextWeight = .normal, anchor: TextAnchor = .start
    ) {
        draw(
            .text(
                TextShape(
                    string, at: ScenePoint(x, y), size: size, anchor: anchor, color: color, weight: weight)))
    }

    /// A thin line between rows.
    mutating func rule() {
        draw(.polyline([ScenePoint(Self.left, y), ScenePoint(Self.right, y)], Stroke(Self.rule, width: 0.5)))
    }

    /// A heading with a line below.
    mutating func heading(_ words: String) {
        need(60)
        write(words, at: y + 15, size: 15, weight: .bold)
        draw(
            .polyline(
                [ScenePoint(Self.left, y + 23), ScenePoint(Self.right, y + 23)], Stroke(Self.rule, width: 1)))
        skip(35)
    }

    /// Text of any length, broken into lines and pages.
    mutating func paragraphs(_ text: String, x: Double = left, width: Double = width, color: Color = ink)
        throws
    {
        for line in try TextMetrics.lines(of: text, size: Self.textSize, width: width) {
            need(Self.lineHeight)
            if !line.isEmpty { write(line, x: x, at: y + Self.textSize, color: color) }
            skip(Self.lineHeight)
        }
    }

    /// Writes title and page number in the footer of each page.
    mutating func finish() throws {
        let y = ReportSettings.pageHeight - ReportSettings.margin
        let names = try Dictionary(
            uniqueKeysWithValues: Set(titles).map {
                ($0, try Fitting.cut($0, size: 8, width: Self.width - 90))
            })
        for index in pages.indices {
            pages[index].add(
                .polyline(
                    [ScenePoint(Self.left, y - 13), ScenePoint(Self.right, y - 13)],
                    Stroke(Self.rule, width: 0.7)))
            pages[index].add(
                .text(
                    TextShape(
                        names[titles[index]] ?? "", at: ScenePoint(Self.left, y), size: 8, color: Self.faint))
            )
            pages[index].add(
                .text(
                    TextShape(
                        "Page \(index + 1) of \(pages.count)", at: ScenePoint(Self.right, y), size: 8,
                        anchor: .end,
                        color: Self.faint)))
        }
    }
}

/// Fits texts into a width.
enum Fitting {
    /// A text on one line of at most this width in points; a longer one ends with an ellipsis.
    static func cut(
        _ string: String, size: Double, weight: TextWeight = .normal, width: Double
    ) throws -> String {
        let line = string.inOneLine
        // No letter is wider than twice its size.
        let bounded = line.prefix(Int(width / size * 20) + 16)
        if bounded.count == line.count,
            try TextMetrics.width(of: line, size: size, weight: weight) <= width
        {
            return line
        }
        var (low, high) = (0, bounded.count)
        while low < high {
            let middle = (low + high + 1) / 2
            let isFitting =
                try TextMetrics.width(of: String(bounded.prefix(middle)) + "…", size: size, weight: weight)
                <= width
            if isFitting { low = middle } else { high = middle - 1 }
        }
        return String(bounded.prefix(low).trimmingCharacters(in: .whitespaces)) + "…"
    }

    /// The first lines of a text; the last one ends with an ellipsis if text was cut off.
    static func lines(_ string: String, size: Double, width: Double, most: Int) throws -> [String] {
        let text = string.inOneLine.prefix(4_000)
        let all = try TextMetrics.lines(of: String(text), size: size, width: width)
        guard all.count > most else { return all }
        let last = try cut(all[most - 1] + " " + all[most], size: size, width: width)
        return Array(all.prefix(most - 1)) + [last.hasSuffix("…") ? last : last + "…"]
    }
}
