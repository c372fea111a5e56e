import Foundation
import Synchronization

/// Notifies the host of SIGINT: Ctrl-C while a command runs, when the terminal is in normal mode.
///
/// SIGINT does not terminate the process while a monitor exists. Its child processes still terminate: they inherit
/// neither the handler nor a blocked signal.
public final class InterruptMonitor: Sendable {
    private let pipe: WakePipe
    private let signals: Mutex<ForwardedSignals?>
    private let ended = DispatchSemaphore(value: 0)

    /// Starts monitoring SIGINT or other signals. The handler is called on the monitor's thread, once for
    /// each signal, one at a time.
    public init(
        _ numbers: [Int32] = [SIGINT], handler: @escaping @Sendable () -> Void
    ) throws(LineEditorError) {
        guard let pipe = WakePipe() else { throw .tooManyFiles }
        self.pipe = pipe
        signals = Mutex(ForwardedSignals(numbers, to: pipe))
        let thread = Thread { [ended] in
            Self.watch(pipe, handler)
            ended.signal()
        }
        thread.name = "interrupts"
        thread.start()
    }

    deinit { stop() }

    /// Stops monitoring and restores the previous actions. Must not be called from the handler.
    public func stop() {
        let watching = signals.withLock { signals in
            defer { signals = nil }
            signals?.restore()
            return signals != nil
        }
        guard watching else { return }
        pipe.wake()
        ended.wait()
        pipe.close()
    }

    private static func watch(_ pipe: WakePipe, _ handler: @Sendable () -> Void) {
        var byte: UInt8 = 0
        while true {
            let count = read(pipe.reading, &byte, 1)
            if count == -1, errno == EINTR { continue }
            guard count == 1, byte != 0 else { return }
            handler()
        }
    }
}
