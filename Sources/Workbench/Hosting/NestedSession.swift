import Foundation
import Notebooks
import PluginKit
import Synchronization

/// The current session, in which a notebook's cells run without being recorded individually.
final class NestedSession: NotebookSession {
    private let session: Session

    init(_ session: Session) { self.session = session }

    func run(_ input: String) async -> CellOutput {
        let result = await session.run(input, recorded: false)
        return CellOutput(text: result.text, failed: result.failure != nil, errorCode: result.failure?.code)
    }

    func setVariable(_ name: String, literal: String) async {
        let value = await session.run(literal, recorded: false).value
        await session.setVariable(name, to: value)
    }

    func coverage() async -> CoverageReport { await session.coverageReport }

    func close() async {}
}

/// Collects lines from any thread.
final class LineCollector: Sendable {
    private let lines = Mutex<[String]>([])

    /// Adds a line; returns the number of lines.
    @discardableResult
    func add(_ line: String) -> Int {
        lines.withLock {
            $0.append(line)
            return $0.count
        }
    }

    var all: [String] { lines.withLock { $0 } }
}

/// An entry as shown in the terminal.
public enum Transcript {
    /// The entry after its prompts.
    public static func prompted(_ entry: String) -> String {
        entry.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { ($0.offset == 0 ? "rutter> " : "   ...> ") + $0.element }.joined(separator: "\n")
    }
}
