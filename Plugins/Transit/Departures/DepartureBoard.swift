import Foundation
import GRDB
import PluginKit
import TrailStores

/// The departures from a stop.
package struct DepartureBoard: Sendable {
    package var departures: [Departure]
    /// The next departure, searched only if there is none in the window.
    package var next: Departure?
    var side = BoardSide.departures
    /// The start of the search, seconds since 1970.
    var asked: Double
    /// The age of the realtime information and whether it is used; `nil` without any.
    var information: String?
    /// A note that days of the board are outside the feed's validity; `nil` if all are in it.
    var validity: String?
    /// The active alerts about the stop, its lines or the listed trips.
    var alerts: [ServiceAlert] = []

    /// The message if there is no departure in the window.
    static let none = "No upcoming departures at this time"
}

/// A run at a stop: its scheduled departure, and its realtime data.
struct BoardRun: Sendable {
    var row: DepartureRow
    var live: LiveCall?
    /// The run of a message; `nil` for one of the schedule alone.
    var run: LiveRun?
    /// Its call here.
    var call: LiveRun.Call?

    /// The expected time, in seconds since 1970; the planned one without a prediction.
    func expected(_ side: BoardSide) -> Int { side.time(live) ?? row.time }
}

extension Feed {
    /// The departures of a stop and its platforms from an instant (seconds since 1970), from the schedule alone.
    package func board(of stop: StopRecord, at moment: Double, within window: Double, limit: Int) throws
        -> DepartureBoard
    {
        try StopBoard(self, stop).board(at: moment, within: window, limit: limit, live: nil)
    }
}
