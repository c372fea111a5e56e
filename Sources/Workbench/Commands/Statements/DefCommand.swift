import PluginKit

/// `def NAME [PARAMETERS] { … }`
struct DefCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "def" }

    var command: Command {
        Command(
            name, "define a command",
            details: """
                Parameters are written [name: type = default]; --name makes one an option, and an option without type a flag. \
                Types: any text number integer boolean length duration angle speed ratio frequency pace coordinate box date list \
                file field. In the body each is a variable. The pipe's value is the input of the body's first \
                command, and `$in`. The value is that of the last pipeline; variables set in the body are local to it. A \
                definition has help and completion, and can be replaced by another one.
                """,
            .positional("name", .text, "name: letters, digits and dashes"),
            .positional("parameters", .source, "parameters in [ ]"),
            .positional("body", .source, "pipelines in { }"),
            output: .nothing, effect: .pure,
            examples: [
                .init(
                    "with a default", "nearest 42.5,1.5",
                    after: [
                        "def nearest [place: coordinate, step: length = 1km] { destination($place, 0deg, $step) }"
                    ],
                    gives: "42.508991,1.5"),
                .init(
                    "with input from the pipe", "[3 1 2] | top 2",
                    after: ["def top [n: integer] { sort --descending | first $n }"], gives: "3\n2"),
            ],
            searchTerms: [
                "function", "procedure", "macro", "define", "script", "write my own command", "own command",
                "reuse commands",
            ]
        ) { _, name, parameters, body in
            let host = try session.get()
            let signature = try Signature(parameters)
            try await host.checkDefaults(of: signature.parameters)
            try await host.define(name, parameters: signature.parameters, body: body, session: session)
            return .nothing
        }
    }
}

/// `alias NAME = COMMAND …`
struct AliasCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "alias" }

    var command: Command {
        Command(
            name, "define a short name for a command and its first arguments",
            details:
                "Words after the alias are appended. `def` defines a command with parameters.",
            .positional("name", .text, "name: letters, digits and dashes"),
            .positional("equals", .choice([.init("=")]), "the sign ="),
            .positional("command", .source, "command and its first words"),
            output: .nothing, effect: .pure,
            examples: [
                .init("a short name", "[3 1 2] | top 1", after: ["alias top = first"], gives: "3")
            ],
            searchTerms: [
                "list of aliases", "my aliases", "own shortcut", "shorter", "shortcut", "abbreviation",
            ]
        ) { _, name, _, command in
            try await session.get().alias(name, to: command, session: session)
            return .nothing
        }
    }
}
