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
    /// The theme of the entry.
    private let colors = Box<PluginKit.Environment.Theme>()

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
        var known = editor.historyProblem
        if let known { Output.print("history is not saved: \(known)") }
        await StartFileRun(session: session).run()
        while true {
            highlighter.fill(Highlighter(commands: await session.registry.names))
            let environment = await session.presentEnvironment
            colors.fill(environment.theme)
            editor.setLook(
                PromptLook(hasColour: environment.color, promptStyle: environment.theme.promptStyle))
            editor.setPrompt(await session.promptContext.map { "[\($0)] rutter> " } ?? "rutter> ")
            let event = await nextLine(editor)
            // A folder that cannot be written is noticed with the first entry.
            if let problem = editor.historyProblem, problem != known {
                Output.print("history is not saved: \(problem)")
                known = problem
            }
            switch event {
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
                await show(result, size)
                if result.quits { return 0 }
                if ends.hasEnded { return ExitStatus.interrupted }
                for notice in await session.notices() { Output.print(notice) }
            }
        }
    }

    /// Shows a result: a picture as one, if the terminal can; else as text.
    private func show(_ result: EntryResult, _ size: TerminalSize) async {
        let environment = await session.presentEnvironment
        if let image = TerminalImage(of: result, environment) { return Output.pass(image.sequence) }
        guard !result.text.isEmpty else { return }
        if environment.linksFiles,
            let linked = FileLinks(folder: FileManager.default.currentDirectoryPath)
                .linked(TerminalText.styled(result.text))
        {
            return Output.pass(linked + "\n")
        }
        await Pager(session: session).show(result.text, size)
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

    private func makeEditor() throws -> LineEditor {
        // Without the folder, the editor runs without a saved history.
        try? FileManager.default.createDirectory(
            at: historyFile.deletingLastPathComponent(), withIntermediateDirectories: true)
        let session = session
        var configuration = LineEditorConfiguration(historyFile: historyFile.path)
        configuration.savedForm = Redaction.withoutPasswords
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
            highlight: { [highlighter, colors] entry in
                let theme = colors.take() ?? .terminal
                return highlighter.take()?.stretches(of: entry).map {
                    StyledRange($0.range, style: theme.style($0.kind))
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
