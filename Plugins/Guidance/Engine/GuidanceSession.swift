import PluginKit
import Synchronization

/// The walk in progress in a session.
final class GuidanceSession: Sendable {
    private let state = Mutex<GuidanceRun?>(nil)

    /// The walk in progress. Throws `E-GUIDE-IDLE` if there is none.
    var run: GuidanceRun {
        get throws(RutterError) {
            guard let run = state.withLock({ $0 }) else { throw Self.idle }
            return run
        }
    }

    private static var idle: RutterError {
        GuidanceErrors.idle("guidance is not running", fix: "guide start ROUTE")
    }

    /// Starts a walk. Throws `E-GUIDE-BUSY` if there is one already.
    func begin(_ run: GuidanceRun) throws(RutterError) {
        let present = state.withLock { state -> String? in
            if let present = state { return present.routes[0].name }
            state = run
            return nil
        }
        if let present {
            throw GuidanceErrors.busy(
                "guidance along \(present) is already running", fix: "end it first: guide stop")
        }
    }

    /// Stores the walk after a fix.
    func keep(_ run: GuidanceRun) { state.withLock { $0 = run } }

    /// Ends the walk and returns it. Throws `E-GUIDE-IDLE` if there is none.
    func end() throws(RutterError) -> GuidanceRun {
        let ended = state.withLock { state in
            defer { state = nil }
            return state
        }
        guard let ended else { throw Self.idle }
        return ended
    }
}
