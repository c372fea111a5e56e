import Core

/// The style of pictures in a terminal.
public struct TerminalStyle: Sendable, Hashable {
    /// Which characters are used.
    public enum Glyphs: String, Sendable, Hashable, CaseIterable {
        /// ASCII only; accents are removed, and other characters become `?`.
        case plain
        /// Braille, eight dots a cell, for lines, and Unicode symbols.
        case braille
    }

    /// Which escape sequences are used.
    public enum Colors: String, Sendable, Hashable, CaseIterable {
        /// None.
        case none
        /// The palette of 256 colours.
        case ansi256
        /// Colours as they are.
        case truecolor
    }

    /// A text as a terminal of this style shows it: nothing in it controls the terminal.
    func shown(_ text: String) -> String {
        let harmless = TerminalText.withoutControls(text)
        return glyphs == .plain ? PlainText.of(harmless) : harmless
    }

    /// The characters.
    public var glyphs: Glyphs
    /// The colours.
    public var colors: Colors

    /// Makes a style.
    public init(glyphs: Glyphs, colors: Colors = .none) {
        self.glyphs = glyphs
        self.colors = colors
    }

    /// The best style of a terminal of which only this is known.
    public init(isUnicode: Bool, isColored: Bool) {
        self.init(glyphs: isUnicode ? .braille : .plain, colors: isColored ? .ansi256 : .none)
    }

    /// ASCII without colour.
    public static let plain = TerminalStyle(glyphs: .plain)
    /// Braille without colour.
    public static let braille = TerminalStyle(glyphs: .braille)
}
