import CivilTime
import Core
import Geodesy

/// Segments, pauses and the times of records, once all messages are there.
extension FITBuilder {
    mutating func endSegment() {
        if !segment.isEmpty { segments.append(segment) }
        segment = []
    }

    /// Leaves out sessions that another one of the same start repeats, as after a device has finished a file twice: the longer one stays.
    mutating func dropRepeatedSessions() {
        var kept: [Session] = []
        var indexes: [Timestamp: [Int]] = [:]
        for session in sessions {
            let twin = session.start.flatMap { indexes[$0] }?.first { index in
                kept[index].sport == session.sport || min(kept[index].length, session.length) == 0
            }
            guard let twin else {
                if let start = session.start { indexes[start, default: []].append(kept.count) }
                kept.append(session)
                continue
            }
            if session.length >= kept[twin].length { kept[twin] = session }
        }
        guard kept.count < sessions.count else { return }
        doubts.append(
            "\(sessions.count - kept.count, of: "session") with the start of another one: left out")
        sessions = kept
    }

    /// Sets the starts of laps right that no lap can have: before all records, or that of another lap which ended at another time. When a
    /// lap ended and how long it was says when it began, if that is within the records; otherwise its start is unknown.
    mutating func correctLapStarts() {
        let times = segments.joined().compactMap(\.time) + unplaced.map(\.time)
        guard let first = times.min(), let last = times.max() else { return }
        let records = first.advanced(bySeconds: -FITProfile.leastLapLead)...last
        let known = zip(laps, lapEnds).compactMap { lap, end in
            lap.start.flatMap { start in end.map { (start, $0) } }
        }
        let shared = Set(
            Dictionary(grouping: known, by: \.0).filter { Set($0.value.map(\.1)).count > 1 }.keys)
        var (derived, unknown) = (0, 0)
        for (index, end) in lapEnds.enumerated() {
            guard let start = laps[index].start, !records.contains(start) || shared.contains(start),
                let seconds = laps[index].elapsed ?? laps[index].seconds, seconds > 0
            else { continue }
            // A lap before the first record is one of a device that found its place later.
            if let end, end < first, !shared.contains(start) { continue }
            let begin = end?.advanced(bySeconds: -seconds)
            if let begin, records.contains(begin) {
                guard abs(begin.seconds(since: start)) > FITProfile.boundary else { continue }
                laps[index].start = begin
                derived += 1
            } else {
                laps[index].start = nil
                unknown += 1
            }
        }
        if derived > 0 {
            doubts.append(
                "\(derived, of: "lap") with a start that is none: taken from when it ended and how long it was"
            )
        }
        if unknown > 0 { doubts.append("\(unknown, of: "lap") with a start that is none: unknown") }
    }

    /// Puts laps in the order of their starts; one without a start stays behind the one before it.
    mutating func orderLaps() {
        let starts = laps.compactMap(\.start)
        guard zip(starts, starts.dropFirst()).contains(where: { $1 < $0 }) else { return }
        var last = starts[0]
        let keys = laps.map { lap in
            last = lap.start ?? last
            return last
        }
        laps = laps.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { laps[$0] }
    }

    /// Cuts segments between the last point before a pause and the first after it.
    mutating func splitAtPauses() {
        guard timer.hasPauses else { return }
        segments = segments.flatMap { segment in
            var parts: [[GPXPoint]] = []
            var first = 0
            for index in segment.indices.dropFirst() {
                guard let before = segment[index - 1].time, let after = segment[index].time,
                    timer.hasPause(from: before, to: after)
                else { continue }
                parts.append(Array(segment[first..<index]))
                first = index
            }
            return parts + [Array(segment[first...])]
        }
    }

    /// Joins the position and the measurements of one moment, which some devices write as records of their own.
    mutating func joinRecords() {
        guard !segments.isEmpty, !unplaced.isEmpty else { return }
        var waiting: [Timestamp: PointSensors] = [:]
        for sample in unplaced { waiting[sample.time, default: PointSensors()].fill(sample.sensors) }
        var joined: Set<Timestamp> = []
        for index in segments.indices {
            for point in segments[index].indices {
                guard let time = segments[index][point].time, let sensors = waiting[time] else { continue }
                segments[index][point].sensors.fill(sensors)
                joined.insert(time)
            }
        }
        let before = unplaced.count
        unplaced.removeAll { joined.contains($0.time) }
        account.leaveOut("joined with the position of their moment", count: before - unplaced.count)
    }

    /// Makes the times unknown that a device wrote before it set its clock back: its records are in the order in which they were made.
    mutating func forgetUnsetClock() {
        var last: Timestamp?
        let isInOrder = segments.joined().allSatisfy { point in
            defer { last = point.time ?? last }
            guard let last, let time = point.time else { return true }
            return last.seconds(since: time) <= FITProfile.leastClockStep
        }
        guard !isInOrder else { return }
        // The points that have a time.
        let timed = segments.indices.flatMap { segment in
            segments[segment].indices.filter { segments[segment][$0].time != nil }.map { (segment, $0) }
        }
        let times = timed.compactMap { segments[$0.0][$0.1].time }
        func coordinate(_ point: (Int, Int)) -> Coordinate { segments[point.0][point.1].coordinate }
        func back(at index: Int) -> Double { times[index - 1].seconds(since: times[index]) }
        // Where the times around one go on, that one is wrong, and not the clock.
        func isAlone(_ index: Int) -> Bool {
            guard times.indices.contains(index - 1), times.indices.contains(index + 1) else { return false }
            return (0...FITProfile.leastClockStep).contains(times[index + 1].seconds(since: times[index - 1]))
        }
        guard
            let early = times.indices.dropFirst().last(where: {
                back(at: $0) > FITProfile.leastClockStep && !isAlone($0) && !isAlone($0 - 1)
            }),
            Double(early) <= PlausibleSettings.fewPoints * Double(times.count),
            // What is there twice goes back to where it was, and the clock does not.
            !zip(timed[..<early], times).contains(where: { point, time in
                time == times[early] && coordinate(point) == coordinate(timed[early])
            })
        else { return }
        for (segment, point) in timed.prefix(early) { segments[segment][point].time = nil }
        doubts.append(
            "the device set its clock back by \(ReadableText.duration(back(at: early))): "
                + "the times of the first \(early, of: "point") are unknown")
    }

    /// Gives the heart rates of a strap's memory to the records that have none.
    mutating func takeStrapMemory() {
        guard !strap.isEmpty else { return }
        var joined = 0
        for index in segments.indices {
            for place in segments[index].indices where segments[index][place].sensors.heartRate == nil {
                guard let rate = segments[index][place].time.flatMap(strap.rate) else { continue }
                segments[index][place].sensors.heartRate = rate
                joined += 1
            }
        }
        for index in unplaced.indices where unplaced[index].sensors.heartRate == nil {
            guard let rate = strap.rate(at: unplaced[index].time) else { continue }
            unplaced[index].sensors.heartRate = rate
            joined += 1
        }
        notice(
            "heart rates of a strap's memory: \(strap.count), "
                + (joined > 0 ? "joined with \(joined, of: "record")" : "of no record, not kept"))
    }

    /// Of records in a pool, takes the way from its lengths: the count of metres of a record grows at the end of a length only, or is not
    /// written, and says nothing of when somebody swam.
    mutating func takeLengths() {
        guard segments.isEmpty, let first = unplaced.map(\.time).min(), let last = unplaced.map(\.time).max(),
            lengths.contains(where: { $0.isActive == false || $0.isActive == true })
        else { return }
        let pools = PoolLengths(sessions)
        var spans: [UnplacedSample.Span] = []
        for length in lengths.sorted(by: { $0.start < $1.start }) {
            guard let isActive = length.isActive, length.end > length.start,
                spans.last.map({ length.start.seconds(since: $0.end) >= -FITProfile.boundary }) ?? true,
                let metres = isActive ? pools.metres(at: length.start) : 0
            else { return }
            spans.append(.init(start: length.start, end: length.end, metres: metres))
        }
        // Drills are no lengths: what the device counts beside them has no time.
        let way = spans.reduce(0) { $0 + ($1.metres ?? 0) }
        let counted = sessions.compactMap(\.totals.distance).reduce(0, +)
        guard way > 0, counted == 0 || abs(counted - way) <= way * FITProfile.uncountedShare else { return }
        var (done, index) = (0.0, 0)
        for place in unplaced.indices.sorted(by: { unplaced[$0].time < unplaced[$1].time }) {
            let time = unplaced[place].time
            while index < spans.count, spans[index].end <= time {
                done += spans[index].metres ?? 0
                index += 1
            }
            var here = done
            if index < spans.count, case let span = spans[index], span.start < time {
                here +=
                    (span.metres ?? 0) * time.seconds(since: span.start) / span.end.seconds(since: span.start)
            }
            unplaced[place].sensors.distance = here
        }
        // The ends of lengths between the records.
        let known = Set(unplaced.map(\.time))
        let ends = UnplacedSample.summaries(of: spans).filter {
            !known.contains($0.time) && $0.time > first && $0.time < last
        }
        unplaced = (unplaced + ends).sorted { $0.time < $1.time }
        summaries += ends.count
        notice("the way in the pool and its rests are from its \(spans.count) lengths")
    }

    /// Of a file without any record that has a time, takes what the device summed up: the lengths of a pool, its laps, or its totals.
    mutating func takeSummaries() {
        guard segments.isEmpty, unplaced.isEmpty, !isCourse else { return }
        let pools = PoolLengths(sessions)
        let spans: [UnplacedSample.Span]
        let words: String
        if !lengths.isEmpty {
            spans = lengths.map { length in
                .init(
                    start: length.start, end: length.end,
                    metres: length.isActive == false
                        ? 0 : length.isActive.flatMap { _ in pools.metres(at: length.start) })
            }
            words = "\(lengths.count, of: "length") of the pool"
        } else if laps.count > 1 {
            spans = laps.compactMap { lap in
                guard let start = lap.start, let seconds = lap.elapsed ?? lap.seconds else { return nil }
                return .init(start: start, end: start.advanced(bySeconds: seconds), metres: lap.distance)
            }
            words = "\(spans.count, of: "lap")"
        } else {
            spans = sessions.compactMap { session in
                guard let start = session.start, let seconds = session.totals.elapsed else { return nil }
                return .init(
                    start: start, end: start.advanced(bySeconds: seconds), metres: session.totals.distance)
            }
            words = "totals"
        }
        unplaced = UnplacedSample.summaries(of: spans)
        guard !unplaced.isEmpty else { return }
        summaries += unplaced.count
        doubts.append("no record has a time: the way and its times are from the device's \(words)")
    }

    /// Seconds by which the pauses of the events are longer than the device's timer stood; `nil` if it does not say.
    private var excessOfPauses: Double? {
        let known = sessions.compactMap { session -> Double? in
            guard let timer = session.totals.timer, let elapsed = session.totals.elapsed,
                let start = session.start
            else { return nil }
            let paused = self.timer.paused(from: start, to: start.advanced(bySeconds: elapsed))
            let excess = paused - (elapsed - timer)
            return excess > max(FITProfile.leastContradiction, elapsed * FITProfile.contradiction)
                ? excess : 0
        }
        return known.count == sessions.count ? known.reduce(0, +) : nil
    }

    /// Leaves out what a device wrote while its timer stood still: it is no part of the activity, and no total counts it. Where the timer
    /// ran for longer than the events say, the records stay.
    mutating func leaveOutPauses() {
        guard timer.hasPauses else { return }
        var count = 0
        func isPaused(_ time: Timestamp?) -> Bool { time.map(timer.isPaused) ?? false }
        if let excess = excessOfPauses, excess > 0 {
            let inside = segments.joined().count { isPaused($0.time) } + unplaced.count { isPaused($0.time) }
            guard inside == 0 else {
                return doubts.append(
                    "\(inside, of: "record") within pauses of the events are kept: by its own sum the device's timer ran for "
                        + "\(ReadableText.duration(excess)) of them")
            }
        }
        for index in segments.indices {
            let before = segments[index].count
            segments[index].removeAll { isPaused($0.time) }
            count += before - segments[index].count
        }
        segments.removeAll(where: \.isEmpty)
        let before = unplaced.count
        unplaced.removeAll { isPaused($0.time) }
        count += before - unplaced.count
        account.leaveOut("while the timer stood still", count: count)
        if count > 0 {
            doubts.append("\(count, of: "record") while the timer stood still: left out of the activity")
        }
    }

    /// Says where the device's own timer contradicts its pauses, and that these are used: only they say when.
    mutating func compareTimer(of session: Session) {
        guard !isCourse, let timer = session.totals.timer, let elapsed = session.totals.elapsed,
            let start = session.start
        else { return }
        let end = start.advanced(bySeconds: elapsed)
        // A stop without a start after it lasts until the end.
        let lastStop = self.timer.stopped.map { max(0, end.seconds(since: max($0, start))) } ?? 0
        let paused = lastStop + self.timer.paused(from: start, to: end)
        let stood = elapsed - timer
        guard stood > 0,
            abs(stood - paused) > max(FITProfile.leastContradiction, elapsed * FITProfile.contradiction)
        else {
            return
        }
        let words = "the device's timer stood for \(ReadableText.duration(stood))"
        doubts.append(
            !self.timer.hasPauses
                ? "\(words), but no event says when: rests are found by speed alone"
                : "\(words), its pauses last \(ReadableText.duration(paused)): the pauses are used, since they say when"
        )
    }
}

/// The lengths of the pools of sessions, by when these begin: a device that is taken to another pool begins another session.
private struct PoolLengths {
    /// Sessions in a pool in the order of their starts, the first of those that begin together; one without a start comes before all.
    private let swims: [(start: Int64, metres: Double)]
    private let first: Double?

    init(_ sessions: [FITBuilder.Session]) {
        let all = sessions.compactMap { session in
            session.poolLength.map { (start: session.start?.milliseconds ?? .min, metres: $0) }
        }
        first = all.first?.metres
        swims = Dictionary(all.map { ($0.start, $0.metres) }) { first, _ in first }
            .map { (start: $0.key, metres: $0.value) }.sorted { $0.start < $1.start }
    }

    /// Metres of the pool at a time; `nil` without any.
    func metres(at time: Timestamp) -> Double? {
        let next = swims.partitionIndex { $0.start > time.milliseconds }
        return next > 0 ? swims[next - 1].metres : first
    }
}
