import PluginKit

/// `VALUE | copy`
struct CopyCommand: CommandProvider {
    let session: SessionHandle

    /// Bytes that terminals take at least; xterm's limit, the lowest, is 100,000 characters in base 64.
    private static let most = 74_994

    var name: String { "copy" }

    var command: Command {
        Command(
            name, "put a value on the terminal's clipboard",
            details: """
                Text is copied unchanged, rows with tabs between cells, as spreadsheets paste them, other values as they are shown. The \
                terminal does it (OSC 52), also over ssh; some ask, or have it turned off: in tmux, `set -g set-clipboard on`.
                """,
            input: .any, output: .value("text"), effect: .pure,
            examples: [
                .init(
                    "notebooks have no terminal", "expect-error E-FILE-ACCESS 'Hut' | copy",
                    gives: "there is no terminal with a clipboard")
            ],
            searchTerms: [
                "clipboard", "copy to clipboard", "paste", "copy the result", "osc 52", "pbcopy", "xclip",
            ]
        ) { input, context in
            guard let clipboard = try session.get().configuration.clipboard else {
                throw CommonErrors.fileAccess(
                    "there is no terminal with a clipboard", fix: "… | save FILE.tsv")
            }
            let text = try text(of: input, context)
            guard text.utf8.count <= Self.most else {
                throw CommonErrors.fileAccess(
                    "\(text.utf8.count) bytes are more than a terminal copies, \(Self.most)",
                    fix: "… | save FILE.tsv, or … | first 100 | copy")
            }
            clipboard(text)
            return .text("\(text.utf8.count, of: "byte") copied")
        }
    }

    /// What is copied: rows have line ends of the clipboard, not those of files.
    private func text(of input: Value, _ context: Context) throws -> String {
        if case .text(let text) = input { return text }
        let sink = TextSink()
        let format: DataFormat = input.asRows?.columns == nil ? .text : .tsv
        try format.writer(context.environment).write(input.tabulated, to: sink)
        return sink.text.replacing("\r\n", with: "\n")
    }
}
