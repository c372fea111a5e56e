import Foundation
import PluginKit

/// `source FILE [ARG…]`
struct SourceCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "source" }

    var command: Command {
        Command(
            name, "run the entries of a file in this session",
            details: """
                Definitions and variables of the file remain defined. Stops at the first error and reports file, line and column. \
                Words after the file are its arguments, declared in it by `args`.
                """,
            .positional("file", .inputFile, "file of entries"),
            .rest("arguments", .text, "arguments of the script"),
            output: .nothing, effect: .changes,
            examples: [
                .init(
                    "a file", "source twice.rut; $n * 2",
                    after: ["'let n = 21' | save twice.rut"], gives: "42")
            ], searchTerms: ["run a file", "comment", "script", "include", "load", "run"]
        ) { _, file, arguments in
            try await session.get().source(file, arguments: arguments)
            return .nothing
        }.changingCommands
    }
}

/// `args [PARAMETERS]`
struct ArgsCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "args" }

    var command: Command {
        Command(
            name, "declare the arguments of a script",
            details: """
                At the beginning of a script; each parameter becomes a variable. Parameters are written as those of `def`. \
                Without arguments, the defaults apply.
                """,
            .positional("parameters", .source, "parameters in [ ]"),
            output: .nothing, effect: .pure,
            examples: [.init("a default", "args [radius: length = 2km]; $radius", gives: "2km")],
            searchTerms: ["parameters", "script", "arguments"]
        ) { _, parameters in
            let signature = try Signature(parameters)
            try await session.get().checkDefaults(of: signature.parameters)
            try await session.get().bindScriptArguments(to: signature.parameters)
            return .nothing
        }
    }
}
