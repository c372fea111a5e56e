import CivilTime
import Geodesy
import PluginKit

/// An event of the map: a load of stops, a skipped load, or a move.
struct MapEvent: Sendable {
    /// The kinds of event.
    enum Kind: String, Sendable {
        /// The region was moved; stops are loaded once it has been still.
        case move
        /// The map moved again before it had been still: the wait restarts.
        case wait
        /// Stops were loaded.
        case load
        /// A load was skipped: enough of the region is loaded already.
        case skip
        /// A pin was tapped: a phone responds with light haptic feedback.
        case tap
    }

    var time: Timestamp
    var kind: Kind
    var region: BoundingBox
    /// The share of the region that is loaded, if computed.
    var overlap: Double?
    /// Stops loaded, and stops in the region.
    var count: Int?
    var total: Int?
    var why: String

    /// The columns of the list.
    static let columns = ["time", "kind", "overlap", "count", "total", "why"]

    private var values: [(String, Value)] {
        [
            ("time", .date(time)), ("kind", .text(kind.rawValue)),
            ("overlap", Value(overlap) { .quantity(.share($0)) }), ("count", Value(count, Value.integer)),
            ("total", Value(total, Value.integer)), ("why", .text(why)), ("region", .box(region)),
        ]
    }

    /// The event as a row.
    var row: Value { .record(Record(values)) }

    /// The step before this event, the first of several.
    var started: TraceStep {
        .start(
            [("time", .date(time)), ("region", .box(region))],
            why:
                "stops are loaded where the map shows them, and only if less than half of them are loaded already"
        )
    }

    /// The step after this event, the last of several.
    var ended: TraceStep {
        let why =
            switch kind {
            case .move, .wait: "the map has just moved: it waits until it is still"
            case .load: "the stops of the region are loaded"
            case .skip: "enough stops are loaded already"
            case .tap: "the stop is selected, and the map stays where it is"
            }
        return .end(
            [("time", .date(time)), ("region", .box(region))],
            why: why)
    }

    /// The events so far, as a board.
    static let picture = BoardPicturing { steps in
        StepBoard(
            "loads of the map", listing: ["move", "wait", "load", "skip", "tap"], of: steps,
            columns: ["time", "overlap", "count", "total", "region"]
        ) { step in
            switch step.kind {
            case "load", "tap": .kept
            case "skip": .refused
            default: .waiting
            }
        }
    }

    /// The event as a trace step.
    var step: TraceStep {
        TraceStep(kind.rawValue, values.filter { $0.0 != "kind" && $0.0 != "why" }, why: why)
    }
}
