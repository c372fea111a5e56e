import PluginKit
import PluginTestKit
import TransitReference

/// A small random feed: two stations with pathways that form cycles, are one-way or have stairs, stops
/// around them, lines by day and night, rules for changes, and partial wheelchair access.
struct RandomTown {
    private(set) var tables: [String: String] = [:]
    /// The trips with their numbers of calls.
    private(set) var trips: [(id: String, calls: Int)] = []
    private var random: Xoshiro256

    init(seed: UInt64) {
        random = Xoshiro256(seed: seed)
        tables["agency.txt"] = "agency_name,agency_url,agency_timezone\nA,http://a.example,Europe/Berlin\n"
        tables["calendar.txt"] =
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
            + "D,1,1,1,1,1,1,1,20260101,20261231\nW,1,1,1,1,1,0,0,20260101,20261231\n"
        let platforms = makeStops()
        makeLines(platforms)
        var rules = "from_stop_id,to_stop_id,transfer_type,min_transfer_time\n"
        for _ in 0..<5 {
            let ends = [pick(platforms + ["S0", "S1"]), pick(platforms + ["S0", "S1"])]
            rules += "\(ends[0]),\(ends[1]),\(pick(0, 3)),\(pick(["", "60", "300"]))\n"
        }
        tables["transfers.txt"] = rules
    }

    private mutating func pick(_ low: Int, _ high: Int) -> Int { Int.random(in: low...high, using: &random) }
    private mutating func pick<T>(_ list: [T]) -> T { list[pick(0, list.count - 1)] }

    private mutating func makeStops() -> [String] {
        var stops = "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding\n"
        var pathways = "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time\n"
        var platforms: [String] = []
        func degrees(_ number: Int) -> String { "50.\(String(1_000_000 + number).dropFirst())" }
        for station in 0...1 {
            let (y, x) = (pick(100_000, 120_000), pick(100_000, 130_000))
            stops += "S\(station),Station \(station),\(degrees(y)),\(degrees(x)),1,,\(pick(0, 2))\n"
            var parts: [String] = []
            for (index, kind) in [0, 0, 0, 2, 2, 3].enumerated() {
                let id = "S\(station)P\(index)"
                if kind == 0 { platforms.append(id) }
                parts.append(id)
                stops +=
                    "\(id),\(id),\(degrees(y + pick(-800, 800))),\(degrees(x + pick(-900, 900))),\(kind),S\(station),"
                    + "\(kind == 3 ? 0 : pick([0, 0, 1, 2]))\n"
            }
            for number in 0..<pick(5, 11) {
                let ends = [pick(parts), pick(parts)]
                pathways +=
                    "\(station)-\(number),\(ends[0]),\(ends[1]),\(pick(1, 5)),\(pick(0, 1)),\(pick(["", "20", "45", "90"]))\n"
            }
        }
        for stop in 0..<9 {
            platforms.append("X\(stop)")
            stops +=
                "X\(stop),Stop \(stop),\(degrees(pick(98_000, 122_000))),\(degrees(pick(98_000, 132_000))),0,,\(pick(0, 2))\n"
        }
        (tables["stops.txt"], tables["pathways.txt"]) = (stops, pathways)
        return platforms
    }

    private mutating func makeLines(_ platforms: [String]) {
        var routes = "route_id,route_short_name,route_type\n"
        var rows = "route_id,service_id,trip_id,wheelchair_accessible,block_id\n"
        var before: (last: String, ends: [(time: Int, service: String)]) = ("", [])
        var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n"
        func clock(_ minutes: Int) -> String {
            "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):00"
        }
        for line in 0..<7 {
            routes += "R\(line),\(line),3\n"
            // A line may call at a stop twice.
            var stops = (0..<pick(3, 6)).map { _ in pick(platforms) }
            // Every other line is made by the vehicles of the line before.
            let isNext = line % 4 != 0
            if isNext { stops[0] = before.last }
            let gaps = stops.map { _ in (pick(1, 9), pick(0, 2)) }
            var ends: [(time: Int, service: String)] = []
            for trip in 0..<pick(6, 14) {
                let id = "T\(line)-\(trip)"
                trips.append((id, stops.count))
                let follows = isNext && trip < before.ends.count
                let service = follows ? before.ends[trip].service : pick(["D", "D", "W"])
                var now = follows ? before.ends[trip].time + pick(0, 6) : pick(300, 1400)
                rows += "R\(line),\(service),\(id),\(pick([0, 1, 1, 2])),V\(line / 4)-\(trip)\n"
                for (call, stop) in stops.enumerated() {
                    let arrival = now
                    now += gaps[call].1
                    times +=
                        "\(id),\(clock(arrival)),\(clock(now)),\(stop),\(call + 1),\(call == 1 && line == 0 ? 1 : 0),"
                        + "\(call == 1 && line == 1 ? 1 : 0)\n"
                    if call == stops.count - 1 { ends.append((arrival, service)) }
                    now += gaps[call].0
                }
            }
            before = (stops[stops.count - 1], ends)
        }
        (tables["routes.txt"], tables["trips.txt"], tables["stop_times.txt"]) = (routes, rows, times)
    }

    /// Realtime data of a run: late or early, also later than following trips, with changing or unknown
    /// delays, skipped stops, or cancelled.
    mutating func updates(days: [Int]) -> [PlainJourneys.Update] {
        days.flatMap { day in
            trips.compactMap { trip in
                guard pick(0, 2) == 0 else { return nil }
                var update = PlainJourneys.Update(trip: trip.id, day: day)
                let sequence = pick(1, trip.calls)
                update.delays = [(sequence, pick(-3, 25) * 60)]
                if sequence + 2 <= trip.calls, pick(0, 2) == 0 {
                    update.delays.append((sequence + 2, pick([nil, pick(-3, 40) * 60])))
                }
                if sequence < trip.calls, pick(0, 3) == 0 { update.skipped = sequence + 1 }
                update.isCancelled = pick(0, 7) == 0
                return update
            }
        }
    }
}
