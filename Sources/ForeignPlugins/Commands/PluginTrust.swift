import Core
import Formats
import Foundation
import PluginKit

/// `plugin trust`
struct PluginTrust: CommandProvider {
    let host: ForeignHost

    var name: String { "plugin trust" }

    var command: Command {
        Command(
            name, "allow a plugin to run",
            details: """
                A plugin runs with your permissions: read it first. Trust applies to the current files, by their SHA-256; after a \
                change, the plugin must be trusted again. The plugin is started once, to declare its commands.
                """,
            .foreignPlugin, .flag("revoke", "stop it and revoke its trust"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "a new plugin", "plugin trust tides | get commands", after: ["plugin new tides"],
                    gives: "1")
            ], searchTerms: ["allow a plugin", "permission", "security", "plugin does not run"]
        ) { context, name, revoke in
            try ForeignHost.checkAllowed(context)
            let plugin = try host.resolve(name, context)
            guard let register = try host.registers().first else { return .nothing }
            if revoke {
                try register.remove(folder: plugin.folder.path, hash: plugin.trusted)
                try await host.forget(plugin)
                return .record(Record([("plugin", .text(plugin.name)), ("trusted", .boolean(false))]))
            }
            let digest = try FilesDigest.of(plugin.folder)
            let trusted = FoundPlugin(folder: plugin.folder, manifest: plugin.manifest, trusted: digest.hash)
            let connection = PluginConnection(trusted, greeting: ForeignHost.greeting(context))
            let answer: JSONTree
            do {
                answer = try await connection.initialize()
            } catch {
                await connection.shutDown()
                throw error
            }
            await connection.shutDown()
            let declaration = try host.read(answer, of: trusted)
            try await declaration.checkDefaults(of: trusted, context)
            try register.add(
                .init(
                    folder: plugin.folder.path, hash: digest.hash, declaration: answer, files: digest.files))
            return .record(
                Record([
                    ("plugin", .text(plugin.name)), ("version", .text(plugin.manifest.version)),
                    ("commands", .integer(declaration.commands.count)),
                    ("files", .integer(digest.files.count)),
                    ("sha256", .text(digest.hash)),
                ]))
        }.changingCommands
    }
}
