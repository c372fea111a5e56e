import Foundation
import Geodesy

/// Walks between stops directly from a feed's text: pathways by the Floyd–Warshall algorithm.
struct PlainWays {
    let isCalled: [Bool]
    private let rows: [PlainRow?]
    private let ids: [String]
    private let places: [Coordinate]
    /// Seconds along pathways; `nil` if not connected.
    private var seconds: [[Int?]]
    private var hasPathways: [Bool]
    private let needsWheelchair: Bool
    private let station: [String]
    /// The entrances that can be used.
    private let entrances: [Int]

    init(
        _ tables: [String: String], stops: [String], places: [Coordinate], isCalled: [Bool],
        walk: (Double) -> Int, needsWheelchair: Bool
    ) {
        (self.isCalled, self.places, self.needsWheelchair, ids) = (isCalled, places, needsWheelchair, stops)
        let known = Dictionary(
            PlainTables.rows(tables["stops.txt"]).map { ($0["stop_id"] ?? "", $0) },
            uniquingKeysWith: { first, _ in first })
        rows = stops.map { known[$0] }
        station = stops.map { id in
            let parent = known[id]?["parent_station"] ?? ""
            let above = known[parent]?["parent_station"] ?? ""
            return above.isEmpty ? (parent.isEmpty ? id : parent) : above
        }
        entrances = rows.indices.filter { [rows] stop in
            rows[stop]?["location_type"] == "2"
                && !(needsWheelchair && rows[stop]?["wheelchair_boarding"] == "2")
        }
        seconds = stops.map { _ in stops.map { _ in nil } }
        hasPathways = stops.map { _ in false }
        let index = Dictionary(stops.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        for row in PlainTables.rows(tables["pathways.txt"]) {
            guard let from = index[row["from_stop_id"] ?? ""], let to = index[row["to_stop_id"] ?? ""],
                from != to
            else { continue }
            hasPathways[from] = true
            hasPathways[to] = true
            if needsWheelchair, ["2", "4"].contains(row["pathway_mode"]) { continue }
            let time =
                Int(row["traversal_time"] ?? "")
                ?? (row["pathway_mode"] == "5" ? 60 : walk(places[from].distance(to: places[to])))
            seconds[from][to] = min(seconds[from][to] ?? .max, time)
            if row["is_bidirectional"] == "1" { seconds[to][from] = min(seconds[to][from] ?? .max, time) }
        }
        for between in stops.indices where hasPathways[between] {
            for from in stops.indices {
                guard let first = seconds[from][between] else { continue }
                for to in stops.indices {
                    guard let second = seconds[between][to] else { continue }
                    seconds[from][to] = min(seconds[from][to] ?? .max, first + second)
                }
            }
        }
    }

    /// Whether a stop is marked as not wheelchair accessible, by itself or else by its station.
    func isClosed(_ stop: Int) -> Bool {
        let own = rows[stop]?["wheelchair_boarding"] ?? ""
        if own == "1" || own == "2" { return own == "2" }
        guard let parent = ids.firstIndex(of: rows[stop]?["parent_station"] ?? "") else { return false }
        return rows[parent]?["wheelchair_boarding"] == "2"
    }

    /// The doors of a stop.
    func doors(of stop: Int, isInward: Bool) -> [(coordinate: Coordinate, seconds: Int)] {
        let entrances = entrances.filter { seconds[stop][$0] != nil || seconds[$0][stop] != nil }
        if entrances.isEmpty { return [(places[stop], 0)] }
        return entrances.compactMap { entrance in
            (isInward ? seconds[entrance][stop] : seconds[stop][entrance]).map { (places[entrance], $0) }
        }
    }

    /// Seconds of each change.
    func changes(
        change: Int, most: Double, walk: (Double) -> Int, _ tables: [String: String]
    ) -> [[(stop: Int, seconds: Int)]] {
        let outward = ids.indices.map { doors(of: $0, isInward: false) }
        let inward = ids.indices.map { doors(of: $0, isInward: true) }
        var found = ids.indices.map { from in
            ids.indices.map { to -> Int? in
                guard isCalled[from], isCalled[to] else { return nil }
                if from == to { return change }
                if hasPathways[from], hasPathways[to], station[from] == station[to] {
                    return seconds[from][to].map { change + $0 }
                }
                var best: Int?
                for out in outward[from] {
                    for into in inward[to] {
                        let metres = out.coordinate.distance(to: into.coordinate)
                        guard metres <= most else { continue }
                        best = min(best ?? .max, change + out.seconds + walk(metres) + into.seconds)
                    }
                }
                return best
            }
        }
        func parts(_ id: String) -> [Int] {
            ids.indices.filter { (ids[$0] == id || rows[$0]?["parent_station"] == id) && isCalled[$0] }
        }
        // Of two rules for one change the first counts.
        var seen: Set<String> = []
        let rules = PlainTables.rows(tables["transfers.txt"]).filter { rule in
            seen.insert("\(rule["from_stop_id"] ?? "")>\(rule["to_stop_id"] ?? "")").inserted
        }
        for isOfStation in [true, false] {
            for rule in rules {
                let (from, to) = (rule["from_stop_id"] ?? "", rule["to_stop_id"] ?? "")
                let stations = [from, to].contains { id in
                    ids.firstIndex(of: id).map { rows[$0]?["location_type"] == "1" } ?? false
                }
                guard stations == isOfStation else { continue }
                let time = Int(rule["min_transfer_time"] ?? "")
                for start in parts(from) {
                    for end in parts(to) {
                        let known = found[start][end]
                        switch rule["transfer_type"] {
                        case "3": found[start][end] = nil
                        case "1": found[start][end] = time ?? 0
                        case "2": found[start][end] = time ?? known ?? change
                        default:
                            found[start][end] =
                                time ?? known ?? change + walk(places[start].distance(to: places[end]))
                        }
                    }
                }
            }
        }
        return found.map { row in row.enumerated().compactMap { stop, time in time.map { (stop, $0) } } }
    }
}
