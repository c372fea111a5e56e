import PluginKit

/// Finds commands that cannot accept the output of the command before them, before the pipeline runs:
/// otherwise a pipeline that must fail at its end could change something at its start.
enum PipelineTypes {
    /// Kinds of value that are never rows.
    private static let single: Set = ["text", "number", "boolean", "date", "coordinate"]

    /// Throws `E-INPUT-KIND` at the first command that would leave a value of the pipe unused, and `E-DATA-ROWS` at the first
    /// that needs rows and gets a single value.
    static func check(_ pipeline: Pipeline) throws(RutterError) {
        try checkUse(pipeline)
        for (call, next) in zip(pipeline.calls, pipeline.calls.dropFirst()) {
            guard case .value(let kind) = call.command.spec.output, single.contains(kind),
                needsRows(next.command.spec.input)
            else { continue }
            throw DataErrors.notRows(
                "`\(next.command.spec.name)` needs rows; `\(call.command.spec.name)` returns a \(kind)",
                at: .span(next.nameSpan), fix: "nothing was run; remove `\(next.command.spec.name)`")
        }
    }

    private static func checkUse(_ pipeline: Pipeline) throws(RutterError) {
        var isGiven = pipeline.head != nil
        for call in pipeline.calls {
            // `… | first --help` asks for help of a command of the pipe.
            let isAsked = call.command.spec.name == "help" && !call.positionals.isEmpty
            if isGiven, !isAsked, case .nothing = call.command.spec.input {
                throw CommonErrors.inputKind(
                    "`\(call.command.spec.name)` takes nothing from the pipe", at: .span(call.nameSpan),
                    fix: "nothing was run; " + instead(call.command.spec))
            }
            if case .nothing = call.command.spec.output { isGiven = false } else { isGiven = true }
        }
    }

    /// Where the value of the pipe belongs.
    private static func instead(_ spec: CommandSpec) -> String {
        switch spec.positionals.first?.kind {
        case .reference: "what it works on stands behind it: `\(spec.name) (…)`"
        case .inputFile, .inputPath: "it reads a file: write the value to one with `export` or `save` first"
        default: "write it by itself, after a `;`"
        }
    }

    private static func needsRows(_ shape: CommandSpec.Shape) -> Bool {
        switch shape {
        case .rows, .sameRows: true
        case .optional(let inner): needsRows(inner)
        case .nothing, .any, .value: false
        }
    }
}
