import FakeNotebookWorker
import Foundation
import PluginTestKit
import Synchronization

@testable import Notebooks

extension TemporaryFolder {
    /// Writes a file, and the folders that it is in.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
    }
}

/// Collects what is printed.
final class Sink: Sendable {
    private let lines = Mutex<[String]>([])
    var text: String { lines.withLock { $0 }.joined(separator: "\n") }
    @Sendable func print(_ text: String) { lines.withLock { $0.append(text) } }
}

/// The worker executable that is built beside the tests.
func fakeWorker(_ arguments: String...) -> WorkerCommand {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent()
    return WorkerCommand(
        executable: folder.appendingPathComponent("FakeNotebookWorker").path, arguments: arguments)
}

/// A cell's text.
func cell(_ lines: String..., flags: String = "") -> String {
    "```rutter\(flags.isEmpty ? "" : " " + flags)\n" + lines.joined(separator: "\n") + "\n```\n"
}

/// The pattern of expected lines.
func pattern(_ text: String, _ flags: CellFlags = [], captured: Set<String> = []) throws -> OutputPattern {
    let lines =
        text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return try OutputPattern(lines: lines, flags: flags, firstLine: 1, captured: captured)
}

/// The error thrown by parsing a notebook.
func parseError(_ text: String) -> NotebookError? {
    do throws(NotebookError) {
        _ = try NotebookParser().parse(text)
        return nil
    } catch {
        return error
    }
}
