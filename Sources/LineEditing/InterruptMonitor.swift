import Foundation
import Synchronization

/// Tells the host when SIGINT arrives: Ctrl-C while a command runs, when the terminal is in its normal mode.
///
/// The process no longer dies of SIGINT while a monitor lives. Programs that it starts still do: they inherit
/// neither the handler nor a blocked signal.
public final class InterruptMonitor: Sendable {
    private let pipe: WakePipe
    private let signals: Mutex<ForwardedSignals?>
    private let ended = DispatchSemaphore(value: 0)

    /// Begins to watch, for SIGINT or for other signals too. The handler is called on a thread of the monitor's, once for
    /// each signal, one at a time.
    public init(
        _ numbers: [Int32] = [SIGINT], handler: @escaping @Sendable () -> Void
    ) throws(LineEditorError) {
        guard let pipe = WakePipe() else { throw .unavailable("a pipe for SIGINT") }
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

    /// Ends the watch and puts back what SIGINT did before. Must not be called from the handler.
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
