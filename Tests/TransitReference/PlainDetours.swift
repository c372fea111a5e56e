/// Detours by the GTFS-realtime reference: what they do to the calls of a run. Of several detours of a run the changes are used together.
extension PlainRuns {
    /// The runs that are on a detour, before any update.
    mutating func apply(_ detours: [PlainMessage.Detour]) {
        for place in runs.indices {
            let run = runs[place]
            let isByHeadway = periods[run.trip] != nil
            let own = detours.filter { detour in
                detour.trips.contains(run.trip) && detour.days.contains(run.day)
                    && (!isByHeadway || detour.starts.isEmpty || detour.starts.contains(run.start))
            }
            guard !own.isEmpty else { continue }
            runs[place] = onDetour(run, own.flatMap(\.changes)) ?? run
        }
    }

    /// A run with some changes; `nil` if they contradict each other or are about other trips.
    private func onDetour(_ run: Run, _ changes: [PlainMessage.Detour.Change]) -> Run? {
        // For each call the change that removes it, and before each call the change that inserts stops there.
        var removed: [Int: Int] = [:]
        var inserts: [(place: Int, isInsertion: Bool, change: PlainMessage.Detour.Change)] = []
        var different: [PlainMessage.Detour.Change] = []
        for change in changes where !different.contains(change) {
            different.append(change)
            guard let first = place(change.first, in: run, from: 0) else { continue }
            inserts.append((first, change.last == nil, change))
            guard let selector = change.last else { continue }
            guard let last = place(selector, in: run, from: first) else {
                inserts.removeLast()
                continue
            }
            for call in first...last {
                if removed[call] != nil { return nil }
                removed[call] = first
            }
        }
        if inserts.isEmpty { return nil }
        // Nothing can be inserted in the middle of what another change removes.
        for own in inserts where own.isInsertion {
            if let first = removed[own.place], first != own.place { return nil }
        }
        inserts.sort { ($0.place, $0.isInsertion ? 0 : 1) < ($1.place, $1.isInsertion ? 0 : 1) }
        var calls: [Call] = []
        var late = 0
        for (index, planned) in run.calls.enumerated() {
            for own in inserts where own.place == index {
                let base = run.calls[index > 0 ? index - 1 : 0].arrival + late
                for stop in own.change.stops where known.contains(stop.stop) {
                    var call = Call(stop.stop, nil, base + stop.seconds, base + stop.seconds)
                    call.hasNews = true
                    calls.append(call)
                }
                // What a change delays begins after it; insertions end before this call.
                late += own.change.delay
            }
            guard removed[index] == nil else { continue }
            var call = planned
            call.arrival += late
            call.departure += late
            call.hasNews = late != 0
            calls.append(call)
        }
        var changed = run
        guard calls.count > 1 else {
            changed.state = .cancelled
            return changed
        }
        var latest = Int.min
        for index in calls.indices {
            if calls[index].arrival < latest || calls[index].departure < max(latest, calls[index].arrival) {
                calls[index].hasNews = true
            }
            calls[index].arrival = max(latest, calls[index].arrival)
            calls[index].departure = max(calls[index].arrival, calls[index].departure)
            latest = calls[index].departure
            calls[index].expectedArrival = calls[index].arrival
            calls[index].expectedDeparture = calls[index].departure
        }
        (changed.calls, changed.isReplaced, changed.state) = (calls, true, .updated)
        return changed
    }

    private func place(_ selector: PlainMessage.Detour.Selector, in run: Run, from start: Int) -> Int? {
        if selector.sequence == nil, selector.stop.isEmpty { return nil }
        return run.calls.indices.first { index in
            let call = run.calls[index]
            return index >= start && selector.sequence ?? call.sequence == call.sequence
                && (selector.stop.isEmpty || selector.stop == call.stop)
        }
    }
}
