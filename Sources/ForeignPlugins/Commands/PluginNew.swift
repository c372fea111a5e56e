import Core
import Foundation
import PluginKit

/// `plugin new`
struct PluginNew: CommandProvider {
    var command: Command {
        Command(
            "plugin new", "write a new plugin with a test notebook",
            details: """
                Writes a folder of that name: plugin.json, a program with one command, its kit, and test.md. The kits are one \
                file each: rutter_plugin.py needs Python's standard library alone, RutterPlugin.swift Foundation; the Swift \
                plugin is built by its build.sh first. Read it, then `plugin trust`, `plugin load`, `plugin test`.
                """,
            .positional("name", .text, "lower-case word: letters, digits, dashes"),
            .option(
                "language", .choice(of: PluginTemplate.Language.self, \.summary), default: "python",
                "language of the program"),
            .option("in", .outputFile, "folder in which the plugin's folder is made"),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "a plugin in bash", "plugin new tides --language bash",
                    gives: "wrote tides: main.sh plugin.json test.md")
            ],
            searchTerms: ["template", "kit"]
        ) { context, name, language, parent in
            guard PluginManifest.isName(name) else {
                throw ForeignErrors.manifest(
                    "`\(name)` is not a lower-case word of letters, digits and dashes", at: .parameter("name")
                )
            }
            let home = try parent ?? context.files.output(".")
            let folder = home.appendingPathComponent(name, isDirectory: true)
            guard !FileManager.default.fileExists(atPath: folder.path) else {
                throw ForeignErrors.folder(
                    "\(name) exists", at: .parameter("name"), fix: "choose another name")
            }
            let files = PluginTemplate(name: name, language: language).files
            do {
                for file in files { try Self.write(file, in: folder) }
            } catch {
                FileManager.default.discard(folder)
                throw CommonErrors.fileAccess("\(name) cannot be written here")
            }
            context.journal.record("wrote the plugin \(name)") { FileManager.default.discard(folder) }
            return .text("wrote \(name): " + files.map(\.path).sorted().joined(separator: " "))
        }
    }

    private static func write(_ file: PluginTemplate.File, in folder: URL) throws {
        let url = folder.appendingPathComponent(file.path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try OutputFile.write(Data(file.text.utf8), to: url, force: false)
        if file.isProgram {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        }
    }
}
