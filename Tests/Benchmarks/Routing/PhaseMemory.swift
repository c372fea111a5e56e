import Foundation
import Synchronization

/// The peak memory of each phase of an import, by its own report, and the seconds of processor time in it.
///
/// The system's peak is reset between phases, so the peak of the whole is measured by the parent process.
final class PhaseMemory: Sendable {
    private struct State {
        var phase = "starting"
        var start = 0.0
        var found: [(phase: String, peak: Int, seconds: Double)] = []
    }

    private let state = Mutex(State())

    /// Begins a phase, unless it is the current one.
    func enter(_ phase: String) {
        state.withLock { state in
            guard phase != state.phase else { return }
            Self.close(&state)
            state.phase = phase
        }
    }

    /// Prints one line per phase.
    func print() {
        let found = state.withLock { state in
            Self.close(&state)
            return state.found
        }
        for (phase, peak, seconds) in found {
            Swift.print("  while \(phase): peak memory \(mib(peak)), processor time \(ms(seconds))")
        }
    }

    private static func close(_ state: inout State) {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        let now = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        state.found.append((state.phase, peak, now - state.start))
        state.start = now
        // 5 resets the peak, see proc(5).
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .ascii)
    }

    private static var peak: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }
}
