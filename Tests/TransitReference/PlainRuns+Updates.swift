/// What an update says of its run.
extension PlainRuns {
    mutating func apply(_ update: PlainMessage.Update, to key: Key) {
        guard let trip = timetable.trips.first(where: { $0.id == key.trip }) else { return }
        let place = runs.firstIndex { $0.trip == key.trip && $0.day == key.day && $0.start == key.start }
        var run = place.map { runs[$0] } ?? planned(trip, key.day, key.start)
        // A detour may leave nothing of it.
        let isGone = run.state == .cancelled
        let known = run
        run.state = place == nil ? .added : .updated
        switch update.relation {
        case 7: run.state = .deleted
        case 5:
            guard let calls = calls(of: update) else { return }
            (run.calls, run.isReplaced) = (calls, true)
        case 3: run.state = .cancelled
        case _ where isGone: return
        default:
            guard predict(&run, update) else { return }
            if place == nil {
                // A run beside the headway has no planned times from which it could be late.
                for call in run.served {
                    run.calls[call].arrival = run.calls[call].expectedArrival
                    run.calls[call].departure = run.calls[call].expectedDeparture
                }
            }
            // A run without a call, or with one alone, does not take place.
            if run.served.count < 2, run.calls.contains(where: \.isSkipped) {
                run = known
                run.state = .cancelled
            }
        }
        if let place { runs[place] = run } else if run.state != .deleted { runs.append(run) }
    }

    mutating func add(_ update: PlainMessage.Update) {
        guard !update.trip.isEmpty, let calls = calls(of: update) else { return }
        var run = Run(
            trip: update.trip, day: update.day ?? local(calls[0].departure), start: 0, state: .added,
            calls: calls)
        run.time = update.timestamp ?? 0
        take(run)
    }

    mutating func duplicate(_ update: PlainMessage.Update) {
        guard let trip = timetable.trips.first(where: { $0.id == update.trip }), let copy = update.copy,
            !timetable.trips.contains(where: { $0.id == copy.trip })
        else { return }
        var run = planned(trip, copy.day, copy.start)
        guard predict(&run, update) else { return }
        (run.trip, run.state, run.time) = (copy.trip, .added, update.timestamp ?? 0)
        take(run)
    }

    /// Of two messages about one added run the newer counts.
    private mutating func take(_ run: Run) {
        let place = runs.firstIndex {
            $0.state == .added && $0.trip == run.trip && $0.day == run.day && $0.start == run.start
        }
        guard let place else {
            runs.append(run)
            return
        }
        if run.time > runs[place].time { runs[place] = run }
    }

    /// The calls that an update itself gives; `nil` if they cannot be.
    func calls(of update: PlainMessage.Update) -> [Call]? {
        var calls: [Call] = []
        var before = Int.min / 2
        for entry in inOrder(update.entries) where entry.isPrediction {
            let stop = entry.assigned ?? entry.stop
            guard known.contains(stop) else { continue }
            let instants = [entry.arrival?.time, entry.departure?.time].compactMap { $0 }
            guard let arrives = instants.first, let leaves = instants.last else { return nil }
            if arrives < before - Self.slack || leaves < arrives - Self.slack { return nil }
            let came = max(before, arrives)
            before = max(came, leaves)
            let plans = [entry.arrival?.scheduled, entry.departure?.scheduled].compactMap { $0 }
            var call = Call(stop, nil, plans.first ?? came, plans.last ?? before)
            (call.expectedArrival, call.expectedDeparture) = (came, before)
            call.hasNews = true
            calls.append(call)
        }
        return calls.count < 2 ? nil : calls
    }

    /// Entries by their numbers if all have one.
    private func inOrder(_ entries: [PlainMessage.Entry]) -> [PlainMessage.Entry] {
        guard entries.allSatisfy({ $0.sequence != nil }) else { return entries }
        return entries.indices.sorted {
            (entries[$0].sequence ?? 0, $0) < (entries[$1].sequence ?? 0, $1)
        }.map { entries[$0] }
    }

    /// Gives a run the times of an update; `false` if the update contradicts itself or the run.
    private func predict(_ run: inout Run, _ update: PlainMessage.Update) -> Bool {
        guard let entries = assign(update.entries, run.calls) else { return false }
        var last = Int.min
        for (call, entry) in zip(run.calls, entries) {
            guard let entry else { continue }
            let predicted = [
                entry.arrival?.predicts(call.arrival), entry.departure?.predicts(call.departure),
            ]
            for (time, plan) in zip(predicted, [call.arrival, call.departure]) {
                guard let time else { continue }
                if abs(time - plan) > Self.reach { return false }
                guard entry.isPrediction else { continue }
                if last > Int.min, time < last - Self.slack { return false }
                last = max(last, time)
            }
        }
        for (index, entry) in entries.enumerated() {
            if entry?.relation == 1 { run.calls[index].isSkipped = true }
            guard let entry, entry.isPrediction else { continue }
            if let moved = entry.assigned, known.contains(moved) { run.calls[index].stop = moved }
        }
        settle(&run, entries, update.delay)
        return true
    }

    /// The entry of each call: the one choice, in the order of the run, that fits the instants best.
    private func assign(_ all: [PlainMessage.Entry], _ calls: [Call]) -> [PlainMessage.Entry?]? {
        if all.isEmpty { return calls.map { _ in nil } }
        // Entries that repeat a number: once if they say the same, else not at all.
        var given: [PlainMessage.Entry] = []
        for (index, entry) in all.enumerated() {
            let others = all.indices.filter {
                $0 != index && entry.sequence != nil && all[$0].sequence == entry.sequence
                    && all[$0].stop == entry.stop
            }
            if others.contains(where: { all[$0] != entry || $0 < index }) { continue }
            given.append(entry)
        }
        if given.isEmpty { return nil }
        func isAt(_ entry: PlainMessage.Entry, _ call: Call) -> Bool {
            entry.stop == call.stop || !entry.stop.isEmpty && stations[call.stop] == entry.stop
        }
        func bySequence(_ entry: PlainMessage.Entry, _ call: Call) -> Bool {
            guard let sequence = entry.sequence else { return !entry.stop.isEmpty && isAt(entry, call) }
            let isSamePlace =
                stations[call.stop] != nil && stations[call.stop] == stations[entry.stop]
            return sequence == call.sequence && (entry.stop.isEmpty || isAt(entry, call) || isSamePlace)
        }
        func isRight(_ entries: [PlainMessage.Entry]) -> Bool {
            entries.allSatisfy { entry in entry.sequence == nil || calls.contains { bySequence(entry, $0) } }
        }
        // A number that the trip does not have, unless all numbers are those of another count.
        let numbers = calls.compactMap(\.sequence)
        let rest = given.filter { $0.sequence.map(numbers.contains) ?? true }
        if given.contains(where: \.stop.isEmpty), rest.count < given.count, !rest.isEmpty, isRight(rest) {
            let written = given.compactMap(\.sequence)
            let isOther = (-300...300).contains { shift in
                shift != 0 && written.allSatisfy { numbers.contains($0 + shift) }
            }
            if !isOther { given = rest }
        }
        let isRight = isRight(given)
        // Numbers that contradict the stops are not trusted.
        if !isRight, given.contains(where: \.stop.isEmpty) { return nil }
        let ordered = isRight ? inOrder(given) : given
        let fits = isRight ? bySequence : { !$0.stop.isEmpty && isAt($0, $1) }
        let entries = ordered.filter { entry in calls.contains { fits(entry, $0) } }
        if entries.isEmpty { return nil }
        var best: (price: Int, choices: [[Int]]) = (.max, [])
        func extend(_ chosen: [Int], _ price: Int) {
            guard chosen.count < entries.count else {
                if price < best.price { best = (price, []) }
                if price == best.price { best.choices.append(chosen) }
                return
            }
            let entry = entries[chosen.count]
            for index in calls.indices.dropFirst((chosen.last ?? -1) + 1) where fits(entry, calls[index]) {
                let misses = [
                    entry.arrival?.time.map { abs($0 - calls[index].arrival) },
                    entry.departure?.time.map { abs($0 - calls[index].departure) },
                ]
                extend(chosen + [index], price + (misses.compactMap { $0 }.max() ?? 0))
            }
        }
        extend([], 0)
        guard best.choices.count == 1 else { return nil }
        var found: [PlainMessage.Entry?] = calls.map { _ in nil }
        for (entry, index) in zip(entries, best.choices[0]) { found[index] = entry }
        return found
    }

    /// An arrival or a departure of a call.
    private struct Event {
        var call: Int
        var isArrival: Bool
        var planned: Int
        var time: Int
        var isFixed: Bool
    }

    private func settle(_ run: inout Run, _ entries: [PlainMessage.Entry?], _ delay: Int?) {
        var carried = delay
        var events: [Event] = []
        for (index, call) in run.calls.enumerated() {
            var (arrives, leaves) = (call.arrival, call.departure)
            var (hasArrival, hasDeparture) = (false, false)
            let hadNews = run.calls[index].hasNews
            defer {
                let isMoved = entries[index].map { $0.isPrediction && $0.assigned != nil } ?? false
                let isSilent = entries[index].map { !$0.isPrediction } ?? false
                run.calls[index].hasNews =
                    hadNews || isMoved || !isSilent && (carried != nil || hasArrival || hasDeparture)
            }
            if let entry = entries[index] {
                if !entry.isPrediction {
                    if entry.relation != 1 { carried = nil }
                } else {
                    let came = entry.arrival?.predicts(call.arrival)
                    let left = entry.departure?.predicts(call.departure)
                    (hasArrival, hasDeparture) = (came != nil, left != nil)
                    // A vehicle that is early at the first stop waits there.
                    let least = index == 0 ? 0 : Int.min
                    let late = came.map { max(least, $0 - call.arrival) }
                    if let own = left.map({ $0 - call.departure }) ?? late {
                        carried = own
                    }
                    arrives = came ?? call.arrival + (carried ?? 0)
                    leaves = call.departure + (carried ?? 0)
                    if hasArrival { leaves = max(leaves, arrives) }
                    if hasDeparture, !hasArrival { arrives = min(arrives, leaves) }
                }
            } else {
                arrives += carried ?? 0
                leaves += carried ?? 0
            }
            if call.isSkipped { continue }
            events.append(
                Event(call: index, isArrival: true, planned: call.arrival, time: arrives, isFixed: hasArrival)
            )
            events.append(
                Event(
                    call: index, isArrival: false, planned: call.departure, time: leaves,
                    isFixed: hasDeparture))
        }
        var latest = Int.min
        for index in events.indices where events[index].isFixed {
            events[index].time = max(latest, events[index].time)
            latest = events[index].time
        }
        // What the way before a call without data takes is the last delay.
        var late = 0
        var before = Int.min
        for index in stride(from: 0, to: events.count, by: 2) {
            let hasNews = events[index].isFixed || events[index + 1].isFixed
            let own = events[index + 1].time - events[index + 1].planned
            // Nobody makes the way in less than half of its planned time.
            let way = index > 0 ? events[index].planned - events[index - 1].planned : 0
            if hasNews || own != 0 {
                late = max(0, own)
            } else if index > 0, events[index].time < before + max(0, way) / 2 {
                events[index].time += late
                events[index + 1].time += late
            }
            for event in [index, index + 1] {
                if !events[event].isFixed {
                    let bound = events[(event + 1)...].first(where: \.isFixed)?.time ?? .max
                    events[event].time = min(max(before, events[event].time), bound)
                }
                before = events[event].time
            }
        }
        for event in events {
            if event.time != event.planned { run.calls[event.call].hasNews = true }
            if event.isArrival {
                run.calls[event.call].expectedArrival = event.time
            } else {
                run.calls[event.call].expectedDeparture = event.time
            }
        }
    }
}
