import PluginKit
import Workbench

extension PluginKit.Environment.Theme {
    /// The style of the prompt as SGR parameters.
    var promptStyle: String {
        switch self {
        case .terminal: "1;36"
        case .light: "1;38;5;24"
        case .dark: "1;38;5;116"
        case .mono: "1"
        }
    }

    /// The style of a word of an entry as SGR parameters. Those of `light` and `dark` have a contrast of at least 4.5 to white and to
    /// black.
    func style(_ kind: Highlighter.Kind) -> String {
        switch self {
        case .terminal: Self.sixteen(kind)
        case .light: Self.onLight(kind)
        case .dark: Self.onDark(kind)
        case .mono: Self.plain(kind)
        }
    }

    private static func sixteen(_ kind: Highlighter.Kind) -> String {
        switch kind {
        case .command: "1"
        case .unknownCommand: "31"
        case .keyword: "35"
        case .option, .function: "36"
        case .variable, .reference: "33"
        case .number: "34"
        case .text: "32"
        case .comment: "2"
        }
    }

    private static func onLight(_ kind: Highlighter.Kind) -> String {
        switch kind {
        case .command: "1"
        case .unknownCommand: "38;5;124"
        case .keyword: "38;5;90"
        case .option, .function: "38;5;24"
        case .variable, .reference: "38;5;94"
        case .number: "38;5;19"
        case .text: "38;5;22"
        case .comment: "38;5;240"
        }
    }

    private static func onDark(_ kind: Highlighter.Kind) -> String {
        switch kind {
        case .command: "1"
        case .unknownCommand: "38;5;210"
        case .keyword: "38;5;183"
        case .option, .function: "38;5;116"
        case .variable, .reference: "38;5;222"
        case .number: "38;5;111"
        case .text: "38;5;150"
        case .comment: "38;5;248"
        }
    }

    private static func plain(_ kind: Highlighter.Kind) -> String {
        switch kind {
        case .command, .keyword: "1"
        case .unknownCommand: "4"
        case .comment: "2"
        case .option, .function, .variable, .reference, .number, .text: "0"
        }
    }
}
