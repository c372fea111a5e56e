import Foundation
import PluginKit

/// `config path`
struct ConfigPathCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "config path" }

    var command: Command {
        Command(
            name, "show where the start-up file is",
            details: """
                The prompt runs the entries of this file when it starts: settings, aliases and functions of your own. Entries of \
                `-c`, scripts and notebooks do not, so that they give the same everywhere; `rutter --config -c ENTRY` does.
                """,
            output: .value("text"), effect: .pure,
            examples: [
                .init(
                    "notebooks have none", "expect-error E-FILE-MISSING config path", gives: StartFile.none
                )
            ], searchTerms: ["configuration", "rc file", "startup", "start-up file", "profile", "dotfile"]
        ) { _ in .text(try await StartFile(of: session.get()).url.path) }
    }
}

/// `config show`
struct ConfigShowCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "config show" }

    var command: Command {
        Command(
            name, "show the start-up file",
            details: "`set NAME VALUE --save` adds a setting to it, `config edit` opens it in an editor.",
            output: .value("text"), effect: .pure,
            examples: [
                .init(
                    "notebooks have none", "expect-error E-FILE-MISSING config show", gives: StartFile.none
                )
            ], searchTerms: ["configuration", "startup", "aliases", "print configuration"]
        ) { _ in
            let file = try await StartFile(of: session.get())
            let text = try file.text
            return .text(
                text.isEmpty
                    ? "\(file.url.path) is empty; `set NAME VALUE --save` or `config edit` fills it"
                    : text.trimmingCharacters(in: .newlines))
        }
    }
}

/// `config edit`
struct ConfigEditCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "config edit" }

    var command: Command {
        Command(
            name, "edit the start-up file, and run it",
            details: """
                Opens the file in $VISUAL, $EDITOR or vi. Afterwards its entries run in this session, so that they hold at once; an \
                error is shown with its line.
                """,
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "notebooks have none", "expect-error E-FILE-MISSING config edit", gives: StartFile.none
                )
            ],
            searchTerms: [
                "start-up commands", "startup file", "commands at the start", "configuration", "editor",
                "startup", "change the start-up file",
            ]
        ) { context in
            let session = try session.get()
            let file = try await StartFile(of: session)
            guard let shell = session.configuration.shell else {
                throw CommonErrors.fileAccess(
                    "there is no terminal for an editor", fix: "`config path` says which file to edit")
            }
            if try file.text.isEmpty { try file.write("# Entries that the prompt runs at its start.\n") }
            let status = await shell(ShellLine.editing(file.url))
            guard status == 0 else {
                throw CommonErrors.fileAccess(
                    "the editor ended with \(status); set $EDITOR to one that exists")
            }
            try await session.source(file.url, arguments: [])
            return .text("\(file.url.lastPathComponent) runs at each start of the prompt, and has run now")
        }.changingCommands
    }
}

extension StartFile {
    /// What is said where there is none.
    fileprivate static let none = "this session has no start-up file"
}
