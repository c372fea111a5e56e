import CSpawn
import Foundation
import Synchronization

/// A program that runs in its own pseudo-terminal, driven by a test.
public final class PseudoTerminal: Sendable {
    /// Why a test cannot continue.
    public enum Failure: Error, CustomStringConvertible {
        /// A call to the system failed.
        case system(String)
        /// The expected output did not appear.
        case timedOut(waitingFor: String, transcript: String)

        /// The reason, with all that the program had written.
        public var description: String {
            switch self {
            case .system(let call): "\(call) failed"
            case .timedOut(let wanted, let transcript):
                "timed out waiting for \(wanted.debugDescription) in:\n\(transcript.debugDescription)"
            }
        }
    }

    private struct Output {
        var bytes: [UInt8] = []
        /// The offset at which the next wait begins to search.
        var position = 0
        var status: Int32?
    }

    /// The buffer of the reading thread. The thread references this and not the terminal, which can therefore
    /// be released before its program ends.
    private final class Record: Sendable {
        let output = Mutex(Output())
    }

    /// The terminal's other end. It is closed when nothing reads or types any more: a write to a closed
    /// descriptor would reach the next file with its number.
    private final class Controller: Sendable {
        let descriptor: Int32

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { if descriptor >= 0 { close(descriptor) } }
    }

    /// The requests of unlockpt(3) and ptsname(3) on Linux; Swift imports neither those functions nor the
    /// constants.
    private static let setLock: UInt = 0x4004_5431  // TIOCSPTLCK
    private static let getNumber: UInt = 0x8004_5430  // TIOCGPTN

    /// The maximum duration of a wait.
    public static let patience: TimeInterval = 60

    /// The program's process.
    public let process: pid_t
    private let controller: Controller
    private let record = Record()
    /// Typing blocks if the program does not read, so it has its own queue.
    private let typing = DispatchQueue(label: "typing")

    /// Starts a program at a terminal of the given size.
    public init(
        _ path: String, _ arguments: [String] = [], environment: [String: String],
        rows: Int = 24, columns: Int = 80
    ) throws {
        controller = Controller(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC))
        var locked: Int32 = 0
        var number: UInt32 = 0
        guard controller.descriptor >= 0, ioctl(controller.descriptor, Self.setLock, &locked) == 0,
            ioctl(controller.descriptor, Self.getNumber, &number) == 0
        else { throw Failure.system("opening /dev/ptmx") }
        Self.setSize(controller.descriptor, rows: rows, columns: columns)
        process = try Self.spawn([path] + arguments, environment, terminal: "/dev/pts/\(number)")
        Thread { [controller, process, record] in
            Self.readOutput(controller, process, record)
        }.start()
    }

    deinit {
        // A test that failed half-way leaves no program behind.
        if record.output.withLock({ $0.status }) == nil { kill(process, SIGKILL) }
    }

    // MARK: Driving

    /// Types text.
    public func send(_ text: String) { send(bytes: Array(text.utf8)) }

    /// Types bytes, which need not be text.
    public func send(bytes: [UInt8]) {
        typing.async { [controller] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(controller.descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno != EINTR { return }
                rest = rest.dropFirst(max(0, count))
            }
        }
    }

    /// Changes the terminal's size, which sends SIGWINCH to the program.
    public func resize(rows: Int, columns: Int) {
        Self.setSize(controller.descriptor, rows: rows, columns: columns)
    }

    /// Sends a signal to the program.
    public func signal(_ number: Int32) { kill(process, number) }

    // MARK: Reading

    /// All that the program has written so far.
    public var transcript: String { record.output.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

    /// Waits until the program has written a text, after the match of the previous wait.
    public func waitFor(_ text: String, timeout: TimeInterval = patience) async throws {
        let wanted = Array(text.utf8)
        try await wait(for: text, timeout) {
            record.output.withLock { output in
                guard let end = output.bytes[output.position...].end(of: wanted) else { return false }
                output.position = end
                return true
            }
        }
    }

    /// Waits until a condition on the transcript holds.
    public func waitUntil(
        _ what: String, timeout: TimeInterval = patience, _ condition: (String) -> Bool
    ) async throws {
        try await wait(for: what, timeout) { condition(transcript) }
    }

    /// Waits until the program has ended, and returns its exit status; 128 and the signal's number if one
    /// killed it.
    public func waitForExit(timeout: TimeInterval = patience) async throws -> Int32 {
        try await wait(for: "its end", timeout) { record.output.withLock { $0.status } != nil }
        return record.output.withLock { $0.status } ?? -1
    }

    private func wait(for what: String, _ timeout: TimeInterval, _ isDone: () -> Bool) async throws {
        let deadline = Date().addingTimeInterval(timeout)
        while !isDone() {
            guard Date() < deadline else {
                throw Failure.timedOut(waitingFor: what, transcript: transcript)
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private static func readOutput(_ controller: Controller, _ process: pid_t, _ record: Record) {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(controller.descriptor, &chunk, chunk.count)
            if count > 0 {
                record.output.withLock { $0.bytes += chunk[..<count] }
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        let signal = status & 0x7F
        let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        record.output.withLock { $0.status = code }
    }

    // MARK: Starting

    private static func setSize(_ terminal: Int32, rows: Int, columns: Int) {
        var size = winsize()
        size.ws_row = UInt16(rows)
        size.ws_col = UInt16(columns)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    /// The program leads a session, and the terminal that it opens first becomes the one that controls it.
    private static func spawn(
        _ arguments: [String], _ environment: [String: String], terminal: String
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        // A program started here must not inherit descriptors: other tests detect the end of their programs
        // by them.
        spawn_close_from(&actions, 3)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID
        let flags = newSession | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let words = arguments.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, arguments[0], &actions, &attributes, words, variables)
        guard result == 0 else { throw Failure.system("posix_spawn of \(arguments[0])") }
        return process
    }
}

extension ArraySlice<UInt8> {
    /// The index after the first occurrence of a sequence.
    fileprivate func end(of wanted: [UInt8]) -> Int? {
        guard let first = wanted.first else { return startIndex }
        var start = startIndex
        while let found = self[start...].firstIndex(of: first), found + wanted.count <= endIndex {
            if self[found...].starts(with: wanted) { return found + wanted.count }
            start = found + 1
        }
        return nil
    }
}
