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

/// A worker process: a program and its progress page.
final class WorkerProcess {
    let page: ProgressPage
    private let process: ChildProcess
    private let input: DescriptorWriter

    /// The descriptor of the worker's reports.
    var output: Int32 { process.output }
    /// The descriptor of its standard error.
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

    /// Sends a line to the worker.
    func send(_ bytes: [UInt8]) -> Bool { input.send(bytes) }

    /// Terminates the worker and its children, and waits.
    @discardableResult
    func kill() -> ChildProcess.Ending { process.kill() }

    /// The status of a worker that exits by itself; it is killed after a short wait.
    func waitForEnding(atMost: Duration) -> ChildProcess.Ending { process.waitForEnding(atMost: atMost) }

    /// An unnamed file of one page.
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

    /// Disable crash reports: writing one takes many seconds, which the watcher would treat as a hang; the
    /// message of a failed precondition is printed anyway. Set SWIFT_BACKTRACE to enable them.
    private static func environment(_ command: WorkerCommand) -> [String: String] {
        var environment = command.environment ?? ProcessInfo.processInfo.environment
        environment["SWIFT_BACKTRACE"] = environment["SWIFT_BACKTRACE"] ?? "enable=no"
        environment[WorkerDescriptors.pageVariable] = "\(WorkerDescriptors.page)"
        return environment
    }
}
