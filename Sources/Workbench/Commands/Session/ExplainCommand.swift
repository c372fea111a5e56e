import PluginKit

/// `explain [CODE]`
struct ExplainCommand: CommandProvider {
    let session: SessionHandle
    private static let columns = ["code", "meaning"]

    var name: String { "explain" }

    var command: Command {
        Command(
            name, "explain an error code, or list all",
            .optional("code", .text, "error code; without it, all are listed").completing(.errorCodes),
            output: .value("text, or rows"), effect: .pure,
            examples: [
                .init("an error", "explain E-UNIT-DIMENSION"),
                .init(
                    "the number of errors about units", "explain | where code =~ '^E-UNIT' | count",
                    gives: "2"),
            ],
            searchTerms: [
                "help with an error", "what went wrong", "error code", "error message",
                "what does this error mean", "why did it fail", "message means",
            ]
        ) { context, code in
            let kinds = try await session.get().errorKinds
            guard let code else {
                return .table(columns: Self.columns, cells: kinds.map { [.text($0.code), .text($0.title)] })
            }
            guard let kind = kinds.first(where: { $0.code == code.uppercased() }) else {
                throw SessionErrors.notExplained(
                    "unknown error code `\(code)`", at: .parameter("code"),
                    suggestion: Suggestion.nearest(to: code, in: kinds.map(\.code)))
            }
            func text(_ width: Int) -> String {
                "\(kind.code): \(kind.title)\n\n" + TextWrap.wrapped(kind.explanation, to: width)
            }
            let shown = text(context.environment.width)
            let host = try session.get()
            await host.record(shown, as: text(host.recordedEnvironment.width))
            return .text(shown)
        }
    }
}
