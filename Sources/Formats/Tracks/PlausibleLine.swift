import CivilTime
import Core
import Geodesy

/// What a recording device can have measured. Other values are unknown: they are not counted, and their number is said.
public enum PlausibleSettings {
    /// Elevations of land in metres. Files have −32768, −9999 and, of FIT, −500 m where nothing was measured.
    static let lowestElevation = GroundHeights.land.lowerBound
    /// Metres; the highest summit has 8,849 m, and aeroplanes with a receiver of a passenger reach 13,000 m.
    static let highestElevation = 15_000.0
    /// What stands for no elevation within that range.
    static let noElevations: Set = [9999.0]
    /// An elevation of exactly 0 m was not measured if all its neighbours differ by more than this many metres.
    static let leastDropout = 50.0
    /// Metres by which a few elevations must differ from those before and after them to be errors.
    static let leastSpike = 300.0
    /// Maximum number of elevations in a row that are a spike.
    static let longestSpike = 3
    /// Metres of a step that are too many for `speed` to be noise of a receiver, and the difference of the angles in degrees that
    /// is always less.
    static let leastStray = 1000.0
    static let leastStrayDegrees = 0.008
    /// Maximum number of points that lie elsewhere in a row, and their share of all.
    static let longestStray = 60
    static let strayShare = 0.1
    /// The position 0,0 of a recording was not measured if no other point is within this many metres.
    static let nearZero = 100_000.0
    /// The same for a line without times, which may be drawn with few points.
    static let nearZeroOfPlan = 500_000.0
    /// Beats per minute. Devices write 0 where the strap has no contact, and 255 is "unknown" in FIT.
    package static let heartRate = 20.0...250.0
    /// Steps or revolutions per minute; 255 is "unknown" in FIT, and so in what is converted from it.
    static let cadence = 0.0...254.0
    /// Watts.
    static let power = 0.0...4000.0
    /// Degrees Celsius, of a device that lies in the sun or on ice.
    static let temperature = -70.0...80.0
    /// Metres per second, up to that of an airliner in a strong wind.
    static let speed = 0.0...350.0
    /// Degrees.
    static let course = 0.0...360.0
    /// Metres.
    static let length = 0.0...1e8
    /// Plausible times of a recording device: from 1990 to 2100.
    package static let years =
        Timestamp(milliseconds: 631_152_000_000)..<Timestamp(milliseconds: 4_102_444_800_000)
    /// The share of times that must be in order for the others to be errors; a reversed track has none in order.
    static let ordered = 0.8

    /// The share of the way of unordered points above which the way in the order of time is no shorter.
    static let shuffled = 0.8
    /// Maximum seconds by which a point stands too late or too early in a file that is put in order.
    static let longestSwap = 60.0
    /// Seconds between two points of a segment after which the earlier clock was not set, unless the place is another.
    static let longestBreak = 7 * 86_400.0
    /// The share of the points that can have such a time, and the metres within which they lie from the next one.
    static let fewPoints = 0.34
    static let leastTravel = 2000.0

    /// Seconds of 1024 weeks, after which the count of GPS begins anew.
    package static let rollover = 1024 * 7 * 86_400.0

    /// Years by which the Buddhist calendar is ahead of ours.
    static let buddhistLead = 543
    /// The plausible times of a device that counts its years so: from 2533 to 2643.
    static let buddhistYears =
        Timestamp(milliseconds: 17_766_604_800_000)..<Timestamp(milliseconds: 21_237_811_200_000)

    /// The same day and time of our calendar.
    static func withoutBuddhistYears(_ time: Timestamp) -> Timestamp {
        let day = LogSettings.day
        let days = time.milliseconds / day
        let date = CivilDate(daysSinceEpoch: Int(days))
        guard let ours = CivilDate(year: date.year - buddhistLead, month: date.month, day: date.day) else {
            return time
        }
        return Timestamp(milliseconds: Int64(ours.daysSinceEpoch) * day + time.milliseconds - days * day)
    }

    /// Whether a time is of a 29 February.
    static func isLeapDay(_ time: Timestamp) -> Bool {
        let date = CivilDate(
            daysSinceEpoch: Int((Double(time.milliseconds) / Double(LogSettings.day)).rounded(.down)))
        return date.month == 2 && date.day == 29
    }

    static func range(of kind: PointSensors.Kind) -> ClosedRange<Double> {
        switch kind {
        case .heartRate: heartRate
        case .cadence: cadence
        case .power: power
        case .temperature: temperature
        case .speed: speed
        case .course: course
        case .accuracy, .distance: length
        }
    }
}

/// Makes unknown what cannot have been measured, in the lines of any format.
///
/// - Positions of 0,0 far from all others are no positions; what else was measured there is kept.
/// - Elevations below any land, zeros among others and short spikes are unknown.
/// - Sensor values outside `PlausibleSettings` are unknown, and so is a heart rate of 0.
/// - Times in an impossible year, and single times that contradict those around them, are unknown. Where all times are
///   strange, the clock was not set: they stay, since their differences are right.
/// - A segment that the next one repeats is left out; segments of single points are one.
struct PlausibleLine {
    private(set) var line: GPXLine
    /// The points that were left out.
    private(set) var account = PointAccount()
    private var counts: [(what: String, count: Int, example: String)] = []

    /// Checks a line; its `doubts` say what became unknown.
    init(_ line: GPXLine) {
        self.line = line
        joinSinglePoints()
        dropRepeatedSegments()
        dropUnfixed()
        dropZeroPositions()
        checkTimes()
        dropStrayPositions()
        // Taken out while they change: an array that is referred to twice would be copied.
        var segments = self.line.segments
        self.line.segments = []
        for index in segments.indices {
            checkElevations(in: &segments[index])
            checkSensors(in: &segments[index])
        }
        self.line.segments = segments
        var unplaced = self.line.unplaced
        for index in unplaced.indices { checkSensors(of: &unplaced[index].sensors) }
        self.line.unplaced = unplaced
        self.line.doubts += counts.map {
            "\($0.what): \($0.count, of: "impossible value") (\($0.example)), treated as unknown"
        }
    }

    private mutating func count(_ what: String, _ example: @autoclosure () -> String) {
        if let index = counts.firstIndex(where: { $0.what == what }) {
            counts[index].count += 1
        } else {
            counts.append((what, 1, example()))
        }
    }

    // MARK: Segments

    /// Joins segments of one point each, between which there would be no way at all.
    private mutating func joinSinglePoints() {
        let count = line.segments.count
        guard count > 1, line.segments.allSatisfy({ $0.count == 1 }) else { return }
        line.segments = [Array(line.segments.joined())]
        line.doubts.append("\(count) segments of one point each: joined, since there is no way within them")
    }

    private mutating func dropRepeatedSegments() {
        guard line.segments.count > 1 else { return }
        var kept: [[GPXPoint]] = []
        var repeated = 0
        for segment in line.segments {
            while let last = kept.last, last.count > 1, last.count <= segment.count,
                Self.isSame(last, segment.prefix(last.count))
            {
                repeated += last.count
                kept.removeLast()
            }
            kept.append(segment)
        }
        guard repeated > 0 else { return }
        line.segments = kept
        account.leaveOut("that a later segment repeats", count: repeated)
        line.doubts.append("\(repeated, of: "point") that a later segment repeats: left out")
    }

    private static func isSame(_ points: [GPXPoint], _ others: ArraySlice<GPXPoint>) -> Bool {
        zip(points, others).allSatisfy {
            $0.time != nil && $0.time == $1.time && $0.coordinate == $1.coordinate
        }
    }

    // MARK: Positions

    /// Takes the positions of points out that were written without a fix.
    private mutating func dropUnfixed() {
        func isUnfixed(_ point: GPXPoint) -> Bool {
            point.hasWords && point.details.contains { $0.kind == .fix && $0.text == "none" }
        }
        guard line.segments.contains(where: { $0.contains(where: isUnfixed) }) else { return }
        guard line.segments.contains(where: { !$0.allSatisfy(isUnfixed) }) else {
            // A program that writes it at every point: without them there would be no track.
            line.doubts.append("every position is written as without a fix (`fix` is `none`): kept")
            return
        }
        var found = 0
        for index in line.segments.indices {
            for point in line.segments[index] where isUnfixed(point) {
                found += 1
                if let time = point.time, point.sensors != PointSensors() {
                    line.unplaced.append(UnplacedSample(time: time, altitude: nil, sensors: point.sensors))
                } else {
                    account.leaveOut("without a fix")
                }
            }
            line.segments[index].removeAll(where: isUnfixed)
        }
        line.segments.removeAll(where: \.isEmpty)
        line.unplaced.sort { $0.time < $1.time }
        line.doubts.append("\(found, of: "position") written without a fix (`fix` is `none`): left out")
    }

    private mutating func dropZeroPositions() {
        func isZero(_ point: GPXPoint) -> Bool {
            point.coordinate.latitude == 0 && point.coordinate.longitude == 0
        }
        guard line.segments.contains(where: { $0.contains(where: isZero) }) else { return }
        let zero = Coordinate(latitude: 0, longitude: 0)
        let others = line.segments.joined().filter { !isZero($0) }
        let isRecording = others.contains { $0.time != nil }
        let reach = isRecording ? PlausibleSettings.nearZero : PlausibleSettings.nearZeroOfPlan
        guard !others.isEmpty, others.allSatisfy({ $0.coordinate.distance(to: zero) > reach })
        else { return }
        for index in line.segments.indices {
            for point in line.segments[index] where isZero(point) {
                count("position", "0,0")
                if let time = point.time, point.coordinate.altitude != nil || point.sensors != PointSensors()
                {
                    line.unplaced.append(
                        UnplacedSample(
                            time: time, altitude: point.coordinate.altitude, sensors: point.sensors))
                } else {
                    account.leaveOut("at 0,0")
                }
            }
            line.segments[index].removeAll(where: isZero)
        }
        line.segments.removeAll(where: \.isEmpty)
        line.unplaced.sort { $0.time < $1.time }
    }

    /// Takes positions out that nothing could have reached and come back from: where the receiver was before, or a radio cell. Where the
    /// way does not come back, which side is wrong is unknown: the jump stays, and is said.
    private mutating func dropStrayPositions() {
        for index in line.segments.indices {
            // What is left is as it would be read again.
            while let strays = Self.strays(in: line.segments[index]) {
                let segment = line.segments[index]
                for place in strays {
                    let point = segment[place]
                    count("position", Self.words(point.coordinate))
                    if let time = point.time, point.sensors != PointSensors() {
                        line.unplaced.append(
                            UnplacedSample(time: time, altitude: nil, sensors: point.sensors))
                    } else {
                        account.leaveOut("where nothing could have reached")
                    }
                }
                let left = Set(strays)
                line.segments[index] = segment.indices.filter { !left.contains($0) }.map { segment[$0] }
                line.unplaced.sort { $0.time < $1.time }
            }
        }
    }

    /// The places of such points; `nil` if there are none. O(n) but for the jumps.
    private static func strays(in segment: [GPXPoint]) -> [Int]? {
        guard var last = segment.first?.coordinate else { return nil }
        var found: [Int] = []
        for index in segment.indices.dropFirst() {
            let next = segment[index].coordinate
            let degrees = abs(next.latitude - last.latitude) + abs(next.longitude - last.longitude)
            last = next
            // Few steps are as long.
            guard degrees > PlausibleSettings.leastStrayDegrees else { continue }
            if isImpossible(segment[index - 1], segment[index]) { found.append(index) }
        }
        // Where many steps are impossible, places or times are wrong as a whole: what strays from what is unknown.
        guard found.count <= max(2, Int(2 * PlausibleSettings.strayShare * Double(segment.count))) else {
            return nil
        }
        var jumps = found[...]
        let most = min(
            PlausibleSettings.longestStray, Int(PlausibleSettings.strayShare * Double(segment.count)))
        var strays: [Int] = []
        while let jump = jumps.popFirst() {
            if let back = jumps.first, back - jump <= most,
                !isImpossible(segment[jump - 1], segment[back])
            {
                strays += jump..<back
                jumps.removeFirst()
            } else if jump <= most, jumps.isEmpty || jumps[jumps.startIndex] > 2 * jump, strays.isEmpty {
                // The first points are where the receiver was before.
                strays += 0..<jump
            } else if jumps.isEmpty, segment.count - jump <= most {
                strays += jump..<segment.count
            }
        }
        return strays.isEmpty ? nil : strays
    }

    /// Whether a step between two points with times is impossibly fast.
    private static func isImpossible(_ from: GPXPoint, _ to: GPXPoint) -> Bool {
        // Of times that run backwards nothing follows for the places.
        guard let start = from.time, let end = to.time, start <= end else { return false }
        let metres = from.coordinate.distance(to: to.coordinate)
        return metres > PlausibleSettings.leastStray
            && metres > PlausibleSettings.speed.upperBound * max(1, end.seconds(since: start))
    }

    // MARK: Times

    /// Sets years of the Buddhist calendar right, which telephones write that are set to it: its days and months are ours.
    private mutating func readBuddhistYears() {
        let years = PlausibleSettings.buddhistYears
        guard line.segments.joined().lazy.compactMap(\.time).contains(where: years.contains) else { return }
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
    }

    private mutating func checkTimes() {
        readBuddhistYears()
        let years = PlausibleSettings.years
        let strange = line.segments.reduce(0) { sum, segment in
            sum + segment.count { $0.time.map { !years.contains($0) } ?? false }
        }
        let timed = line.segments.reduce(0) { sum, segment in sum + segment.count { $0.time != nil } }
        let isClockSet = strange < timed
        unrollWeeks()
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

    /// Times that contradict the others of their segment: those outside the longest series that never runs backwards.
    private mutating func checkOrder(of index: Int) {
        let segment = line.segments[index]
        let timed = segment.indices.filter { segment[$0].time != nil }
        let times = timed.compactMap { segment[$0].time }
        guard zip(times, times.dropFirst()).contains(where: { $1 < $0 }) else { return }
        let kept = Self.longestOrdered(times)
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
    private mutating func order(_ index: Int) {
        let segment = line.segments[index]
        let times = segment.compactMap(\.time)
        guard times.count > 1, zip(times, times.dropFirst()).contains(where: { $1 < $0 }) else { return }
        // The times of a few points say nothing about the order of the others.
        let isReversed =
            2 * times.count > segment.count && zip(times, times.dropFirst()).allSatisfy { $1 <= $0 }
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
        let times = line.segments.joined().compactMap(\.time)
        guard let first = times.min(), let last = times.max(),
            last.seconds(since: first) > PlausibleSettings.rollover / 2
        else { return }
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
    }

    private static func length(_ points: [GPXPoint]) -> Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.coordinate.distance(to: $1.1.coordinate) }
    }

    /// The first points of a recording can have the time of a clock that had not been set: a few, many days before the others.
    private mutating func checkClock(of index: Int) {
        let segment = line.segments[index]
        let timed = segment.indices.filter { segment[$0].time != nil }
        for (count, pair) in zip(timed, timed.dropFirst()).enumerated() {
            guard let before = segment[pair.0].time, let after = segment[pair.1].time,
                after.seconds(since: before) > PlausibleSettings.longestBreak
            else { continue }
            let early = count + 1
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

    private static func words(_ position: Coordinate) -> String {
        [position.latitude, position.longitude].map { DecimalText.trimmed($0, decimals: 4) }.joined(
            separator: ",")
    }

    private static func words(_ time: Timestamp) -> String { ISO8601.text(time, fraction: .never) }

    // MARK: Elevations

    private mutating func checkElevations(in segment: inout [GPXPoint]) {
        for index in segment.indices {
            guard let height = segment[index].coordinate.altitude else { continue }
            if height < PlausibleSettings.lowestElevation || height > PlausibleSettings.highestElevation
                || PlausibleSettings.noElevations.contains(height)
            {
                drop(index, in: &segment)
            }
        }
        let known = segment.indices.filter { segment[$0].coordinate.altitude != nil }
        let heights = known.compactMap { segment[$0].coordinate.altitude }
        let coordinates = known.map { segment[$0].coordinate }
        for run in Self.errors(in: heights)
        where Self.isSteep(heights, coordinates, run.lowerBound)
            && Self.isSteep(heights, coordinates, run.upperBound)
        {
            for place in run { drop(known[place], in: &segment) }
        }
    }

    /// Whether a step to a point goes up or down by more than it goes forward; so do the ends of the heights.
    private static func isSteep(_ heights: [Double], _ coordinates: [Coordinate], _ place: Int) -> Bool {
        guard place > 0, place < heights.count else { return true }
        return abs(heights[place] - heights[place - 1])
            > coordinates[place - 1].distance(to: coordinates[place])
    }

    private mutating func drop(_ index: Int, in segment: inout [GPXPoint]) {
        count("elevation", DecimalText.trimmed(segment[index].coordinate.altitude ?? 0, decimals: 1) + "m")
        segment[index].coordinate.altitude = nil
    }

    /// Runs of heights that were not measured: zeros among heights far from 0, and short runs far from both sides.
    static func errors(in heights: [Double]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var index = 0
        while index < heights.count {
            var end = index + 1
            if heights[index] == 0 {
                while end < heights.count, heights[end] == 0 { end += 1 }
                let beside = [index > 0 ? heights[index - 1] : nil, end < heights.count ? heights[end] : nil]
                    .compactMap(\.self)
                if !beside.isEmpty, beside.allSatisfy({ abs($0) > PlausibleSettings.leastDropout }) {
                    result.append(index..<end)
                    index = end
                    continue
                }
            }
            if let run = spike(at: index, in: heights, after: result.last) {
                result.append(run)
                index = run.upperBound
            } else {
                index += 1
            }
        }
        return result
    }

    private static func spike(at index: Int, in heights: [Double], after last: Range<Int>?) -> Range<Int>? {
        guard index > 0, last?.upperBound != index else { return nil }
        let before = heights[index - 1]
        guard abs(heights[index] - before) > PlausibleSettings.leastSpike else { return nil }
        let longest = min(index + PlausibleSettings.longestSpike, heights.count - 1)
        guard index < longest else { return nil }
        for end in (index + 1)...longest {
            let after = heights[end]
            let isBack = abs(after - before) < PlausibleSettings.leastSpike / 2
            guard isBack else { continue }
            let isFar = heights[index..<end].allSatisfy {
                abs($0 - before) > PlausibleSettings.leastSpike
                    && abs($0 - after) > PlausibleSettings.leastSpike / 2
            }
            return isFar ? index..<end : nil
        }
        return nil
    }

    // MARK: Sensors

    private mutating func checkSensors(in segment: inout [GPXPoint]) {
        for index in segment.indices where segment[index].sensors != PointSensors() {
            checkSensors(of: &segment[index].sensors)
        }
    }

    private mutating func checkSensors(of sensors: inout PointSensors) {
        for kind in PointSensors.Kind.allCases {
            guard let value = sensors[kind], !PlausibleSettings.range(of: kind).contains(value) else {
                continue
            }
            count(kind.words, DecimalText.trimmed(value, decimals: 1))
            sensors[kind] = nil
        }
    }
}

extension GPXLine {
    /// The line without what cannot have been measured.
    var plausible: GPXLine { PlausibleLine(self).line }

    /// The same; what is left out is counted in an account.
    func plausible(_ account: inout PointAccount?) -> GPXLine {
        let checked = PlausibleLine(self)
        for entry in checked.account.aside { account?.leaveOut(entry.what, count: entry.count) }
        return checked.line
    }
}
