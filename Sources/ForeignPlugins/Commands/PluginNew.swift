import Core
import Foundation
import PluginKit

/// `plugin new`
struct PluginNew: CommandProvider {
    var name: String { "plugin new" }

    var command: Command {
        Command(
            name, "write a new plugin with a test notebook",
            details: """
                Writes a folder of that name with plugin.json, a program with one command, and its kit, and beside it NAME.md, a \
                notebook that tests it. The kits are one \
                file each: rutter_plugin.py requires only Python's standard library, RutterPlugin.swift only Foundation; the Swift \
                plugin must first be built with its build.sh. Read it, then `plugin trust`, `plugin load`, `plugin test`.
                """,
            .positional("name", .text, "lower-case word: letters, digits, dashes"),
            .option(
                "language", .choice(of: PluginTemplate.Language.self, \.summary), default: "python",
                "language of the program"),
            .option("in", .outputFile, "folder in which the plugin's folder is created"),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "a plugin in bash", "plugin new tides --language bash",
                    gives: "wrote tides: main.sh plugin.json; tides.md")
            ],
            searchTerms: ["template", "kit", "write a plugin", "extend"]
        ) { context, name, language, parent in
            guard PluginManifest.isName(name) else {
                throw ForeignErrors.manifest(
                    "`\(name)` is not a lower-case word of letters, digits and dashes", at: .parameter("name")
                )
            }
            let home = try parent ?? context.files.output(".")
            let folder = home.appendingPathComponent(name, isDirectory: true)
            let template = PluginTemplate(name: name, language: language)
            let page = home.appendingPathComponent(template.notebook.path)
            for made in [folder, page] where FileManager.default.fileExists(atPath: made.path) {
                throw ForeignErrors.folder(
                    "\(made.lastPathComponent) already exists", at: .parameter("name"),
                    fix: "choose another name")
            }
            let discard: @Sendable () -> Void = {
                FileManager.default.discard(folder)
                FileManager.default.discard(page)
            }
            do {
                for file in template.files { try Self.write(file, in: folder) }
                try Self.write(template.notebook, in: home)
            } catch {
                discard()
                throw CommonErrors.fileAccess("\(name) cannot be written here")
            }
            context.journal.record("wrote the plugin \(name)", revert: discard)
            let names = template.files.map(\.path).sorted().joined(separator: " ")
            return .text("wrote \(name): \(names); \(template.notebook.path)")
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
