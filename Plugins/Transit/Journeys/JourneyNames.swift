import CivilTime
import Geodesy
import PluginKit

/// Texts for the steps of a search.
struct JourneyNames: Sendable {
    /// Titles of stops by their indexes; empty without a trace.
    var stops: [String] = []
    /// Their coordinates.
    var coordinates: [Coordinate?] = []
    var routes: [Int64: Feed.Route] = [:]
    /// Whether the search runs backwards in time.
    var isBackwards = false

    private func stop(_ index: Int) -> Value { .text(stops.indices.contains(index) ? stops[index] : "") }

    private func coordinate(_ index: Int) -> Value {
        coordinates.indices.contains(index) ? Value(coordinates[index], Value.coordinate) : .nothing
    }

    private func moment(_ time: Int) -> Value {
        .date(Timestamp(milliseconds: Int64(isBackwards ? -time : time) * 1000))
    }

    static func started(_ request: JourneyRequest) -> TraceStep {
        .start(
            [
                ("from", .coordinate(request.from)), ("to", .coordinate(request.to)),
                ("time", .date(Timestamp(milliseconds: Int64(request.time) * 1000))),
                ("changes", .integer(request.changes)),
            ],
            why: request.isArrival
                ? "the search runs backwards from the time of arrival; round k finds the journeys with k rides"
                : "the stops within the first walk are reached first; round k finds the journeys with k rides"
        )
    }

    static func ended(_ count: Int) -> TraceStep {
        .end(
            [("journeys", .integer(count))],
            why: count == 0
                ? "no round reaches the destination"
                : "no further round improves a stop, or the maximum number of changes is reached: the remaining journeys are optimal in time or changes"
        )
    }

    func round(_ round: Int, stops: Int, lines: Int) -> TraceStep {
        TraceStep(
            "round", [("round", .integer(round)), ("stops", .integer(stops)), ("lines", .integer(lines))],
            why: round == 1
                ? "the lines at the stops within the first walk are ridden"
                : "the lines at the stops that round \(round - 1) improved are ridden")
    }

    func label(round: Int, at: Int, time: Int, line: JourneyDays.Line, from: Int) -> TraceStep {
        TraceStep(
            "label",
            [
                ("round", .integer(round)), ("stop", stop(at)), ("time", moment(time)),
                ("line", .text(routes[line.route]?.name ?? "")), ("from", stop(Int(line.stops[from]))),
                ("at", coordinate(at)), ("fromAt", coordinate(Int(line.stops[from]))),
            ],
            why: isBackwards ? "nothing found so far leaves later" : "nothing found so far arrives earlier")
    }

    func walk(round: Int, from: Int, to: Int, time: Int) -> TraceStep {
        TraceStep(
            "walk",
            [
                ("round", .integer(round)), ("from", stop(from)), ("stop", stop(to)), ("time", moment(time)),
                ("at", coordinate(to)), ("fromAt", coordinate(from)),
            ],
            why: "on foot for a change")
    }

    func arrival(round: Int, time: Int) -> TraceStep {
        TraceStep(
            "journey", [("round", .integer(round)), ("time", moment(time))],
            why: "the best with \(round, of: "ride"), better than all with fewer")
    }

    func dominated(round: Int, at: Int, time: Int, best: Int) -> TraceStep {
        TraceStep(
            "dominated",
            [("round", .integer(round)), ("stop", stop(at)), ("time", moment(time)), ("best", moment(best))],
            why: "another journey with at most as many rides is at least as good")
    }
}
