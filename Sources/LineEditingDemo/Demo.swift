import Foundation
import LineEditing
import Synchronization

/// The demo's loop: `sleep N` waits, `later WORD` shows a word while the next line is edited, `quit` leaves, anything
/// else is repeated.
struct Demo {
    private let configuration: LineEditorConfiguration
    private let runningCommand = RunningCommand()

    init(arguments: [String]) {
        var configuration = LineEditorConfiguration()
        for (option, value) in zip(arguments.dropFirst(), arguments.dropFirst(2)) {
            switch option {
            case "--history": configuration.historyFile = value
            case "--limit": configuration.historyLimit = Int(value) ?? configuration.historyLimit
            default: continue
            }
        }
        self.configuration = configuration
    }

    func run() async -> Int32 {
        guard LineEditor.isTerminal else {
            while let line = readLine() { print("plain: \(line)") }
            return 0
        }
        do {
            let editor = try LineEditor(
                configuration: configuration, isIncomplete: Demo.isIncomplete, complete: DemoWords.complete,
                highlight: DemoWords.highlight)
            let monitor = try InterruptMonitor { [runningCommand] in
                editor.discardPendingInput()
                runningCommand.cancel()
            }
            await loop(editor)
            editor.close()
            monitor.stop()
            return 0
        } catch {
            print("no editor: \(error)")
            return 1
        }
    }

    private func loop(_ editor: LineEditor) async {
        if let problem = editor.historyProblem { print("history problem: \(problem)") }
        while true {
            switch await editor.nextLine() {
            case .line("quit"): return print("quitting")
            case .line(let text):
                await execute(text, editor)
            case .interrupted: print("interrupted")
            case .endOfInput: return print("end of input")
            }
        }
    }

    private func execute(_ text: String, _ editor: LineEditor) async {
        let words = text.split(separator: " ")
        if words.first == "sleep", let seconds = words.last.flatMap({ Double($0) }) {
            print("sleeping")
            let task = Task { try await Task.sleep(for: .seconds(seconds)) }
            runningCommand.begin(task)
            print(await task.result.isSuccess ? "slept" : "cancelled")
        } else if words.first == "later", let word = words.last {
            let notice = String(word)
            Task {
                try await Task.sleep(for: .milliseconds(500))
                editor.show([notice])
            }
            print("later")
        } else if text == "length" {
            print("longest: \(editor.history.map(\.count).max() ?? 0)")
        } else if text.count > 500 {
            print("long: \(text.unicodeScalars.count) \(text.suffix(3))")
        } else {
            print("line: \(text.debugDescription)")
        }
    }

    /// An entry continues inside brackets and after a trailing `|`.
    private static let isIncomplete: @Sendable (String) -> Bool = { text in
        let depth = text.reduce(0) { $0 + ("([".contains($1) ? 1 : ")]".contains($1) ? -1 : 0) }
        return depth > 0 || text.hasSuffix("|")
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}

/// The command that SIGINT stops.
private final class RunningCommand: Sendable {
    private let task = Mutex<Task<Void, any Error>?>(nil)

    func begin(_ task: Task<Void, any Error>) { self.task.withLock { $0 = task } }
    func cancel() { task.withLock { $0?.cancel() } }
}

/// The words that the demo completes.
enum DemoWords {
    private static let words: [(String, String)] = [
        ("waypoint", "places worth keeping"), ("waypoints", "all of them"), ("waterfall", "falling water"),
        ("Zürich", "a city by a lake"), ("東京駅", "a station"), ("東京都庁", "a tall building"),
        ("unique", "the only one"), ("café", ""), ("open(", ""),
    ]

    /// Its own words are green, numbers blue.
    static let highlight: @Sendable (String) -> [StyledRange] = { text in
        let scalars = Array(text.unicodeScalars)
        var ranges: [StyledRange] = []
        var start = 0
        for index in 0...scalars.count where index == scalars.count || [" ", "\n"].contains(scalars[index]) {
            let word = String(String.UnicodeScalarView(scalars[start..<index]))
            if words.contains(where: { $0.0 == word }) {
                ranges.append(StyledRange(start..<index, style: "32"))
            } else if Int(word) != nil {
                ranges.append(StyledRange(start..<index, style: "34"))
            }
            start = index + 1
        }
        return ranges
    }

    static let complete: @Sendable (CompletionRequest) -> CompletionAnswer? = { request in
        let before = request.textBeforeCursor.unicodeScalars
        let reversed = before.reversed().prefix { $0 != " " && $0 != "\n" }
        let word = String(String.UnicodeScalarView(reversed.reversed()))
        let range = (request.cursor - word.unicodeScalars.count)..<request.cursor
        if word.hasPrefix("item") {
            let items = (1...300).map { Completion(replacement: "item\($0)") }
            return CompletionAnswer(range: range, candidates: items.filter { $0.replacement.hasPrefix(word) })
        }
        let candidates = words.filter { $0.0.hasPrefix(word) }
            .map { Completion(replacement: $0.0, summary: $0.1, appendsSpace: !$0.0.hasSuffix("(")) }
        return candidates.isEmpty ? nil : CompletionAnswer(range: range, candidates: candidates)
    }
}
