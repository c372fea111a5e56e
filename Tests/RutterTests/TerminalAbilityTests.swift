import Foundation
import PluginKit
import Testing
import Workbench

@testable import rutter

/// What a terminal can, by the variables that it sets.
struct TerminalAbilityTests {
    @Test(
        arguments: [
            (["TERM": "xterm-kitty"], PluginKit.Environment.PictureProtocol.kitty),
            (["TERM": "xterm-256color"], .text),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .kitty),
            (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], .iterm),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "mintty"], .iterm), (["TERM": "foot"], .sixel),
            (["TERM": "xterm-256color", "KONSOLE_VERSION": "220401"], .kitty),
            (["TERM": "xterm-256color", "KONSOLE_VERSION": "210401"], .text),
            (["TERM": "tmux-256color", "TERM_PROGRAM": "WezTerm"], .text),
            (["TERM": "xterm-kitty", "TMUX": "/tmp/tmux"], .text),
            (["TERM": "dumb", "TERM_PROGRAM": "WezTerm"], .text),
            ([:], .text),
        ] as [([String: String], PluginKit.Environment.PictureProtocol)])
    func pictures(_ environment: [String: String], _ expected: PluginKit.Environment.PictureProtocol) {
        #expect(TerminalAbilities(environment).pictures == expected)
    }

    @Test(
        arguments: [
            (["TERM": "xterm-256color", "VTE_VERSION": "7200"], true),
            (["TERM": "xterm-256color", "VTE_VERSION": "4402"], false), (["TERM": "xterm-kitty"], true),
            (["TERM": "screen", "VTE_VERSION": "7200"], false), (["TERM": "linux"], false),
        ] as [([String: String], Bool)])
    func links(_ environment: [String: String], _ expected: Bool) {
        #expect(TerminalAbilities(environment).showsLinks == expected)
    }

    /// Only files that exist are links, with their names as they are shown.
    @Test func filesThatWereWrittenAreLinks() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("links \(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: folder.appendingPathComponent("my way.svg"))
        let links = FileLinks(folder: folder.path)
        let text = try #require(links.linked("map written to my way.svg; small\n2 bytes written to none.csv"))
        #expect(text.contains("]8;;file://"))
        #expect(text.contains("links%20\(getpid())/my%20way.svg\u{1B}\\my way.svg\u{1B}]8;;\u{1B}\\; small"))
        #expect(text.hasSuffix("2 bytes written to none.csv"))
        #expect(links.linked("written to none.csv") == nil)
        #expect(links.linked("nothing") == nil)
    }

    /// `mono` is bold, underlined and dim alone, for each kind of word.
    @Test(arguments: Highlighter.Kind.allCases) func monoHasNoColour(_ kind: Highlighter.Kind) {
        #expect(["0", "1", "2", "4"].contains(PluginKit.Environment.Theme.mono.style(kind)))
    }

    @Test func lightAndDarkDiffer() {
        #expect(
            PluginKit.Environment.Theme.light.style(.number)
                != PluginKit.Environment.Theme.dark.style(.number))
    }
}
