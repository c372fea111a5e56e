import CCairo
import Core

/// Measures text with the installed fonts, for page layout.
public enum TextMetrics {
    /// The width of a line of text in points.
    public static func width(
        of string: String, size: Double, weight: TextWeight = .normal
    ) throws(PictureError) -> Double {
        let surface = try CairoSurface(width: 1, height: 1)
        guard let canvas = cairo_create(surface.pointer) else { throw .drawing("no canvas") }
        defer { cairo_destroy(canvas) }
        let shape = TextShape(string, at: ScenePoint(0, 0), size: size, weight: weight)
        guard let text = CairoText(shape, on: canvas) else { throw .drawing("no layout") }
        return text.width
    }

    /// The text broken into lines no wider than `width` points, at spaces where it can be, by the rules of the
    /// script. Line breaks of the text are kept.
    public static func lines(
        of string: String, size: Double, weight: TextWeight = .normal, width: Double
    ) throws(PictureError) -> [String] {
        let surface = try CairoSurface(width: 1, height: 1)
        guard let canvas = cairo_create(surface.pointer) else { throw .drawing("no canvas") }
        defer { cairo_destroy(canvas) }
        var lines: [String] = []
        // A shape is one line.
        for paragraph in string.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let shape = TextShape(String(paragraph), at: ScenePoint(0, 0), size: size, weight: weight)
            guard let text = CairoText(shape, on: canvas) else { throw .drawing("no layout") }
            pango_layout_set_width(text.layout, Int32(clamping: Int(max(1, width) * Double(PANGO_SCALE))))
            pango_layout_set_wrap(text.layout, PANGO_WRAP_WORD_CHAR)
            lines += Self.lines(of: text.layout)
        }
        return lines
    }

    /// The characters of a text that no installed font has, without repetition, in order. They are drawn as boxes.
    static func charactersWithoutGlyph(in string: String) throws(PictureError) -> [Character] {
        // Every font has these.
        if string.utf8.allSatisfy({ $0 < 127 }) { return [] }
        let surface = try CairoSurface(width: 1, height: 1)
        guard let canvas = cairo_create(surface.pointer) else { throw .drawing("no canvas") }
        defer { cairo_destroy(canvas) }
        func isMissing(_ text: String) -> Bool {
            let shape = TextShape(text, at: ScenePoint(0, 0))
            guard let words = CairoText(shape, on: canvas) else { return false }
            return pango_layout_get_unknown_glyphs_count(words.layout) > 0
        }
        guard isMissing(string) else { return [] }
        var seen: Set<Character> = []
        return string.filter { !$0.isASCII && seen.insert($0).inserted && isMissing(String($0)) }.map { $0 }
    }

    private static func lines(of layout: OpaquePointer) -> [String] {
        guard let start = pango_layout_get_text(layout) else { return [] }
        return (0..<pango_layout_get_line_count(layout)).compactMap { index in
            guard let line = pango_layout_get_line_readonly(layout, index)?.pointee else { return nil }
            let bytes = UnsafeRawBufferPointer(start: start + Int(line.start_index), count: Int(line.length))
            let words = String(decoding: bytes, as: UTF8.self)
            return String(words.trimmingSuffix(while: \.isWhitespace))
        }
    }
}
