import CivilTime
import PluginKit

/// What positions of vehicles say of their runs.
extension LiveTimetableMaker {
    /// A vehicle of a message that is recent enough.
    func isRecent(_ vehicle: RealtimeFeed.Vehicle) -> Bool {
        vehicle.trip.unreadable == nil && time(of: vehicle) >= snapshot.time - TransitSettings.staleAfter
    }

    func time(of vehicle: RealtimeFeed.Vehicle) -> Int {
        vehicle.time ?? vehicle.messageTime ?? snapshot.time
    }

    /// The run of the timetable of a vehicle; `nil` if it is unknown, beside a headway, or one that the timetable does not have.
    mutating func run(of vehicle: RealtimeFeed.Vehicle) throws -> UpdateMatcher.Run? {
        guard vehicle.trip.unknownRelationship == nil,
            ![.added, .new, .duplicated].contains(vehicle.trip.relationship)
        else { return nil }
        let update = RealtimeFeed.TripUpdate(id: vehicle.id, trip: vehicle.trip)
        guard case .run(let found) = try matcher.find(update, at: time(of: vehicle)), !found.isOffGrid else {
            return nil
        }
        return found
    }

    /// The newest positions by their runs, in the order of the message, of runs that keep their calls and of which no update says
    /// anything; `nil` where two that are as new as each other differ.
    mutating func newestPositions() throws -> [(
        run: UpdateMatcher.Run, vehicle: RealtimeFeed.Vehicle?, time: Int
    )] {
        let known = Set(runs.compactMap(\.key))
        let added = Set(runs.filter { $0.kind == .added }.map(\.trip))
        var positions: [(run: UpdateMatcher.Run, vehicle: RealtimeFeed.Vehicle?, time: Int)] = []
        var indices: [LiveRun.Key: Int] = [:]
        for vehicle in snapshot.feed.vehicles
        where vehicle.hasProgress && isRecent(vehicle) && !added.contains(vehicle.trip.trip) {
            try Interruption.check()
            guard [.scheduled, .unscheduled].contains(vehicle.trip.relationship),
                let found = try run(of: vehicle)
            else { continue }
            let key = LiveRun.Key(trip: found.trip.row, day: found.day, start: found.start)
            let time = time(of: vehicle)
            guard !known.contains(key) else { continue }
            guard let index = indices[key] else {
                indices[key] = positions.count
                positions.append((found, vehicle, time))
                continue
            }
            let other = positions[index]
            if time > other.time {
                positions[index] = (found, vehicle, time)
            } else if time == other.time,
                other.vehicle?.sequence != vehicle.sequence || other.vehicle?.progress != vehicle.progress
            {
                positions[index].vehicle = nil
            }
        }
        return positions
    }

    /// Makes runs late of which no update says anything, and whose vehicles have not reached or not left a call in time.
    mutating func takeProgress() throws {
        for case (let found, let vehicle?, let time) in try newestPositions() {
            var run = try planned(found.trip, found.day, found.start)
            guard let next = vehicle.nextCall(try calls(of: run)),
                !(next.isThere && next.index == run.calls.count - 1)
            else { continue }
            let call = run.calls[next.index]
            let late = time - (next.isThere ? call.departure : call.arrival)
            guard (TransitSettings.timeSlack...TransitSettings.mostLateness).contains(late) else { continue }
            if next.isThere, let stop = try feed.stops.rows([call.stop]).first,
                let away = vehicle.distance(from: stop)
            {
                positionVerdicts.append(
                    UpdateVerdict(
                        update: vehicle.id, trip: vehicle.trip.trip, relationship: UpdateVerdict.position,
                        outcome: .refused,
                        why:
                            "vehicle \(vehicle.id) is said to stand at \(stop.title), and its place is \(away) from it"
                    ))
                continue
            }
            let why =
                "vehicle \(vehicle.id) \(next.isThere ? "is still at" : "has not reached") its call \(next.index + 1) at "
                + RealtimeView.moment(time, feed.zone(ofRoute: found.trip.route))
                + (found.isPlain ? "" : "; \(found.why)")
            for index in next.index..<run.calls.count {
                let own = run.calls[index]
                let came = next.isThere && index == next.index ? own.arrival : own.arrival + late
                run.calls[index].live = LiveCall(
                    arrival: came, departure: own.departure + late, isDerived: true,
                    isInexact: found.isInexact, why: why)
            }
            (run.update, run.time) = (vehicle.id, time)
            runs.append(run)
            positionVerdicts.append(
                UpdateVerdict(
                    update: vehicle.id, trip: vehicle.trip.trip, relationship: UpdateVerdict.position,
                    outcome: .applied, why: why,
                    run: "\(run.trip) of \(run.day.text) \(ServiceDay.scheduled(run.start))",
                    isNotable: false))
        }
    }

    /// Gives runs what positions say of their vehicles; a run without other news keeps its planned times. What an update
    /// says stays.
    mutating func takeVehicles() throws {
        var numbers = Dictionary(
            runs.indices.compactMap { index in runs[index].key.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first })
        let added = Dictionary(
            runs.indices.filter { runs[$0].kind == .added }.map { (runs[$0].trip, $0) },
            uniquingKeysWith: { first, _ in first })
        var told: [Int: (time: Int, word: String)] = [:]
        for vehicle in snapshot.feed.vehicles where vehicle.hasFacts && isRecent(vehicle) {
            try Interruption.check()
            let number: Int
            if let known = added[vehicle.trip.trip] {
                number = known
            } else {
                guard let found = try run(of: vehicle) else { continue }
                let key = LiveRun.Key(trip: found.trip.row, day: found.day, start: found.start)
                if let known = numbers[key] {
                    number = known
                } else {
                    var run = try planned(found.trip, found.day, found.start)
                    (run.update, run.time) = (vehicle.id, time(of: vehicle))
                    number = runs.count
                    numbers[key] = number
                    runs.append(run)
                }
            }
            runs[number].wheelchair = runs[number].wheelchair ?? vehicle.wheelchair
            guard let word = vehicle.occupancyWord else { continue }
            // Of several vehicles of a run the newest counts; those as new as each other may be coupled.
            let known = told[number]
            if let known, known.time > time(of: vehicle) { continue }
            let isSame = known.map { $0.time < time(of: vehicle) || $0.word == word } ?? true
            told[number] = (time(of: vehicle), word)
            runs[number].occupancy = isSame ? word : "different in its vehicles"
        }
    }
}
