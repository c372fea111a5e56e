import CSpawn
import Foundation
import Glibc
import Synchronization

/// A child process: descriptors and an identifier, no threads. It belongs to the thread or actor that created
/// it, and is terminated with it.
///
/// It runs in a Unix session of its own: Ctrl-C in the terminal does not reach it, and its own children are terminated with it.
package final class ChildProcess {
    /// What to start.
    package struct Command: Sendable {
        /// The program: a path, or a name that is looked up in PATH.
        package var executable: String
        /// Its arguments, without its name.
        package var arguments: [String]
        /// Its complete environment.
        package var environment: [String: String]
        /// Its working directory; `nil` for the current one.
        package var folder: String?
        /// A descriptor passed as number 3, besides the standard ones.
        package var shared: Int32?

        /// Creates a command.
        package init(
            _ executable: String, _ arguments: [String], environment: [String: String], folder: String? = nil,
            sharing shared: Int32? = nil
        ) {
            self.executable = executable
            self.arguments = arguments
            self.environment = environment
            self.folder = folder
            self.shared = shared
        }
    }

    /// How a process ended.
    package enum Ending: Equatable, Sendable {
        case exit(Int32)
        case signal(Int32)

        /// The predicate of a sentence.
        package var text: String {
            switch self {
            case .exit(let status): return "ended with status \(status)"
            case .signal(let number):
                let name = strsignal(number).map { String(cString: $0) } ?? "unknown"
                return "was terminated by signal \(number) (\(name))"
            }
        }
    }

    /// The error of a program that could not be started.
    package struct StartFailure: Error {
        /// The system's reason.
        package let reason: String
    }

    /// The number of the shared descriptor in the child.
    static let sharedDescriptor: Int32 = 3

    /// The descriptors of the child's standard input and output.
    package let input, output, errors: Int32
    private let id: pid_t
    private let mark: String
    private var ending: Ending?

    private static let started = Atomic<Int>(0)
    private static let markName = "RUTTER_CHILD"
    /// Retries for a busy executable, and the microseconds between them.
    private static let (busyAttempts, busyPause) = (100, UInt32(10_000))

    /// Starts a program.
    package init(_ command: Command) throws(StartFailure) {
        let pipes = try Pipes()
        defer { pipes.closeTheirs() }
        let number = Self.started.wrappingAdd(1, ordering: .relaxed).newValue
        var marked = command
        marked.environment[Self.markName] = "\(getpid()).\(number)"
        var (status, id) = pipes.spawn(marked)
        // An executable that was just written is busy while a process forked meanwhile holds the writer's descriptor.
        var attempts = 0
        while status == ETXTBSY, attempts < Self.busyAttempts {
            usleep(Self.busyPause)
            attempts += 1
            (status, id) = pipes.spawn(marked)
        }
        guard status == 0 else {
            pipes.closeOurs()
            throw StartFailure(reason: String(cString: strerror(status)))
        }
        self.id = id
        mark = "\(Self.markName)=\(getpid()).\(number)"
        input = pipes.ourInput
        output = pipes.ourOutput
        errors = pipes.ourErrors
    }

    deinit {
        kill()
        for descriptor in [input, output, errors] { close(descriptor) }
    }

    /// Limits its private memory, in bytes. Memory already allocated is not affected.
    package func limitMemory(_ bytes: UInt64) { _ = spawn_limit_memory(id, bytes) }

    /// Terminates the program and its children, and waits.
    @discardableResult
    package func kill() -> Ending {
        if let ending { return ending }
        Glibc.kill(id, SIGKILL)
        ProcessSession.kill(id, mark: mark)
        return wait()
    }

    /// The status of a program that exits by itself; it is killed after a short wait.
    package func waitForEnding(atMost: Duration) -> Ending {
        let start = MonotonicClock.now
        while MonotonicClock.elapsed(since: start) < atMost.nanoseconds {
            if hasEnded { break }
            usleep(2000)
        }
        return kill()
    }

    /// Whether it has exited. It is not reaped, so that its id stays reserved until its session is terminated.
    package var hasEnded: Bool {
        if ending != nil { return true }
        var information = siginfo_t()
        return waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) == 0
            && information.si_signo == SIGCHLD
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

/// The descriptors of both sides. Ours are close-on-exec.
private struct Pipes {
    let ourInput, theirInput, ourOutput, theirOutput, ourErrors, theirErrors: Int32

    init() throws(ChildProcess.StartFailure) {
        var made: [Int32] = []
        // Sockets rather than pipes: they can be made close-on-exec atomically; otherwise a program started
        // by another thread at the same time could inherit our ends, and hide that this program has exited.
        func pair() -> (Int32, Int32)? {
            var ends: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
            // High numbers, so that duplicating them to the child's 0 to 3 overwrites none of them.
            let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
            ends.forEach { close($0) }
            made += moved
            return moved.contains(-1) ? nil : (moved[0], moved[1])
        }
        guard let input = pair(), let output = pair(), let errors = pair() else {
            let reason = String(cString: strerror(errno))
            made.filter { $0 >= 0 }.forEach { close($0) }
            throw ChildProcess.StartFailure(reason: reason)
        }
        (ourInput, theirInput) = input
        (ourOutput, theirOutput) = output
        (ourErrors, theirErrors) = errors
    }

    /// POSIX_SPAWN_SETSID, which the C headers show only to GNU programs.
    private static let newSession: Int32 = 0x80

    func closeTheirs() { [theirInput, theirOutput, theirErrors].forEach { close($0) } }

    func closeOurs() { [ourInput, ourOutput, ourErrors].forEach { close($0) } }

    func spawn(_ command: ChildProcess.Command) -> (status: Int32, id: pid_t) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var given = [(theirInput, Int32(0)), (theirOutput, 1), (theirErrors, 2)]
        if let shared = command.shared { given.append((shared, ChildProcess.sharedDescriptor)) }
        for (from, to) in given { posix_spawn_file_actions_adddup2(&actions, from, to) }
        // No other descriptors: a reader that waits for the end of a pipe would wait for the child, too.
        spawn_close_from(&actions, Int32(given.count))
        if let folder = command.folder { spawn_in_folder(&actions, folder) }
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
        let environment = command.environment.map { "\($0.key)=\($0.value)" }.sorted()
        let status = withCStrings([command.executable] + command.arguments) { arguments in
            withCStrings(environment) { environment in
                posix_spawnp(&id, command.executable, &actions, &attributes, arguments, environment)
            }
        }
        return (status, id)
    }

    private func withCStrings<R>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}
