import Foundation

/// How a session parses and prints values.
public struct Environment: Sendable {
    /// Columns of the terminal.
    public var width: Int
    /// Rows of the terminal.
    public var height: Int
    /// Whether colour may be used.
    public var color: Bool
    /// Whether characters beyond ASCII may be drawn.
    public var unicode: Bool
    /// Whether the session is interactive.
    public var isInteractive: Bool
    /// The zone in which times are parsed and printed.
    public var timeZone: TimeZone
    /// The units of lengths.
    public var units: UnitSystem
    /// How rows are laid out.
    public var view = View.table
    /// Whether output goes to a program or file: complete, and separated by tabs.
    public var isPipe = false
    /// Whether long results are shown page by page.
    public var usesPager = false
    /// How many rows a command keeps in memory.
    public var rowLimit = RowLimit.standard
    /// How the prompt shows pictures.
    public var pictures = PictureProtocol.text
    /// The colours of the prompt.
    public var theme = Theme.terminal
    /// Whether the prompt links the files that it names.
    public var linksFiles = false

    /// How a terminal is sent a picture.
    public enum PictureProtocol: String, Sendable, CaseIterable {
        /// Drawn with characters.
        case text
        /// The graphics protocol of kitty, which Ghostty, Konsole and WezTerm have too.
        case kitty
        /// The inline images of iTerm2, which mintty has too.
        case iterm
        /// Sixels, as of DEC's terminals.
        case sixel
    }

    /// The colours of the prompt.
    public enum Theme: String, Sendable, CaseIterable {
        /// The sixteen colours of the terminal's own theme.
        case terminal
        /// Dark colours for a light background.
        case light
        /// Light colours for a dark background.
        case dark
        /// Bold, underlined and dim, without colours.
        case mono
    }

    /// Layouts of rows.
    public enum View: String, Sendable, CaseIterable {
        /// A table as wide as the terminal; columns that do not fit are dropped and listed.
        case table
        /// Each row with its fields below each other.
        case record
        /// A table at its full width.
        case wide
    }

    /// The environment of a notebook: 80 columns, no colour, UTC, metric.
    public static let notebook = Environment(
        width: 80, height: 24, color: false, unicode: true, isInteractive: false, timeZone: .gmt,
        units: .metric)

    /// Columns at which messages are broken: those of the terminal of an interactive session. What is kept or read by a program is not
    /// broken.
    public var widthOfMessages: Int? { isInteractive && !isPipe ? width : nil }

    /// An environment.
    public init(
        width: Int, height: Int, color: Bool, unicode: Bool, isInteractive: Bool, timeZone: TimeZone,
        units: UnitSystem
    ) {
        self.width = width
        self.height = height
        self.color = color
        self.unicode = unicode
        self.isInteractive = isInteractive
        self.timeZone = timeZone
        self.units = units
    }
}
