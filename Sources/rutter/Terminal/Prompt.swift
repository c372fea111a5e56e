import Foundation
import LineEditing
import Notebooks
import PluginKit
import Workbench

/// The prompt: reads entries with the line editor and runs them until the user leaves.
struct Prompt {
    let session: Session
    let runner: EntryRunner
    let historyFile: URL
    /// Colours the input; recreated for each entry, because entries can define commands.
    private let highlighter = Box<Highlighter>()

    init(session: Session, runner: EntryRunner, historyFile: URL) {
        (self.session, self.runner, self.historyFile) = (session, runner, historyFile)
    }

    /// Interval at which plugins are polled for notifications while the prompt waits.
    private static let pollInterval = Duration.milliseconds(300)

    /// Returns the exit status.
    func run() async throws -> Int32 {
        let editor = try makeEditor()
        let monitor = try InterruptMonitor { [runner] in
            if runner.stop() { editor.discardPendingInput() }
        }
        let ends = try EndSignals(runner)
        defer {
            ends.stop()
            monitor.stop()
            editor.close()
        }
        Output.print("Rutter. Type `help` for help; Tab completes, Ctrl-D quits.")
        if let problem = editor.historyProblem { Output.print("history is not saved: \(problem)") }
        await StartFileRun(session: session).run()
        while true {
            highlighter.fill(Highlighter(commands: await session.registry.names))
            editor.setPrompt(await session.promptContext.map { "[\($0)] rutter> " } ?? "rutter> ")
            switch await nextLine(editor) {
            case .endOfInput:
                Output.print("")
                return 0
            case .interrupted: continue
            case .line(let entry) where entry.hasPrefix("!"):
                _ = await Shell.run(String(entry.dropFirst()))
                if ends.hasEnded { return ExitStatus.interrupted }
            case .line(let entry):
                let size = TerminalSize.present
                await session.resize(width: size.columns, height: size.rows)
                let result = await runner.run(entry)
                for note in result.notes { Output.complain("note: \(note)\n") }
                if !result.text.isEmpty { await Pager(session: session).show(result.text, size) }
                if result.quits { return 0 }
                if ends.hasEnded { return ExitStatus.interrupted }
                for notice in await session.notices() { Output.print(notice) }
            }
        }
    }

    /// Waits for an entry and shows notifications of plugins meanwhile.
    private func nextLine(_ editor: LineEditor) async -> LineEvent {
        let watching = Task { [session] in
            while !Task.isCancelled {
                // Throws when an entry has been read.
                try? await Task.sleep(for: Self.pollInterval)
                if Task.isCancelled { return }
                let notices = await session.notices()
                if !notices.isEmpty { editor.show(notices.map(TerminalText.lines)) }
            }
        }
        let event = await editor.nextLine()
        watching.cancel()
        await watching.value
        return event
    }

    /// The style of a word as SGR parameters, using the sixteen colours of every terminal theme.
    private static func style(_ kind: Highlighter.Kind) -> String {
        switch kind {
        case .command: "1"
        case .unknownCommand: "31"
        case .keyword: "35"
        case .option: "36"
        case .variable, .reference: "33"
        case .number: "34"
        case .text: "32"
        case .function: "36"
        case .comment: "2"
        }
    }

    private func makeEditor() throws -> LineEditor {
        // Without the folder, the editor runs without a saved history.
        try? FileManager.default.createDirectory(
            at: historyFile.deletingLastPathComponent(), withIntermediateDirectories: true)
        let session = session
        var configuration = LineEditorConfiguration(historyFile: historyFile.path)
        configuration.editEntry = { entry in blocking { await FileEditor.edited(entry) } ?? nil }
        return try LineEditor(
            configuration: configuration,
            isIncomplete: { !$0.hasPrefix("!") && Completeness.isIncomplete($0) },
            complete: { request in
                let before = request.textBeforeCursor
                guard let result = blocking({ await session.completions(of: before) }) else { return nil }
                let start = String(decoding: Array(before.utf8).prefix(result.wordStart), as: UTF8.self)
                return CompletionAnswer(
                    range: start.unicodeScalars.count..<before.unicodeScalars.count,
                    // Names with control characters are not completed.
                    candidates: result.candidates.filter {
                        !$0.replacement.unicodeScalars.contains(where: TerminalText.isHarmful)
                    }.map {
                        Completion(
                            replacement: $0.replacement, display: $0.replacement,
                            summary: TerminalText.withoutControls($0.summary),
                            appendsSpace: $0.isComplete)
                    })
            },
            highlight: { [highlighter] entry in
                highlighter.take()?.stretches(of: entry).map {
                    StyledRange($0.range, style: Self.style($0.kind))
                }
                    ?? []
            })
    }
}

/// Waits on a thread of its own for the result of a task. Must not be called on a task.
private func blocking<T: Sendable>(_ work: @escaping @Sendable () async -> T) -> T? {
    let box = Box<T>()
    let done = DispatchSemaphore(value: 0)
    Task {
        box.fill(await work())
        done.signal()
    }
    done.wait()
    return box.take()
}
