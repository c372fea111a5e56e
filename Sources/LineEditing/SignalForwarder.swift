import CLibEdit
import Glibc

/// A pipe that receives signals while a thread waits at its other end.
///
/// A signal handler may do almost nothing, and a signal may arrive on any thread; a byte in a pipe wakes the
/// thread that handles it.
struct WakePipe: Sendable {
    /// No signal has this number.
    static let notice: UInt8 = 255

    let reading: Int32
    let writing: Int32

    init?() {
        var ends: (Int32, Int32) = (-1, -1)
        guard cle_make_pipe(&ends.0, &ends.1) else { return nil }
        (reading, writing) = ends
    }

    /// Wakes the reader with a zero byte, which is not a signal number.
    func wake(_ reason: UInt8 = 0) {
        var byte = reason
        _ = write(writing, &byte, 1)
    }

    func close() {
        _ = Glibc.close(reading)
        _ = Glibc.close(writing)
    }
}

/// Signals that are forwarded temporarily, and their previous actions.
struct ForwardedSignals {
    private var saved: [cle_saved_signal] = []

    init(_ numbers: [Int32], to pipe: WakePipe) {
        for number in numbers {
            var entry = cle_saved_signal()
            if cle_forward_signal(number, pipe.writing, &entry) { saved.append(entry) }
        }
    }

    /// Restores the previous actions. Call it once, in the reverse order of nested forwardings.
    func restore() {
        for entry in saved.reversed() {
            withUnsafePointer(to: entry) { cle_restore_signal($0) }
        }
    }
}
