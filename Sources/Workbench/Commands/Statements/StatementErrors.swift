import PluginKit

/// Kinds of error of definitions, scripts and statements.
enum StatementErrors {
    static let definition = ErrorKind(
        "E-DEF", "invalid definition",
        explanation: """
            def NAME [PARAMETERS] { PIPELINES } defines a command. A parameter is a name, optionally its type and default: \
            radius: length = 2km; --radius makes it an option. Types: any text number integer boolean length duration angle \
            speed ratio frequency pace coordinate box date list file field.
            """)
    static let taken = ErrorKind(
        "E-DEF-TAKEN", "the name is already a command",
        explanation: """
            A definition or alias cannot replace a command of the workbench or of a plugin. Your own definitions can be \
            replaced.
            """)
    static let recursion = ErrorKind(
        "E-DEF-DEPTH", "definitions call each other too deeply",
        explanation: "Definitions, aliases and files call each other at most 64 deep.")
    static let arguments = ErrorKind(
        "E-SCRIPT-ARGS", "wrong arguments of a script",
        explanation: """
            `args [name: type = default]` in a script declares its arguments; they follow the file: rutter run FILE ARG… or \
            source FILE ARG….
            """)

    static let all = [definition, taken, recursion, arguments]
}
