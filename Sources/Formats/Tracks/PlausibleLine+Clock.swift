import CivilTime
import Core
import Geodesy

/// Clocks that go back while the way goes on, and points that are there twice.
extension PlausibleLine {
    /// Leaves out points that a segment repeats after its times went back: the same place at the same moment. Called where they do.
    mutating func dropRepeatedPoints() {
        var dropped = 0
        for index in line.segments.indices {
            var seen: [Timestamp: Coordinate] = [:]
            var latest: Timestamp?
            var isRepeating = false
            let before = line.segments[index].count
            line.segments[index].removeAll { point in
                guard let time = point.time else { return false }
                let isEarlier = latest.map { time < $0 } ?? false
                isRepeating = (isEarlier || isRepeating) && seen[time] == point.coordinate
                seen[time] = point.coordinate
                latest = max(latest ?? time, time)
                return isRepeating
            }
            dropped += before - line.segments[index].count
        }
        guard dropped > 0 else { return }
        line.segments.removeAll(where: \.isEmpty)
        account.leaveOut("there twice", count: dropped)
        line.doubts.append(
            "\(dropped, of: "point") that are there twice, in another place of the file: left out")
    }

    /// Sets times right that begin anew an hour, half a day or a day earlier in the middle of a way: the end of summer time, a clock of
    /// twelve hours, a date that stays the same at midnight.
    mutating func undoSetBack() {
        var timed: [(part: Int, place: Int, number: Int, time: Timestamp)] = []
        var number = 0
        for part in line.segments.indices {
            for place in line.segments[part].indices {
                number += 1
                if let time = line.segments[part][place].time { timed.append((part, place, number, time)) }
            }
        }
        let steps = timed.indices.dropFirst().filter { timed[$0].time < timed[$0 - 1].time }
        guard let first = steps.first, let last = steps.last, first > 1, last < timed.count - 1,
            steps.count <= PlausibleSettings.mostSetBacks
        else { return }
        func place(_ index: Int) -> Coordinate {
            line.segments[timed[index].part][timed[index].place].coordinate
        }
        var periods: [Double] = []
        for step in steps {
            let back = timed[step - 1].time.seconds(since: timed[step].time)
            let period = PlausibleSettings.setBacks.first {
                back <= $0 && $0 - back <= PlausibleSettings.longestSetBackPause
            }
            guard let period, place(step - 1).distance(to: place(step)) < PlausibleSettings.leastStray,
                !timed[..<step].contains(where: { $0.time == timed[step].time })
            else { return }
            periods.append(period)
        }
        // A clock that is set forward by as much later, or a few points before, was wrong only between the two, or somebody rested: nobody
        // knows which.
        for index in timed.indices.dropFirst() {
            let pause = timed[index].time.seconds(since: timed[index - 1].time)
            let isNear = index > first || first - index <= PlausibleSettings.mostWrongTimes
            let isForward =
                isNear
                && periods.contains {
                    pause >= $0 && pause - $0 <= PlausibleSettings.longestSetBackPause
                }
            if isForward, place(index - 1).distance(to: place(index)) < PlausibleSettings.leastStray {
                return
            }
        }
        // What lies wholly before it and leads to its start stands in the wrong order.
        let end = timed.count - 1
        guard
            timed[end].time > timed[0].time
                || place(end).distance(to: place(0)) > place(first - 1).distance(to: place(first))
        else { return }
        for (number, step) in steps.enumerated() {
            for point in timed[step...] {
                let time = line.segments[point.part][point.place].time
                line.segments[point.part][point.place].time = time?.advanced(bySeconds: periods[number])
            }
            let hours = Int(periods[number] / 3600)
            line.doubts.append(
                "the clock goes back by \(hours) h at point \(timed[step].number), "
                    + (PlausibleSettings.setBackWords[hours] ?? "")
                    + ": times from there on read as \(hours) h later: \(timed.count - step, of: "point")")
        }
    }
}
