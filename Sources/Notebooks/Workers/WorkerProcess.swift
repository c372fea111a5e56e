import Core
import Foundation
import Glibc

/// How to start a worker.
public struct WorkerCommand: Sendable, Hashable {
    /// The program.
    public var executable: String
    /// Its arguments, without its name.
    public var arguments: [String]
    /// The environment; by default the caller's own.
    public var environment: [String: String]?

    /// A command.
    public init(executable: String, arguments: [String], environment: [String: String]? = nil) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
    }
}

/// A worker process as its owner sees it: a program and the page that it reports its progress on.
final class WorkerProcess {
    let page: ProgressPage
    private let process: ChildProcess
    private let input: DescriptorWriter

    /// Where the worker's reports come from.
    var output: Int32 { process.output }
    /// Where what it complains of comes from.
    var errors: Int32 { process.errors }

    /// Starts a worker.
    init(_ command: WorkerCommand) throws(NotebookError) {
        guard let file = Self.makePage() else {
            throw NotebookError(.worker, "cannot share memory with a worker: \(Self.lastError())")
        }
        defer { close(file) }
        guard let page = ProgressPage(descriptor: file) else {
            throw NotebookError(.worker, "cannot share memory with a worker: \(Self.lastError())")
        }
        do {
            process = try ChildProcess(
                .init(
                    command.executable, command.arguments, environment: Self.environment(command),
                    sharing: file))
        } catch {
            throw NotebookError(
                .worker, "the worker `\(command.executable)` cannot be started: \(error.reason)")
        }
        self.page = page
        input = DescriptorWriter(process.input)
    }

    static func lastError() -> String { String(cString: strerror(errno)) }

    /// Says a line to the worker.
    func send(_ bytes: [UInt8]) -> Bool { input.send(bytes) }

    /// Ends the worker and all it started, and waits for that.
    @discardableResult
    func kill() -> ChildProcess.Ending { process.kill() }

    /// How the worker ended by itself; one that does not within a moment is killed.
    func waitForEnding(atMost: Duration) -> ChildProcess.Ending { process.waitForEnding(atMost: atMost) }

    /// A file without a name, a page long.
    private static func makePage() -> Int32? {
        var path = Array((NSTemporaryDirectory() + "/rutter-page-XXXXXX").utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { return nil }
        unlink(path)
        let high = fcntl(file, F_DUPFD_CLOEXEC, 10)
        close(file)
        guard high >= 0, ftruncate(high, off_t(ProgressPage.bytes)) == 0 else { return nil }
        return high
    }

    /// A crash report takes many seconds to write and the watcher would take it for a hang; the message of a
    /// failed check is printed without it too. Who wants it sets SWIFT_BACKTRACE.
    private static func environment(_ command: WorkerCommand) -> [String: String] {
        var environment = command.environment ?? ProcessInfo.processInfo.environment
        environment["SWIFT_BACKTRACE"] = environment["SWIFT_BACKTRACE"] ?? "enable=no"
        environment[WorkerDescriptors.pageVariable] = "\(WorkerDescriptors.page)"
        return environment
    }
}
