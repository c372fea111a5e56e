import PluginKit
import Synchronization

/// The state of guidance in a session: the settings, and the walk in progress.
final class GuidanceSession: Sendable {
    private struct State: Sendable {
        var settings = GuidanceSettings()
        var journey: GuidedJourney?
    }

    private let state = Mutex(State())

    /// The settings of the session.
    var settings: GuidanceSettings {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue } }
    }

    /// The walk in progress. Throws `E-GUIDE-IDLE` if there is none.
    var journey: GuidedJourney {
        get throws(RutterError) {
            guard let journey = state.withLock({ $0.journey }) else {
                throw GuidanceErrors.idle("guidance is not running", fix: "guide start ROUTE")
            }
            return journey
        }
    }

    /// Starts a walk. Throws `E-GUIDE-BUSY` if there is one already.
    func begin(_ journey: GuidedJourney) throws(RutterError) {
        let present = state.withLock { state -> String? in
            if let present = state.journey { return present.routes[0].name }
            state.journey = journey
            return nil
        }
        if let present {
            throw GuidanceErrors.busy(
                "guidance along \(present) is already running", fix: "end it first: guide stop")
        }
    }

    /// Stores the walk after a fix.
    func keep(_ journey: GuidedJourney) { state.withLock { $0.journey = journey } }

    /// Ends the walk and returns it. Throws `E-GUIDE-IDLE` if there is none.
    func end() throws(RutterError) -> GuidedJourney {
        let journey = try self.journey
        state.withLock { $0.journey = nil }
        return journey
    }
}
