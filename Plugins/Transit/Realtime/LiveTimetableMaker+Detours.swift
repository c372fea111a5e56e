import CivilTime
import PluginKit

/// Runs that detours change.
extension LiveTimetableMaker {
    func verdict(
        of detour: RealtimeFeed.Detour, _ outcome: UpdateVerdict.Outcome, _ why: String, _ run: LiveRun?
    ) -> UpdateVerdict {
        UpdateVerdict(
            update: detour.id, trip: run?.trip ?? detour.trips.joined(separator: ", "),
            relationship: "MODIFIED", outcome: outcome, why: why,
            run: run.map { "\($0.trip) of \($0.day.text) \(ServiceDay.scheduled($0.start))" })
    }

    /// The runs that detours change.
    mutating func findDetours() throws {
        for (index, detour) in snapshot.feed.detours.enumerated() {
            let fault =
                detour.unreadable ?? (detour.trips.isEmpty ? "it names no trip" : nil)
                ?? (detour.days.isEmpty ? "it names no service date" : nil)
            if let fault {
                detourVerdicts.append(verdict(of: detour, .refused, fault, nil))
                continue
            }
            for id in detour.trips {
                guard let trip = try feed.trips.with(id: id) else {
                    detourVerdicts.append(
                        verdict(of: detour, .unknownTrip, "trip_id \(id) is unknown", nil))
                    continue
                }
                let known = try feed.trips.starts(of: trip).map(\.start)
                let starts = trip.isFrequency && !detour.starts.isEmpty ? detour.starts : known
                for day in detour.days {
                    guard let service = feed.calendar.services.find(trip.service),
                        feed.services(on: day).runs[service]
                    else {
                        detourVerdicts.append(
                            verdict(of: detour, .noRun, "trip \(id) does not run on \(day.text)", nil))
                        continue
                    }
                    for start in starts {
                        guard known.contains(start) else {
                            let why = "trip \(id) has no run at \(ServiceDay.scheduled(start))"
                            detourVerdicts.append(verdict(of: detour, .noRun, why, nil))
                            continue
                        }
                        let key = LiveRun.Key(trip: trip.row, day: day, start: start)
                        if detours[key]?.last != index { detours[key, default: []].append(index) }
                    }
                }
            }
        }
    }

    /// The runs that detours change and of which no update has other news.
    mutating func addDetouredRuns() throws {
        let known = Set(runs.compactMap(\.key))
        let order = detours.sorted {
            ($0.value[0], $0.key.day, $0.key.start, $0.key.trip)
                < ($1.value[0], $1.key.day, $1.key.start, $1.key.trip)
        }
        for (key, indices) in order where !known.contains(key) {
            guard let trip = try feed.trips.with(row: key.trip) else { continue }
            var run = try planned(trip, key.day, key.start)
            run.update = snapshot.feed.detours[indices[0]].id
            if try takeDetours(indices, &run) { runs.append(run) }
        }
    }

    /// Applies the detours of a run, and says so; `false` if they are refused.
    @discardableResult
    mutating func takeDetours(_ indices: [Int], _ run: inout LiveRun) throws -> Bool {
        let own = indices.map { snapshot.feed.detours[$0] }
        let isNew = run.key.map { toldDetours.insert($0).inserted } ?? true
        func report(_ outcome: UpdateVerdict.Outcome, _ why: String) {
            guard isNew else { return }
            for detour in own { detourVerdicts.append(verdict(of: detour, outcome, why, run)) }
        }
        var changes: [DetouredCalls.Change] = []
        var known: Set<RealtimeFeed.Detour.Change> = []
        for detour in own {
            for change in detour.changes where known.insert(change).inserted {
                changes.append(DetouredCalls.Change(detour: detour.id, change: change))
            }
        }
        var stops: [String: Int64] = [:]
        for id in changes.flatMap({ $0.change.namedStops }) { stops[id] = try stop(id)?.number }
        let pattern = try run.pattern.map { try matcher.calls($0) } ?? []
        var notes = [own.count > 1 ? "a detour of several that are combined" : "a detour"]
        let outcome = DetouredCalls(calls: run.calls, pattern: pattern, stops: stops).apply(changes)
        switch outcome {
        case .refused(let why):
            report(.refused, why)
            return false
        case .noCalls(let doubts):
            notes += doubts + ["fewer than two of its calls are left"]
            run.kind = .cancelled
            for index in run.calls.indices {
                run.calls[index].live = LiveCall(kind: .cancelled, why: "detour \(own[0].id)")
            }
        case .applied(let calls, let doubts):
            notes += doubts
            (run.calls, run.kind) = (calls, .changed)
        }
        // Several changes may have the same doubt.
        var said: Set<String> = []
        report(.applied, notes.filter { said.insert($0).inserted }.joined(separator: "; "))
        return true
    }
}
