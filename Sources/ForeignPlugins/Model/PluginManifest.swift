import Core
import Formats
import Foundation
import PluginKit

/// A plugin's plugin.json.
struct PluginManifest: Sendable {
    /// The file's name in a plugin's folder.
    static let file = "plugin.json"

    /// One lower-case word of letters, digits and dashes.
    let name: String
    /// Its version, such as `1.0`.
    let version: String
    /// The program with its arguments; it runs in the plugin's folder.
    let command: [String]
    /// Its purpose, in one line.
    let summary: String
    /// The timeout of a call.
    let callLimit: Duration
    /// The timeout in the manifest; `nil` if it has none.
    private let timeout: Duration?

    /// Reads the manifest in a folder. Throws `E-PLUGIN-MANIFEST` or `E-FILE-MISSING`.
    init(in folder: URL) throws {
        let url = folder.appendingPathComponent(Self.file)
        let shown = folder.lastPathComponent + "/" + Self.file
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw CommonErrors.fileMissing("no such file: \(shown)", fix: "plugin new NAME writes one")
        }
        guard let handle = try? FileHandle(forReadingFrom: url),
            let bytes = try? handle.read(upToCount: ForeignSettings.longestManifest + 1)
        else { throw CommonErrors.fileAccess("\(shown) cannot be read") }
        guard bytes.count <= ForeignSettings.longestManifest else {
            throw ForeignErrors.manifest("\(shown) has more than \(ForeignSettings.longestManifest) bytes")
        }
        do {
            self = try JSONTree.read(bytes) { try PluginManifest($0) }
        } catch let fault as JSONFault {
            throw fault.error(
                ForeignErrors.manifest, file: shown,
                fix:
                    "name, version, protocol and command are required; `plugin new NAME` writes a working folder"
            )
        }
    }

    private init(_ tree: JSONTree) throws(JSONFault) {
        name = try tree.read("name")
        guard Self.isName(name) else {
            throw JSONFault(
                "`name` is a lower-case word of letters, digits and dashes that starts with a letter")
        }
        version = try tree.read("version")
        summary = try tree.readIfPresent("summary") ?? ""
        let number: Int = try tree.read("protocol")
        guard number == ForeignSettings.protocolNumber else {
            throw JSONFault("`protocol` is \(number), the host supports \(ForeignSettings.protocolNumber)")
        }
        command = try tree.read("command")
        guard let program = command.first, !program.isEmpty else {
            throw JSONFault("`command` names no program")
        }
        guard ([version, summary] + command).allSatisfy({ TerminalText.withoutControls($0) == $0 }) else {
            throw JSONFault("a text contains control characters")
        }
        let seconds: Double? = try tree.readIfPresent("timeout")
        if let seconds, !(0.1...ForeignSettings.longestCall).contains(seconds) {
            throw JSONFault("`timeout` is between 0.1 and \(Int(ForeignSettings.longestCall)) seconds")
        }
        timeout = seconds.map { .milliseconds(Int($0 * 1000)) }
        callLimit = timeout ?? ForeignSettings.callLimit
    }

    /// The timeout for starting and declaring its commands.
    var startLimit: Duration { max(ForeignSettings.timeouts.start, timeout ?? .zero) }

    /// Whether a text can be a plugin's name.
    static func isName(_ text: String) -> Bool {
        text.count <= 40 && text.wholeMatch(of: /[a-z][a-z0-9-]*/) != nil
    }

    /// The program to start: one in the folder by its path.
    func program(in folder: URL) -> String {
        let own = folder.appendingPathComponent(command[0])
        // Also if it is not executable: the system then reports why, instead of searching PATH.
        return FileManager.default.fileExists(atPath: own.path) ? own.path : command[0]
    }

    /// The fix for a program that cannot be started.
    func startFix(in folder: URL) -> String {
        let path = program(in: folder)
        guard FileManager.default.fileExists(atPath: path),
            !FileManager.default.isExecutableFile(atPath: path)
        else { return "check `command` in \(folder.lastPathComponent)/\(Self.file)" }
        return "chmod +x \(Literal.text(path))"
    }
}
