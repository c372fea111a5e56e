import Core
import Foundation
import PluginKit

/// A plugin's folder with its manifest and, where it is trusted, the hash of its files at that time.
struct FoundPlugin: Sendable {
    /// The folder, without links in its path.
    let folder: URL
    /// What plugin.json says.
    let manifest: PluginManifest
    /// The hash of its files when it was trusted; `nil` where it is not.
    let trusted: String?

    var name: String { manifest.name }

    /// Throws `E-PLUGIN-UNTRUSTED` unless the files are those that were trusted.
    func checkTrust() throws {
        let fix = "read its files, then: plugin trust \(Literal.text(folder.path))"
        guard let trusted else {
            throw ForeignErrors.untrusted(
                "the plugin `\(name)` is not trusted", at: .parameter("plugin"), fix: fix)
        }
        guard try FilesDigest.of(folder).hash == trusted else {
            throw ForeignErrors.untrusted(
                "files of the plugin `\(name)` changed since it was trusted", at: .parameter("plugin"),
                fix: fix)
        }
    }

    // MARK: Errors that name it

    func nonsense(_ what: String) -> RutterError {
        ForeignErrors.answer(
            "the plugin `\(name)` answered nonsense: \(TerminalText.withoutControls(String(what.prefix(300))))",
            fix: "plugin test \(Literal.text(folder.path))")
    }

    func flood(_ what: String) -> RutterError { ForeignErrors.flood("the plugin `\(name)` wrote \(what)") }

    /// The plugin's own error. A code that does not begin with its name is not shown as one.
    func error(_ refusal: PluginMessage.Refusal) -> RutterError {
        func shown(_ text: String) -> String {
            TerminalText.withoutControls(String(text.prefix(ForeignSettings.longestMessage)))
        }
        let prefix = PluginDeclaration.codePrefix(of: name)
        var kind = ForeignErrors.failed
        if let code = refusal.code, PluginDeclaration.isCode(code, prefix: prefix) {
            kind = ErrorKind(
                code, "error of the plugin \(name)", explanation: "The plugin `\(name)` explains it.")
        }
        return kind(
            shown(refusal.message), at: refusal.argument.map { .parameter($0) } ?? .none,
            fix: refusal.fix.map(shown))
    }
}
