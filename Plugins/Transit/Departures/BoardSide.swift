/// The side of a board: what leaves a stop, or what arrives there.
enum BoardSide: Sendable {
    case departures, arrivals

    /// Seconds of a call `c` after the trip leaves its first stop.
    func offset(_ layout: FeedLayout) -> String {
        self == .departures
            ? "c.departure_offset_secs" : "coalesce(\(layout.arrival), c.departure_offset_secs)"
    }

    /// `pickup_type` or `drop_off_type` of a call `c`.
    func boarding(_ layout: FeedLayout) -> String { self == .departures ? layout.pickup : layout.dropOff }

    /// Whether a call `c` of a pattern `p` is at the end of the trip that has no such event.
    func isEnd(_ layout: FeedLayout) -> String {
        self == .departures
            ? "c.stop_sequence >= p.last_sequence"
            : "c.stop_sequence = (SELECT min(f.stop_sequence) FROM main.pattern_stops f WHERE f.pid = c.pid)"
    }

    /// Why a call is no row of the board; `nil` if it is one.
    func refusal(isEnd: Bool, boarding: Int) -> String? {
        switch self {
        case .departures:
            isEnd ? "the trip ends here" : boarding == Boarding.none ? "boarding is not allowed here" : nil
        case .arrivals:
            isEnd ? "the trip begins here" : boarding == Boarding.none ? "alighting is not allowed here" : nil
        }
    }

    /// The planned and the expected time of a call of a run, in seconds since 1970.
    func planned(_ call: LiveRun.Call) -> Int { self == .departures ? call.departure : call.arrival }
    func expected(_ call: LiveRun.Call) -> Int {
        self == .departures ? call.expectedDeparture : call.expectedArrival
    }

    /// The time of a call by its realtime data; `nil` without one.
    func time(_ live: LiveCall?) -> Int? { self == .departures ? live?.departure : live?.arrival }

    /// The same, unless it is a bound and no prediction.
    func predicted(_ live: LiveCall?) -> Int? {
        self == .departures ? live?.predictedDeparture : live?.predictedArrival
    }

    /// The message of an empty board.
    var none: String {
        self == .departures ? DepartureBoard.none : "No upcoming arrivals at this time"
    }
}
