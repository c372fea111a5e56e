import PluginKit
import Synchronization

/// What a session remembers of guidance: the settings, and the walk that is driven by hand.
final class GuidanceDesk: Sendable {
    private struct State: Sendable {
        var settings = GuidanceSettings()
        var journey: Journey?
    }

    private let state = Mutex(State())

    /// The settings of the session.
    var settings: GuidanceSettings {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue } }
    }

    /// The walk that is driven by hand. Throws `E-GUIDE-IDLE` when there is none.
    var journey: Journey {
        get throws(RutterError) {
            guard let journey = state.withLock({ $0.journey }) else {
                throw GuidanceErrors.idle("no route is being walked", fix: "guide start ROUTE")
            }
            return journey
        }
    }

    /// Begins a walk. Throws `E-GUIDE-BUSY` when there is one already.
    func begin(_ journey: Journey) throws(RutterError) {
        let present = state.withLock { state -> String? in
            if let present = state.journey { return present.routes[0].name }
            state.journey = journey
            return nil
        }
        if let present {
            throw GuidanceErrors.busy("\(present) is being walked already", fix: "end it first: guide stop")
        }
    }

    /// Keeps the walk after a fix.
    func keep(_ journey: Journey) { state.withLock { $0.journey = journey } }

    /// Ends the walk and gives it. Throws `E-GUIDE-IDLE` when there is none.
    func end() throws(RutterError) -> Journey {
        let journey = try self.journey
        state.withLock { $0.journey = nil }
        return journey
    }
}
