import Core
import Formats
import Foundation
import PluginKit

/// A plugin's folder with its manifest and, if trusted, the hash of its files at that time.
struct FoundPlugin: Sendable {
    /// The folder, without links in its path.
    let folder: URL
    /// The manifest.
    let manifest: PluginManifest
    /// The hash of its files when it was trusted; `nil` if untrusted.
    let trusted: String?
    /// The hash of each of these files, by its path, if stored.
    var files: [String: String] = [:]

    var name: String { manifest.name }

    /// Throws `E-PLUGIN-UNTRUSTED` unless the files are those that were trusted.
    func checkTrust() throws { try checkTrust(FilesDigest.of(folder)) }

    /// A private copy of the trusted files. The copy is what is checked and what runs: the folder may change in between.
    func verifiedCopy() throws -> URL {
        guard trusted != nil else {
            try checkTrust()
            return folder
        }
        let template = FileManager.default.temporaryDirectory.path + "/\(Self.copyPrefix(of: folder))XXXXXX"
        var name = Array(template.utf8CString)
        guard mkdtemp(&name) != nil else {
            throw CommonErrors.fileAccess(
                "no folder for temporary files can be made: \(String(cString: strerror(errno)))")
        }
        let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let copy = URL(fileURLWithPath: path, isDirectory: true)
        do {
            try FilesDigest.copy(folder, to: copy)
            try checkTrust(FilesDigest.of(copy))
        } catch {
            FileManager.default.discard(copy)
            throw error
        }
        return copy
    }

    /// What the names of copies of a folder begin with.
    static func copyPrefix(of folder: URL) -> String {
        "rutter-plugin-\(String(FNV1a.hash(folder.path.utf8), radix: 16))-"
    }

    private func checkTrust(_ found: @autoclosure () throws -> FilesDigest) throws {
        let fix = "read its files, then: plugin trust \(Literal.text(folder.path))"
        guard let trusted else {
            throw ForeignErrors.untrusted(
                "the plugin `\(name)` is not trusted", at: .parameter("plugin"), fix: fix)
        }
        let digest = try found()
        guard digest.hash == trusted else {
            let changes = files.isEmpty ? "" : ": " + digest.changes(since: files)
            throw ForeignErrors.untrusted(
                "files of the plugin `\(name)` changed since it was trusted\(changes)",
                at: .parameter("plugin"), fix: fix)
        }
    }

    // MARK: Errors

    func nonsense(_ what: String) -> RutterError {
        ForeignErrors.answer(
            "the plugin `\(name)` violated the protocol: \(TerminalText.withoutControls(String(what.prefix(300))))",
            fix: "plugin test \(Literal.text(folder.path))")
    }

    /// A line of its standard output that is not a message.
    func noMessage(_ line: [UInt8], _ fault: JSONFault) -> RutterError {
        let text = String(decoding: line.prefix(200), as: UTF8.self)
        return ForeignErrors.answer(
            "the plugin `\(name)` wrote a line that is not a message: "
                + "`\(TerminalText.withoutControls(String(text.prefix(80))))` (\(fault.explanation))",
            fix: "write only messages to standard output, one per line; print other text to standard error"
        )
    }

    func flood(_ what: String) -> RutterError {
        ForeignErrors.flood(
            "the plugin `\(name)` wrote \(what)", fix: "plugin test \(Literal.text(folder.path))")
    }

    /// The plugin's own error, or an error that it received from the session in this call and passes on.
    /// Other codes are replaced.
    func error(_ refusal: PluginMessage.Refusal, of known: [ErrorKind] = []) -> RutterError {
        func shown(_ text: String) -> String {
            TerminalText.withoutControls(String(text.prefix(ForeignSettings.longestMessage)))
        }
        let prefix = PluginDeclaration.codePrefix(of: name)
        var kind = ForeignErrors.failed
        if let code = refusal.code, PluginDeclaration.isCode(code, prefix: prefix) {
            kind = ErrorKind(
                code, "error of the plugin \(name)", explanation: "The plugin `\(name)` explains it.")
        } else if let passed = known.first(where: { $0.code == refusal.code }) {
            kind = passed
        }
        return kind(
            shown(refusal.message), at: refusal.place,
            fix: refusal.fix.map(shown))
    }
}
