import CLibEdit
import Glibc

/// An event while the editor waits for a key.
enum TerminalEvent: Equatable {
    /// The terminal's size changed, or the process was continued after a stop.
    case resized, continued
    /// There are lines to show above the one being edited.
    case noticed
    /// The terminal was closed, the process must end, or the editor was closed.
    case hangUp, terminate, closed
}

/// Waits for bytes from the terminal and for signals at the same time.
struct TerminalInput {
    /// The signals that concern an editor, and only while it edits.
    static let signals: [Int32] = [SIGWINCH, SIGCONT, SIGHUP, SIGTERM]

    let pipe: WakePipe

    /// Waits for a byte for a number of milliseconds, forever if negative. `onEvent` returns whether to continue.
    func readByte(timeout: Int32, onEvent: (TerminalEvent) -> Bool) -> ByteEvent {
        while true {
            var waiting = [
                pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&waiting, 2, timeout)
            if ready == 0 { return .timeout }
            if ready < 0 {
                if errno == EINTR { continue }
                return .end
            }
            if waiting[0].revents != 0 {
                guard readSignals(onEvent) else { return .end }
                continue
            }
            if let event = readStandardInput() { return event }
        }
    }

    /// Reads only one byte: later input may be for a program that the next command starts.
    private func readStandardInput() -> ByteEvent? {
        var byte: UInt8 = 0
        switch read(STDIN_FILENO, &byte, 1) {
        case 1: return .byte(byte)
        case 0: return .end
        default: return errno == EINTR || errno == EAGAIN ? nil : .end
        }
    }

    private func readSignals(_ onEvent: (TerminalEvent) -> Bool) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(pipe.reading, &bytes, bytes.count)
        guard count > 0 else { return count == -1 && errno == EINTR }
        // Resizing a window sends many signals; handle them once.
        var seen: Set<UInt8> = []
        for byte in bytes[..<count] where seen.insert(byte).inserted {
            guard onEvent(Self.event(for: Int32(byte))) else { return false }
        }
        return true
    }

    private static func event(for number: Int32) -> TerminalEvent {
        switch number {
        case SIGWINCH: .resized
        case SIGCONT: .continued
        case Int32(WakePipe.notice): .noticed
        case SIGHUP: .hangUp
        case SIGTERM: .terminate
        default: .closed
        }
    }
}
