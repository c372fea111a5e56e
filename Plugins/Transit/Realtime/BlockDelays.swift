import CivilTime
import GRDB
import TrailStores

/// Delays that a vehicle carries over to its next trip: trips of one block are made by one vehicle, and so are those between
/// which riders stay seated (transfers.txt, type 4).
struct BlockDelays {
    private let feed: Feed

    /// A trip of a block.
    struct Member: Sendable {
        var id: String
        var row: Int64
        var start: Int
        var service: Int
        var pattern: Int64
        var route: Int64
    }

    /// The columns of a member.
    fileprivate static let columns = "t.rowid, t.trip_id, t.start_time_secs, t.service_id, t.pid, p.rid"

    init(_ feed: Feed) { self.feed = feed }

    /// Adds, to the runs of a message, the next runs of late vehicles of which it has no news.
    func derive(_ runs: inout [LiveRun]) throws {
        guard feed.layout.hasBlocks || feed.layout.hasTripTransfers, !runs.isEmpty else { return }
        let blocks = try feed.blocks
        guard !blocks.members.isEmpty || !blocks.stated.isEmpty else { return }
        let known = Set(runs.compactMap(\.key))
        var derived: [LiveRun.Key: LiveRun] = [:]
        for run in runs where run.kind == .updated || run.kind == .changed {
            guard let row = run.row else { continue }
            for sequence in sequences(after: row, on: run.day, blocks) {
                var before = run
                for next in sequence {
                    let key = LiveRun.Key(trip: next.row, day: run.day, start: next.start)
                    guard !known.contains(key), let made = try self.run(next, after: before) else { break }
                    // Of two late trips of a vehicle the later one decides.
                    if let other = derived[key],
                        other.calls.first?.expectedDeparture ?? 0
                            >= made.calls.first?.expectedDeparture ?? 0
                    {
                        break
                    }
                    derived[key] = made
                    before = made
                }
            }
        }
        runs += derived.values.sorted { ($0.day, $0.start, $0.trip) < ($1.day, $1.start, $1.trip) }
    }

    /// The later trips of a vehicle on a service day, in order; of a train that is divided, those of each part.
    private func sequences(after row: Int64, on day: CivilDate, _ blocks: Blocks) -> [[Member]] {
        let active = feed.services(on: day)
        let stated = (blocks.stated[row] ?? []).filter { active.runs[$0.service] }
        guard !stated.isEmpty else { return [followers(of: row, on: day, blocks)] }
        return stated.map { next in
            var sequence = [next]
            while sequence.count < JourneySettings.seatedTrips, let last = sequence.last,
                let further = blocks.stated[last.row]?.first(where: {
                    active.runs[$0.service] && $0.start > last.start
                })
            {
                sequence.append(further)
            }
            return sequence
        }
    }

    /// The later trips of a block on a service day, in order.
    private func followers(of row: Int64, on day: CivilDate, _ blocks: Blocks) -> [Member] {
        guard let block = blocks.blockOf[row], let members = blocks.members[block],
            let own = members.first(where: { $0.row == row })
        else { return [] }
        let active = feed.services(on: day)
        return members.filter { active.runs[$0.service] && $0.start > own.start }
    }

    /// The next run of a vehicle, if it is too late for its schedule.
    private func run(_ next: Member, after before: LiveRun) throws -> LiveRun? {
        guard let last = before.lastCall.map({ before.calls[$0] }), last.live != nil else { return nil }
        let base = ServiceDay.reference(before.day, in: feed.zone(ofRoute: next.route)) + next.start
        let calls = try feed.trips.calls(ofPattern: next.pattern)
        guard let first = calls.first else { return nil }
        let late = last.expectedArrival - base - first.departure
        guard late > 0 else { return nil }
        let why = "its vehicle makes trip \(before.trip) before, which arrives too late"
        return LiveRun(
            kind: .updated, trip: next.id, row: next.row, pattern: next.pattern, route: next.route,
            day: before.day, start: next.start,
            calls: calls.map { call in
                LiveRun.Call(
                    stop: call.stop, sequence: call.sequence, arrival: base + call.arrival,
                    departure: base + call.departure, pickup: call.pickup, dropOff: call.dropOff,
                    live: LiveCall(
                        arrival: base + call.arrival + late, departure: base + call.departure + late,
                        isDerived: true, why: why))
            }, update: before.update, time: before.time)
    }
}

/// The trips of the blocks of a timetable.
struct Blocks: Sendable {
    /// The trips of each block by their start.
    var members: [String: [BlockDelays.Member]] = [:]
    var blockOf: [Int64: String] = [:]
    /// The trips in which riders of a trip stay seated, by rules of their own.
    var stated: [Int64: [BlockDelays.Member]] = [:]
}

extension Feed {
    /// The blocks, read on first use.
    var blocks: Blocks {
        get throws {
            if let known = knownBlocks.withLock({ $0 }) { return known }
            var made = Blocks()
            try read { db in
                if layout.hasBlocks {
                    let rows = try RawStatement(
                        db,
                        """
                        SELECT \(BlockDelays.columns), t.block_id FROM \(layout.trips) t
                          JOIN \(layout.patterns) p ON p.pid = t.pid
                          WHERE t.block_id IS NOT NULL AND t.frequency_based = 0 ORDER BY t.start_time_secs, t.trip_id
                        """)
                    while try rows.next() {
                        guard let member = member(rows), let block = rows.text(6), !block.isEmpty else {
                            continue
                        }
                        made.blockOf[member.row] = block
                        made.members[block, default: []].append(member)
                    }
                }
                if layout.hasTripTransfers {
                    let rows = try RawStatement(
                        db,
                        """
                        SELECT \(BlockDelays.columns), a.rowid, a.start_time_secs FROM trip_transfers x
                          JOIN \(layout.trips) a ON a.trip_id = x.from_trip
                          JOIN \(layout.trips) t ON t.trip_id = x.to_trip
                          JOIN \(layout.patterns) p ON p.pid = t.pid
                          WHERE x.transfer_type = 4 AND t.frequency_based = 0 ORDER BY x.rowid
                        """)
                    while try rows.next() {
                        guard let member = member(rows), member.start > ServiceDay.clamped(rows.integer(7))
                        else { continue }
                        made.stated[rows.integer(6), default: []].append(member)
                    }
                }
            }
            knownBlocks.withLock { [made] in $0 = made }
            return made
        }
    }

    /// The trip of a row with `BlockDelays.columns`; `nil` if the calendar does not have its service.
    private func member(_ row: RawStatement) -> BlockDelays.Member? {
        row.bytes(3).flatMap(calendar.services.find).map { service in
            BlockDelays.Member(
                id: row.text(1) ?? "", row: row.integer(0), start: ServiceDay.clamped(row.integer(2)),
                service: service, pattern: row.integer(4), route: row.integer(5))
        }
    }
}
