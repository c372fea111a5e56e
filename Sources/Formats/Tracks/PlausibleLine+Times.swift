import CivilTime
import Core
import Geodesy

/// Times of points: years of other calendars, order, weeks of GPS that rolled over, clocks that were not set.
extension PlausibleLine {
    /// Sets years of the Buddhist calendar right, which telephones write that are set to it: its days and months are ours.
    private mutating func readBuddhistYears() {
        guard survey.hasBuddhistYear else { return }
        let years = PlausibleSettings.buddhistYears
        let times = line.segments.joined().compactMap(\.time)
        let strange = times.filter(years.contains)
        // Their 29 February is no date of ours, and was read as what it means.
        guard let earliest = strange.min(),
            times.allSatisfy({ years.contains($0) || PlausibleSettings.isLeapDay($0) })
        else { return }
        for index in line.segments.indices {
            for place in line.segments[index].indices {
                guard let time = line.segments[index][place].time, years.contains(time) else { continue }
                line.segments[index][place].time = PlausibleSettings.withoutBuddhistYears(time)
            }
        }
        line.doubts.append(
            "years of the Buddhist calendar, such as \(Self.words(earliest)), read as those 543 before: "
                + "\(strange.count, of: "point")")
        surveyAgain()
    }

    mutating func checkTimes() {
        readBuddhistYears()
        let years = PlausibleSettings.years
        let strange = survey.strange
        let isClockSet = strange < survey.timed
        unrollWeeks()
        if survey.hasStepBack {
            dropRepeatedPoints()
            undoSetBack()
        }
        // Times in order, without a pause of days, are right.
        guard survey.hasStepBack || survey.span > PlausibleSettings.longestBreak || isClockSet && strange > 0
        else { return }
        if survey.hasStepBack { orderSegments() }
        for index in line.segments.indices {
            if isClockSet, strange > 0 {
                for place in line.segments[index].indices {
                    guard let time = line.segments[index][place].time, !years.contains(time) else { continue }
                    count("time", Self.words(time))
                    line.segments[index][place].time = nil
                }
            }
            order(index)
            checkOrder(of: index)
            checkClock(of: index)
        }
    }

    /// Puts whole segments in the order of their times, as of a program that writes the newest first. Of segments that overlap in time, or
    /// whose own times run to and fro, nothing follows.
    private mutating func orderSegments() {
        guard !isPlan, line.segments.count > 1 else { return }
        let spans = line.segments.map { segment -> (start: Timestamp, end: Timestamp)? in
            let times = segment.compactMap(\.time)
            guard let start = times.first, let end = times.last, start <= end,
                zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 })
            else { return nil }
            return (start, end)
        }
        let known = spans.compactMap(\.self)
        guard known.count == spans.count else { return }
        let places = known.indices.sorted { (known[$0].start, $0) < (known[$1].start, $1) }
        guard places != Array(known.indices),
            zip(places, places.dropFirst()).allSatisfy({ known[$0].end <= known[$1].start })
        else { return }
        line.segments = places.map { line.segments[$0] }
        line.doubts.append("\(places.count) segments put in the order of time")
    }

    /// Times that contradict the others of their segment: those outside the longest series that never runs backwards.
    private mutating func checkOrder(of index: Int) {
        let segment = line.segments[index]
        let timed = segment.indices.filter { segment[$0].time != nil }
        let times = timed.compactMap { segment[$0].time }
        guard zip(times, times.dropFirst()).contains(where: { $1 < $0 }) else { return }
        var kept = Self.longestOrdered(times)
        // Of the first two, which contradict each other, the one is right that is nearer to what follows.
        if kept.count > 1, kept[0] == 1, times[1] < times[0], times[0] <= times[kept[1]] { kept[0] = 0 }
        guard Double(kept.count) >= PlausibleSettings.ordered * Double(times.count) else { return }
        let inOrder = Set(kept)
        for (place, point) in timed.enumerated() where !inOrder.contains(place) {
            count("time", Self.words(times[place]))
            line.segments[index][point].time = nil
        }
    }

    /// The places of the longest series of times that never runs backwards; O(n log n).
    static func longestOrdered(_ times: [Timestamp]) -> [Int] {
        var ends: [Int] = []
        var before = Array(repeating: -1, count: times.count)
        for place in times.indices {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if times[ends[middle]] <= times[place] { low = middle + 1 } else { high = middle }
            }
            before[place] = low > 0 ? ends[low - 1] : -1
            if low == ends.count { ends.append(place) } else { ends[low] = place }
        }
        var result: [Int] = []
        var place = ends.last ?? -1
        while place >= 0 {
            result.append(place)
            place = before[place]
        }
        return result.reversed()
    }

    /// Puts points in the order of their times where a few stand in another place, or where the whole runs backwards. A point without a
    /// time stays behind the one before it.
    mutating func order(_ index: Int) {
        let segment = line.segments[index]
        let times = segment.compactMap(\.time)
        guard times.count > 1, zip(times, times.dropFirst()).contains(where: { $1 < $0 }) else { return }
        // The times of a few points say nothing about the order of the others.
        let isReversed =
            2 * times.count > segment.count && zip(times, times.dropFirst()).allSatisfy { $1 <= $0 }
        if isReversed, isPlan {
            // A track that was turned to be walked in the other direction.
            for place in segment.indices { line.segments[index][place].time = nil }
            line.doubts.append(
                "times run backwards all along: not used, the points stay in the order in which they are drawn"
            )
            return
        }
        if isReversed {
            line.segments[index].reverse()
            line.doubts.append(
                "times run backwards all along: \(times.count, of: "point") put in the order of time")
            return
        }
        // Sorted by time, then place: the order of points of one time stays.
        var last = times[0]
        let keys = segment.map { point in
            last = point.time ?? last
            return last
        }
        let places = segment.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
        let sorted = places.map { segment[$0] }
        let moved = times.count - Self.longestOrdered(times).count
        let steps = zip(times, times.dropFirst())
        let isNearlyOrdered =
            steps.allSatisfy { $1.seconds(since: $0) >= -PlausibleSettings.longestSwap }
            && Double(moved) <= (1 - PlausibleSettings.ordered) * Double(times.count)
        // A table without any order, or with its halves swapped, makes a far longer way than it was.
        let share = isNearlyOrdered ? 1 : PlausibleSettings.shuffled
        guard Self.length(sorted) < Self.length(segment) * share else { return }
        let once = Self.withoutRepeats(sorted)
        line.segments[index] = once
        line.doubts.append("\(moved, of: "point") put in the order of time")
        if once.count < sorted.count {
            account.leaveOut("there twice", count: sorted.count - once.count)
            line.doubts.append("\(sorted.count - once.count, of: "point") that are there twice: left out")
        }
    }

    private static func withoutRepeats(_ points: [GPXPoint]) -> [GPXPoint] {
        points.indices.filter { $0 == 0 || points[$0] != points[$0 - 1] || points[$0].time == nil }
            .map { points[$0] }
    }

    /// Sets times right that lie 1024 weeks before the others of their line: a receiver that counts weeks with ten bits begins anew then.
    private mutating func unrollWeeks() {
        guard let first = survey.first, let last = survey.last,
            last.seconds(since: first) > PlausibleSettings.rollover / 2
        else { return }
        let times = line.segments.joined().compactMap(\.time)
        let middle = first.advanced(bySeconds: PlausibleSettings.rollover / 2)
        let early = times.filter { $0 < middle }
        guard let latest = early.max(), let next = times.filter({ $0 >= middle }).min(),
            abs(next.seconds(since: latest) - PlausibleSettings.rollover) < PlausibleSettings.longestBreak,
            last.seconds(since: next) < PlausibleSettings.longestBreak
        else { return }
        for index in line.segments.indices {
            for place in line.segments[index].indices {
                guard let time = line.segments[index][place].time, time < middle else { continue }
                line.segments[index][place].time = time.advanced(bySeconds: PlausibleSettings.rollover)
            }
        }
        line.doubts.append(
            "times 1024 weeks before the others, as of a receiver whose count of weeks began anew, set right: "
                + "\(early.count, of: "point")")
        surveyAgain()
    }

    static func length(_ points: [GPXPoint]) -> Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.coordinate.distance(to: $1.1.coordinate) }
    }

    /// The first points of a recording can have the time of a clock that had not been set: a few, many days before the others. The last
    /// can have that of a counter that overflowed, years after them.
    private mutating func checkClock(of index: Int) {
        let segment = line.segments[index]
        let timed = segment.indices.filter { segment[$0].time != nil }
        for (count, pair) in zip(timed, timed.dropFirst()).enumerated() {
            guard let before = segment[pair.0].time, let after = segment[pair.1].time,
                after.seconds(since: before) > PlausibleSettings.longestBreak
            else { continue }
            let (early, late) = (count + 1, timed.count - count - 1)
            if after.seconds(since: before) > PlausibleSettings.longestPause,
                late <= PlausibleSettings.mostLast,
                Double(late) <= PlausibleSettings.fewLast * Double(timed.count),
                segment[pair.0].coordinate.distance(to: segment[pair.1].coordinate)
                    < PlausibleSettings.leastTravel
            {
                for place in timed.suffix(late) {
                    if let time = segment[place].time { self.count("time", Self.words(time)) }
                    line.segments[index][place].time = nil
                }
                return
            }
            guard Double(early) <= PlausibleSettings.fewPoints * Double(timed.count),
                segment[pair.0].coordinate.distance(to: segment[pair.1].coordinate)
                    < PlausibleSettings.leastTravel
            else { return }
            for place in timed.prefix(early) {
                if let time = segment[place].time { self.count("time", Self.words(time)) }
                line.segments[index][place].time = nil
            }
        }
    }
}
