import CSpawn
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

/// A worker process as its owner sees it: descriptors and an identifier, no threads. It belongs to the thread
/// that made it.
final class WorkerProcess {
    /// How a process ended.
    enum Ending: Equatable {
        case exit(Int32)
        case signal(Int32)

        /// A sentence's verb and object.
        var text: String {
            switch self {
            case .exit(let status): return "ended with status \(status)"
            case .signal(let number):
                let name = strsignal(number).map { String(cString: $0) } ?? "unknown"
                return "was terminated by signal \(number) (\(name))"
            }
        }
    }

    let page: ProgressPage
    let output: Int32
    let errors: Int32
    private let input: DescriptorWriter
    private let id: pid_t
    private var ending: Ending?

    /// Starts a worker in a session of its own: Ctrl-C in the terminal does not reach it, and what it
    /// starts can be ended with it.
    init(_ command: WorkerCommand) throws(NotebookError) {
        let pipes = try WorkerPipes()
        defer { pipes.closeTheirs() }
        guard let page = ProgressPage(descriptor: pipes.page) else {
            pipes.closeOurs()
            throw NotebookError(.worker, "cannot share memory with a worker: \(Self.lastError())")
        }
        let (status, id) = pipes.spawn(command)
        guard status == 0 else {
            pipes.closeOurs()
            throw NotebookError(
                .worker,
                "the worker `\(command.executable)` cannot be started: \(String(cString: strerror(status)))")
        }
        self.page = page
        self.id = id
        input = DescriptorWriter(pipes.ourInput)
        output = pipes.ourOutput
        errors = pipes.ourErrors
    }

    deinit {
        kill()
        for descriptor in [input.descriptor, output, errors] { close(descriptor) }
    }

    static func lastError() -> String { String(cString: strerror(errno)) }

    /// Says a line to the worker.
    func send(_ bytes: [UInt8]) -> Bool { input.send(bytes) }

    /// Ends the worker and all it started, and waits for that.
    @discardableResult
    func kill() -> Ending {
        if let ending { return ending }
        Glibc.kill(id, SIGKILL)
        ProcessSession.kill(id)
        return wait()
    }

    /// How the worker ended by itself; one that does not within a moment is killed.
    func waitForEnding(atMost: Duration) -> Ending {
        let start = MonotonicClock.now
        while MonotonicClock.elapsed(since: start) < atMost.nanoseconds {
            var information = siginfo_t()
            let flags = WEXITED | WNOHANG | WNOWAIT
            // It has ended but is not forgotten, so its number is still its own when its session is ended.
            if waitid(P_PID, id_t(id), &information, flags) == 0, information.si_signo == SIGCHLD { break }
            usleep(2000)
        }
        return kill()
    }

    private func wait() -> Ending {
        var status: Int32 = 0
        var result = waitpid(id, &status, 0)
        while result < 0, errno == EINTR { result = waitpid(id, &status, 0) }
        let signal = status & 0x7F
        let ending =
            result < 0 ? .exit(-1) : signal == 0 ? .exit((status >> 8) & 0xFF) : Ending.signal(signal)
        self.ending = ending
        return ending
    }
}

/// The descriptors of both sides. Ours are closed in every program that is started.
private struct WorkerPipes {
    let ourInput, theirInput, ourOutput, theirOutput, ourErrors, theirErrors, page: Int32

    init() throws(NotebookError) {
        var made: [Int32] = []
        // Sockets rather than pipes: they can be made closed-on-exec in one step, without which a worker
        // started by another thread at the same time could keep this one's ends open and hide that it has
        // ended.
        func pair() -> (Int32, Int32)? {
            var ends: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
            // High numbers, so that putting them in the places of the child's 0 to 3 overwrites none of them.
            let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
            ends.forEach { close($0) }
            made += moved
            return moved.contains(-1) ? nil : (moved[0], moved[1])
        }
        guard let input = pair(), let output = pair(), let errors = pair(), let page = Self.makePage()
        else {
            let reason = WorkerProcess.lastError()
            made.filter { $0 >= 0 }.forEach { close($0) }
            throw NotebookError(.worker, "cannot create pipes to a worker: \(reason)")
        }
        (ourInput, theirInput) = input
        (ourOutput, theirOutput) = output
        (ourErrors, theirErrors) = errors
        self.page = page
    }

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

    /// POSIX_SPAWN_SETSID, which the C headers show only to GNU programs.
    private static let newSession: Int32 = 0x80

    func closeTheirs() { [theirInput, theirOutput, theirErrors, page].forEach { close($0) } }

    func closeOurs() { [ourInput, ourOutput, ourErrors].forEach { close($0) } }

    func spawn(_ command: WorkerCommand) -> (status: Int32, id: pid_t) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (from, to) in [
            (theirInput, 0), (theirOutput, 1), (theirErrors, 2), (page, WorkerDescriptors.page),
        ] {
            posix_spawn_file_actions_adddup2(&actions, from, to)
        }
        // Nothing else of this process: who waits for the end of a pipe would wait for the worker too.
        spawn_close_from(&actions, WorkerDescriptors.page + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = Self.newSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var id: pid_t = 0
        let status = withCStrings([command.executable] + command.arguments) { arguments in
            withCStrings(environment(command)) { environment in
                posix_spawnp(&id, command.executable, &actions, &attributes, arguments, environment)
            }
        }
        return (status, id)
    }

    /// A crash report takes many seconds to write and the watcher would take it for a hang; the message of a
    /// failed check is printed without it too. Who wants it sets SWIFT_BACKTRACE.
    private func environment(_ command: WorkerCommand) -> [String] {
        var environment = command.environment ?? ProcessInfo.processInfo.environment
        environment["SWIFT_BACKTRACE"] = environment["SWIFT_BACKTRACE"] ?? "enable=no"
        environment[WorkerDescriptors.pageVariable] = "\(WorkerDescriptors.page)"
        return environment.map { "\($0.key)=\($0.value)" }.sorted()
    }

    private func withCStrings<R>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}
