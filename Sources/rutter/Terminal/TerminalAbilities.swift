import Foundation
import PluginKit

/// What the terminal can show, by the variables that terminals set: asking the terminal itself would delay the start, and its answer could
/// be taken for typed text.
struct TerminalAbilities {
    let pictures: PluginKit.Environment.PictureProtocol
    let showsLinks: Bool

    init(_ environment: [String: String]) {
        let term = environment["TERM"] ?? ""
        let program = environment["TERM_PROGRAM"] ?? environment["LC_TERMINAL"] ?? ""
        // A multiplexer keeps the variables of the terminal that it was started in, and passes neither on by itself.
        let isNested =
            environment["TMUX"] != nil || environment["STY"] != nil || environment["ZELLIJ"] != nil
            || ["screen", "tmux"].contains { term.hasPrefix($0) }
        guard !isNested, term != "dumb", !term.isEmpty else {
            (pictures, showsLinks) = (.text, false)
            return
        }
        pictures = Self.pictures(term, program, environment)
        let linkVersion = Int(environment["VTE_VERSION"] ?? "") ?? 0
        showsLinks =
            pictures != .text || linkVersion >= Self.linksOfVTE || environment["WT_SESSION"] != nil
            || ["vscode", "Hyper", "WarpTerminal"].contains(program) || environment["KONSOLE_VERSION"] != nil
            || term == "alacritty"
    }

    /// From version 0.50 of VTE, on which the terminals of GNOME and XFCE are based.
    private static let linksOfVTE = 5000
    /// From version 22.04 of Konsole.
    private static let picturesOfKonsole = 220_400

    private static func pictures(
        _ term: String, _ program: String, _ environment: [String: String]
    ) -> PluginKit.Environment.PictureProtocol {
        if ["xterm-kitty", "xterm-ghostty"].contains(term) || environment["KITTY_WINDOW_ID"] != nil {
            return .kitty
        }
        if ["WezTerm", "ghostty"].contains(program) { return .kitty }
        if (Int(environment["KONSOLE_VERSION"] ?? "") ?? 0) >= picturesOfKonsole { return .kitty }
        if ["iTerm.app", "iTerm2", "mintty"].contains(program) { return .iterm }
        if term.hasPrefix("foot") || term.hasPrefix("mlterm") || term.contains("sixel")
            || program == "contour"
        {
            return .sixel
        }
        return .text
    }
}
