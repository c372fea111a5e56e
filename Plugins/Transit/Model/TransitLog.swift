import CivilTime
import Foundation
import Logging
import PluginKit

/// The logged events, named as in the app.
enum TransitLog {
    enum Event: String {
        case mapStopSelected = "map_stop_selected"
        case drawerOpened = "drawer_opened"
        case offlineDeparturesShown = "offline_departures_shown"
        case mapStopsLoaded = "map_stops_loaded"
    }

    /// Measures durations for the log only: session output never depends on it.
    struct Timer {
        private let start = ContinuousClock.now

        /// Milliseconds, to the microsecond.
        var milliseconds: Double {
            let time = (ContinuousClock.now - start).components
            return (Double(time.seconds) * 1e6 + Double(time.attoseconds / 1_000_000_000_000)).rounded() / 1e3
        }
    }

    /// Writes a line with the event and its fields.
    static func write(
        _ event: Event, stop: StopRecord? = nil, count: Int? = nil, _ timer: Timer, _ context: Context
    ) {
        var facts: Logger.Metadata = [
            "duration_ms": .stringConvertible(timer.milliseconds), "event_type": .string(event.rawValue),
            "time": .string(ISO8601.text(context.clock.now)),
        ]
        if let stop { facts["stop_id"] = .string(stop.id) }
        if let count { facts["count"] = .stringConvertible(count) }
        context.log.info("\(event.rawValue)", metadata: facts)
    }
}
