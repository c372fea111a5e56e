import CivilTime
import Core
import Geodesy

/// Makes unknown what cannot have been measured, in the lines of any format.
///
/// - Longitudes beyond ±180° are read where the line shows what they are, and are no positions otherwise.
/// - Positions of 0,0 far from all others are no positions; what else was measured there is kept.
/// - Elevations below any land, zeros among others and short spikes are unknown.
/// - Sensor values outside `PlausibleSettings` are unknown, and so is a heart rate of 0.
/// - Times in an impossible year, and single times that contradict those around them, are unknown. Where all times are
///   strange, the clock was not set: they stay, since their differences are right.
/// - A segment that the next one repeats is left out; segments of single points are one.
struct PlausibleLine {
    var line: GPXLine
    /// The points that were left out.
    var account = PointAccount()
    var counts: [(what: String, count: Int, example: String)] = []

    /// Whether the points stay in the order in which they are drawn.
    let isPlan: Bool
    /// What the points have, as of the last change of positions or times.
    var survey: LineSurvey

    /// Checks a line; its `doubts` say what became unknown.
    init(_ line: GPXLine, isPlan: Bool = false) {
        self.line = line
        self.isPlan = isPlan
        survey = LineSurvey(line.segments)
        if survey.hasWideLongitude { turnWideLongitudes() }
        joinSinglePoints()
        dropRepeatedSegments()
        if survey.hasWords { dropUnfixed() }
        dropPlacesOfNoWay()
        if survey.hasZeroPosition { dropZeroPositions() }
        if survey.hasVaguePosition { dropVaguePositions() }
        if self.line.pointCount != line.pointCount { surveyAgain() }
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
        dropZeroElevations()
        checkTotals()
        checkLaps()
        var unplaced = self.line.unplaced
        for index in unplaced.indices { checkSensors(of: &unplaced[index].sensors) }
        self.line.unplaced = unplaced
        continueCounts()
        self.line.doubts += counts.map {
            "\($0.what): \($0.count, of: "impossible value") (\($0.example)), treated as unknown"
        }
    }

    /// To be called where positions or times have changed.
    mutating func surveyAgain() { survey = LineSurvey(line.segments) }

    mutating func count(_ what: String, _ example: @autoclosure () -> String) {
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
        // Where most points have none, a missing time says nothing.
        let isTimed = 2 * segment.count { $0.time != nil } > segment.count
        for index in segment.indices.dropFirst() {
            let next = segment[index].coordinate
            let degrees = abs(next.latitude - last.latitude) + abs(next.longitude - last.longitude)
            last = next
            // Few steps are as long.
            guard degrees > PlausibleSettings.leastStrayDegrees,
                isTimed || segment[index - 1].time != nil && segment[index].time != nil
            else { continue }
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

    /// Whether a step between two points is impossibly fast, or to or from a point without a time impossibly long.
    private static func isImpossible(_ from: GPXPoint, _ to: GPXPoint) -> Bool {
        let metres = from.coordinate.distance(to: to.coordinate)
        guard let start = from.time, let end = to.time else {
            return (from.time != nil || to.time != nil) && metres > PlausibleSettings.leastUntimedStray
        }
        // Of times that run backwards nothing follows for the places.
        guard start <= end else { return false }
        return metres > PlausibleSettings.leastStray
            && metres > PlausibleSettings.speed.upperBound * max(1, end.seconds(since: start))
    }

    static func words(_ position: Coordinate) -> String {
        [position.latitude, position.longitude].map { DecimalText.trimmed($0, decimals: 4) }.joined(
            separator: ",")
    }

    static func words(_ time: Timestamp) -> String { ISO8601.text(time, fraction: .never) }

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
        var heights: [Double] = []
        heights.reserveCapacity(segment.count)
        for index in segment.indices {
            if let height = segment[index].coordinate.altitude { heights.append(height) }
        }
        let errors = Self.errors(in: heights)
        let hasCliff = Self.hasCliff(heights)
        guard !errors.isEmpty || hasCliff else { return }
        let known = segment.indices.filter { segment[$0].coordinate.altitude != nil }
        if !errors.isEmpty {
            let coordinates = known.map { segment[$0].coordinate }
            for run in errors
            where Self.isSteep(heights, coordinates, run.lowerBound)
                && Self.isSteep(heights, coordinates, run.upperBound)
            {
                for place in run { drop(known[place], in: &segment) }
            }
        }
        guard hasCliff else { return }
        for run in Self.raised(heights, known.map { segment[$0] }) {
            for place in run where segment[known[place]].coordinate.altitude != nil {
                drop(known[place], in: &segment)
            }
        }
    }

    /// Whether a step between two heights is as high as one of a spike, without which nothing more is looked at.
    private static func hasCliff(_ heights: [Double]) -> Bool {
        zip(heights, heights.dropFirst()).contains { abs($1 - $0) > PlausibleSettings.leastSpike }
    }

    /// Longer runs of heights that lie far above or below those on both sides, from which the steps are longer than the way and faster than
    /// a lift: a barometer or receiver that was wrong for a while. Only of a smaller part of the points is it known which are wrong.
    private static func raised(_ heights: [Double], _ points: [GPXPoint]) -> [Range<Int>] {
        var cliffs: [(place: Int, step: Double)] = []
        for place in heights.indices.dropFirst() {
            let step = heights[place] - heights[place - 1]
            guard abs(step) > PlausibleSettings.leastSpike, let start = points[place - 1].time,
                let end = points[place].time,
                end.seconds(since: start) * PlausibleSettings.fastestLift < abs(step),
                abs(step) > points[place - 1].coordinate.distance(to: points[place].coordinate)
            else { continue }
            cliffs.append((place, step))
        }
        var runs: [Range<Int>] = []
        var index = 0
        while index + 1 < cliffs.count {
            let (up, down) = (cliffs[index], cliffs[index + 1])
            let run = up.place..<down.place
            let isBack =
                abs(up.step + down.step)
                <= PlausibleSettings.unevenSpike * max(abs(up.step), abs(down.step))
            guard isBack, Double(run.count) <= PlausibleSettings.fewPoints * Double(heights.count) else {
                index += 1
                continue
            }
            runs.append(run)
            index += 2
        }
        return runs
    }

    /// Makes elevations unknown that are 0 m all along a way: devices and planners without heights write it.
    private mutating func dropZeroElevations() {
        var zeros = 0
        for segment in line.segments {
            for point in segment {
                guard let height = point.coordinate.altitude else { continue }
                guard height == 0 else { return }
                zeros += 1
            }
        }
        guard zeros >= PlausibleSettings.leastZeros,
            line.segments.reduce(0, { $0 + Self.length($1) }) >= PlausibleSettings.leastZeroWay
        else { return }
        for index in line.segments.indices {
            for place in line.segments[index].indices {
                line.segments[index][place].coordinate.altitude = nil
            }
        }
        line.doubts.append(
            "every elevation is 0m, as of a device or program that knows none: \(zeros, of: "elevation") treated as unknown"
        )
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
            guard let value = sensors[kind],
                !PlausibleSettings.range(of: kind).contains(value)
                    || PlausibleSettings.none(of: kind).contains(value)
            else { continue }
            count(kind.words, DecimalText.trimmed(value, decimals: 1))
            sensors[kind] = nil
        }
    }
}

extension GPXLine {
    /// The line without what cannot have been measured.
    var plausible: GPXLine { PlausibleLine(self).line }

    /// The same; what is left out is counted in an account.
    func plausible(_ account: inout PointAccount?, isPlan: Bool = false) -> GPXLine {
        let checked = PlausibleLine(self, isPlan: isPlan)
        for entry in checked.account.aside { account?.leaveOut(entry.what, count: entry.count) }
        return checked.line
    }
}
