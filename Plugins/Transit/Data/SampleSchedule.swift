/// The trips of the sample feed.
struct SampleSchedule {
    private(set) var trips =
        "trip_id,route_id,service_id,trip_headsign,direction_id,wheelchair_accessible,bikes_allowed,shape_id\n"
    private var rows: [String] = []
    /// Rows at the end of the table, in order of time: their trips are scattered.
    private var mixed: [(time: Int, row: String)] = []

    private static let header =
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type,shape_dist_traveled\n"

    var stopTimes: String {
        let sorted = mixed.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        return Self.header + (rows + sorted.map(\.element.row)).map { $0 + "\n" }.joined()
    }

    /// A call: minutes after the start, `nil` for a blank time.
    private struct Call {
        var stop: String
        var minutes: Int?
        var wait = 0
        var headsign = ""
        var pickup = ""
        var distance = ""
    }

    /// The whole timetable.
    static let all: SampleSchedule = {
        var schedule = SampleSchedule()
        schedule.addTrains()
        schedule.addBuses()
        schedule.addTram()
        schedule.addNight()
        return schedule
    }()

    private mutating func add(
        _ id: String, _ route: String, _ service: String, _ headsign: String, direction: Int = 0,
        wheelchair: String = "", at start: Int, short: Bool = false, mixed isMixed: Bool = false,
        _ calls: [Call]
    ) {
        let shape = route == "S1" && direction == 0 ? "rail" : ""
        trips += "\(id),\(route),\(service),\(headsign),\(direction),\(wheelchair),1,\(shape)\n"
        for (index, call) in calls.enumerated() {
            let arrival = call.minutes.map { Self.clock(start + $0, short: short) } ?? ""
            let departure = call.minutes.map { Self.clock(start + $0 + call.wait, short: short) } ?? ""
            // Numbers only have to increase.
            let row =
                "\(id),\(arrival),\(departure),\(call.stop),\(index * 5 + 1),\(call.headsign),\(call.pickup),"
                + call.distance
            if isMixed { mixed.append((start + (call.minutes ?? 0), row)) } else { rows.append(row) }
        }
    }

    /// `08:05:00`, or `8:05:00`.
    private static func clock(_ minutes: Int, short: Bool) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let hours = minutes / 60
        return "\(short ? "\(hours)" : two(hours)):\(two(minutes % 60)):00"
    }

    // MARK: Trains

    private mutating func addTrains() {
        for (service, step) in [("WD", 30), ("SA", 60), ("SU", 60)] {
            for start in stride(from: 310, to: 1440, by: step) {
                add(
                    "S1-\(service)-out-\(start)", "S1", service, "Airport", wheelchair: "1", at: start,
                    [
                        Call(stop: "CEN1", minutes: 0, wait: 2), Call(stop: "UNI", minutes: 9, wait: 1),
                        Call(stop: "AIR", minutes: 20),
                    ])
            }
            for start in stride(from: 325, to: 1440, by: step) {
                add(
                    "S1-\(service)-back-\(start)", "S1", service, "", direction: 1, wheelchair: "1",
                    at: start,
                    mixed: true,
                    [
                        Call(stop: "AIR", minutes: 0), Call(stop: "UNI", minutes: 10, wait: 1),
                        Call(stop: "CEN2b", minutes: 19, wait: 3), Call(stop: "HAR2", minutes: 27),
                    ])
            }
        }
    }

    // MARK: Buses and the ferry

    private mutating func addBuses() {
        for start in stride(from: 425, to: 1200, by: 20) {
            // Times only at the ends: those between are interpolated by distance.
            add(
                "B10-\(start)", "B10", "WD", "Harbour", at: start, short: true,
                [
                    Call(stop: "BAYA", minutes: 0, distance: "0"), Call(stop: "MIL", distance: "800.5"),
                    Call(stop: "SQE", distance: "2400"), Call(stop: "HAR2", minutes: 16, distance: "3200"),
                ])
        }
        for (service, first) in [("WD", 420), ("SU", 540)] {
            for start in stride(from: first, to: 1260, by: 30) {
                // Without distances they are interpolated evenly. The headsign changes on the way, and
                // boarding is not allowed at the bridge.
                add(
                    "B2-\(service)-\(start)", "B2", service, "Square", at: start,
                    [
                        Call(stop: "BAYB", minutes: 0, headsign: "Square via Mill"), Call(stop: "MIL"),
                        Call(stop: "SQE"), Call(stop: "CAF", minutes: 10, headsign: "Bridge"),
                        Call(stop: "BRI", minutes: 12, pickup: "1"), Call(stop: "CAF", minutes: 15),
                    ])
            }
        }
        for start in [480, 720, 960] {
            let count = SampleFeed.gardenColumns * SampleFeed.gardenRows
            let calls =
                [Call(stop: "BAYC", minutes: 0)]
                + (1...count).map { Call(stop: "GAR\($0)", minutes: $0 + 4) }
            add("B7-\(start)", "B7", "WD", "Garden Road", at: start, calls)
        }
        for (service, starts) in [("SU", [600, 720, 840]), ("FAIR", [570, 630, 690, 750])] {
            for start in starts {
                add(
                    "F1-\(service)-\(start)", "F1", service, "Isle of Gulls", at: start,
                    [Call(stop: "HAR1", minutes: 0), Call(stop: "ISL", minutes: 25)])
                add(
                    "F1-\(service)-back-\(start)", "F1", service, "Harbour", direction: 1, at: start + 30,
                    [Call(stop: "ISL", minutes: 0), Call(stop: "HAR1", minutes: 25)])
            }
        }
    }

    // MARK: Tram and night bus

    /// The tram calls at Central twice: before and after its loop.
    private mutating func addTram() {
        let loop = [
            Call(stop: "CEN3", minutes: 0), Call(stop: "MIL", minutes: 4), Call(stop: "SQE", minutes: 9),
            Call(stop: "CEN3", minutes: 12, wait: 1), Call(stop: "HAR2", minutes: 18),
        ]
        add("T4-loop", "T4", "WD", "Harbour", wheelchair: "2", at: 0, loop)
        add("T4-sunday", "T4", "SU", "Harbour", wheelchair: "2", at: 600, loop)
        // A trip with a single call has no departure.
        add("T4-depot", "T4", "WD", "Depot", at: 1210, [Call(stop: "CEN3", minutes: 0)])
    }

    /// Nights of Friday and Saturday belong to the day before: 26:35 of Friday is 02:35 of Saturday.
    private mutating func addNight() {
        for start in stride(from: 1415, through: 1655, by: 60) {
            add(
                "N1-\(start)", "N1", "NF", "Airport", at: start,
                [
                    Call(stop: "BAYD", minutes: 0), Call(stop: "CEN3", minutes: 3),
                    Call(stop: "HAR2", minutes: 12),
                    Call(stop: "AIR", minutes: 40),
                ])
        }
    }
}
