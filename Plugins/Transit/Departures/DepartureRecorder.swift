import CivilTime

/// A run that a search for departures considers.
struct ConsideredRun {
    /// Why a run is no departure of the window.
    enum Refusal {
        /// Its service does not run on the day.
        case notRunning
        /// It departs before the window.
        case gone
        /// It departs after the window.
        case tooLate
        /// It has not left the previous of its calls at these stops.
        case atEarlierCall
    }

    var row: DepartureRow
    /// Why it is no candidate; `nil` for a candidate, which is listed unless enough others depart before it.
    var refusal: Refusal?
}

/// Records what a search for departures considers. The search is generic over it: without a record it skips what cannot
/// be listed, with one it decides on every run.
protocol DepartureRecorder {
    /// Whether the search decides on every run.
    static var isRecording: Bool { get }
    /// A service day that reaches into the window, with the number of its services.
    mutating func record(day: CivilDate, reference: Int, services: Int)
    /// A call of a pattern at the stops, with the reason if it is no departure.
    mutating func record(_ call: StopCall, reason: String?)
    /// A run at a call.
    mutating func record(_ run: ConsideredRun)
    /// The result of the search.
    mutating func record(listed rows: [DepartureRow])
}

/// Records nothing and costs nothing.
struct NoDepartureRecord: DepartureRecorder {
    static let isRecording = false

    func record(day: CivilDate, reference: Int, services: Int) {}
    func record(_ call: StopCall, reason: String?) {}
    func record(_ run: ConsideredRun) {}
    func record(listed rows: [DepartureRow]) {}
}

/// What a search considered, in the order of the search.
struct DepartureRecord: DepartureRecorder {
    static let isRecording = true

    private(set) var days: [(day: CivilDate, reference: Int, services: Int)] = []
    private(set) var calls: [(call: StopCall, reason: String?)] = []
    private(set) var runs: [ConsideredRun] = []
    private(set) var listed: [DepartureRow] = []

    mutating func record(day: CivilDate, reference: Int, services: Int) {
        days.append((day, reference, services))
    }

    mutating func record(_ call: StopCall, reason: String?) { calls.append((call, reason)) }

    mutating func record(_ run: ConsideredRun) { runs.append(run) }

    mutating func record(listed rows: [DepartureRow]) { listed = rows }
}
