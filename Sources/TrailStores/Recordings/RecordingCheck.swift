import CivilTime
import Core
import Formats
import Geodesy
import PluginKit

/// Finds errors in a recording: jumps, times that run backwards, impossible elevations.
public struct RecordingCheck: Sendable {
    /// The warnings, each with the point (counted from 1).
    public let warnings: [String]

    /// Checks a line with its statistics; `now` is the time of its import.
    public init(_ line: GPXLine, _ statistics: HikeStatistics? = nil, now: Timestamp? = nil) {
        var jumps = Doubts("jumps")
        var backwards = Doubts("points whose time runs back")
        var heights = Doubts("impossible elevations")
        var cliffs = Doubts("jumps of the elevation")
        var untimed = 0
        var unknown = 0
        var first: Timestamp?
        var latest: Timestamp?
        var breaks = Doubts("pauses of a week or more")
        var number = 0
        let fastest = RecordingSettings.fastest(of: line.type)
        let uncounted = Self.cliffs(line)
        for segment in line.segments {
            // Without copies of points, which would retain their texts and lists.
            var last: (coordinate: Coordinate, time: Timestamp?)?
            for index in segment.indices {
                let (coordinate, time) = (segment[index].coordinate, segment[index].time)
                number += 1
                if let time {
                    if let latest, time.seconds(since: latest) > RecordingSettings.longestBreak {
                        breaks.add(
                            "\(ReadableText.duration(time.seconds(since: latest))) without a point before point \(number): "
                                + "two recordings, or a clock that was wrong; `hike split --gap` parts them")
                    }
                    first = min(first ?? time, time)
                    latest = max(latest ?? time, time)
                } else {
                    untimed += 1
                }
                if coordinate.altitude == nil { unknown += 1 }
                if let height = coordinate.altitude, !RecordingSettings.elevations.contains(height) {
                    heights.add("elevation of \(Literal.number(height.rounded()))m at point \(number)")
                }
                if let last {
                    let step = Self.step(last.coordinate, coordinate)
                    let seconds = last.time.flatMap { start in time.map { $0.seconds(since: start) } }
                    if let seconds, seconds < 0 {
                        backwards.add("time runs back by \(Literal.duration(-seconds)) at point \(number)")
                    }
                    if let words = Self.cliff(last.coordinate, coordinate, seconds) {
                        let isCounted = !uncounted.contains(number)
                        cliffs.add(
                            "\(words) at point \(number): gain and loss \(isCounted ? "count" : "do not count") it"
                        )
                    }
                    if Self.isJump(step, seconds, fastest) {
                        jumps.add(Self.jump(step, seconds, to: number))
                    }
                }
                last = (coordinate, time)
            }
        }
        if let words = Self.overlap(line) { backwards.add(words) }
        for words in Self.detours(line, fastest) { jumps.add(words) }
        var all = jumps.words + backwards.words + breaks.words + heights.words + cliffs.words
        if jumps.words.isEmpty { all += VehicleStretch.all(in: line).map(\.words) }
        if number > 0, untimed == number {
            all.append("no times: start, end and speed are unknown")
        } else if untimed > 0 {
            all.append("\(untimed) of \(number) points have no time")
        }
        if number == 0 {
            (first, latest) = (line.unplaced.map(\.time).min(), line.unplaced.map(\.time).max())
        }
        if let first, let latest {
            all += Self.clock(first, latest, of: number > 0 ? number - untimed : line.unplaced.count)
            if !line.isPlan, let timer = line.totals?.timer {
                all += Self.shortage(timer, latest.seconds(since: first))
            }
            if !line.isPlan, let elapsed = line.totals?.elapsed {
                all += Self.surplus(elapsed, latest.seconds(since: first))
            }
        }
        if let now, let latest, let words = Self.rollover(latest, now) ?? Self.future(latest, now) {
            all.append(words)
        }
        if let statistics {
            all += Self.doubts(of: statistics)
            if let words = Self.drift(line, statistics.distance) { all.append(words) }
            if let words = Self.slowness(statistics) ?? Self.otherSpeed(line) { all.append(words) }
            if number > 0, let device = line.totals?.distance {
                all += Self.contradiction(device, statistics.distance)
            }
            if let words = Self.otherLaps(line, statistics.distance) { all.append(words) }
            if let words = Self.constantElevation(line, statistics.distance) { all.append(words) }
        }
        if number >= RecordingSettings.leastSame, Self.isOnePlace(line) {
            all.append(
                "all \(number) positions are the same: the device had none, or stood still; distance and speed are not those of a way"
            )
        }
        if number > 0, unknown == number {
            all.append("no elevations: gain and loss are unknown")
        } else if unknown > 0 {
            all.append("\(unknown) of \(number) points have no elevation")
        }
        warnings = all
    }

    /// Single points far from the way between those beside them, to which and back nobody is that fast.
    private static func detours(_ line: GPXLine, _ fastest: Double) -> [String] {
        var found: [(number: Int, metres: Double, seconds: Double)] = []
        var number = 0
        for segment in line.segments {
            for index in segment.indices.dropFirst().dropLast() {
                // Most steps are far too short.
                guard
                    step(segment[index - 1].coordinate, segment[index].coordinate)
                        > RecordingSettings.leastJump,
                    let start = segment[index - 1].time, let time = segment[index].time,
                    let end = segment[index + 1].time, start < time, time < end
                else { continue }
                let places = [-1, 0, 1].map { segment[index + $0].coordinate }
                let (out, back) = (places[0].distance(to: places[1]), places[1].distance(to: places[2]))
                let (before, after) = (time.seconds(since: start), end.seconds(since: time))
                guard back > RecordingSettings.leastJump, out / before <= fastest, back / after <= fastest,
                    places[0].distance(to: places[2]) < RecordingSettings.detourBase * min(out, back)
                else { continue }
                found.append((number + index + 1, out, max(before, after)))
            }
            number += segment.count
        }
        guard !found.isEmpty else { return [] }
        let least = max(RecordingSettings.fastestOnFoot, usualSpeed(line) * RecordingSettings.detourFactor)
        return found.filter { $0.metres / $0.seconds > least }.map {
            jump($0.metres, $0.seconds, to: $0.number) + " and back, which the distance counts"
        }
    }

    /// The median speed of the steps in metres per second; 0 without times.
    private static func usualSpeed(_ line: GPXLine) -> Double {
        let speeds = line.segments.flatMap { segment in
            zip(segment, segment.dropFirst()).compactMap { before, after -> Double? in
                guard let start = before.time, let end = after.time, end > start else { return nil }
                return before.coordinate.distance(to: after.coordinate) / end.seconds(since: start)
            }
        }.sorted()
        return speeds.isEmpty ? 0 : speeds[speeds.count / 2]
    }

    /// That segments were recorded at the same time, as by two devices; `nil` if none were.
    private static func overlap(_ line: GPXLine) -> String? {
        guard line.segments.count > 1 else { return nil }
        let spans = line.segments.compactMap { segment -> (start: Timestamp, end: Timestamp)? in
            let times = segment.lazy.compactMap(\.time)
            guard let start = times.min(), let end = times.max() else { return nil }
            return (start, end)
        }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        var seconds = 0.0
        var latest = spans.first?.end
        for span in spans.dropFirst() {
            guard let known = latest else { break }
            seconds += max(0, min(span.end, known).seconds(since: span.start))
            latest = max(known, span.end)
        }
        guard seconds >= RecordingSettings.leastOverlap else { return nil }
        return "segments overlap in time for \(ReadableText.duration(seconds)), as those of two devices: "
            + "distance, gain and loss count each"
    }

    /// Warnings about the times as a whole: a clock that was not set, or that stood still.
    private static func clock(_ first: Timestamp, _ last: Timestamp, of count: Int) -> [String] {
        var doubts: [String] = []
        if let year = RecordingSettings.strangeYear(first) ?? RecordingSettings.strangeYear(last) {
            doubts.append("times in the year \(year): the clock was not set")
        }
        if first == last, count > 1 {
            doubts.append("all \(count) times are the same: duration and speed are unknown")
        }
        return doubts
    }

    /// That times may be 1024 weeks early; `nil` if they would lie in the future then, or
    /// long ago: most recordings are imported soon, and old ones are genuine.
    private static func rollover(_ last: Timestamp, _ now: Timestamp) -> String? {
        let later = last.advanced(bySeconds: PlausibleSettings.rollover)
        guard PlausibleSettings.years.contains(last), later <= now,
            now.seconds(since: later) < RecordingSettings.longestRolledOver
        else { return nil }
        func day(_ moment: Timestamp) -> String { String(ISO8601.text(moment, fraction: .never).prefix(10)) }
        return
            "times of \(day(last)): a receiver whose count of weeks began anew writes 1024 weeks too early, "
            + "and then it was \(day(later)); if so, shift them by 7168d"
    }

    /// That times lie after the import; `nil` if they do not.
    private static func future(_ last: Timestamp, _ now: Timestamp) -> String? {
        guard PlausibleSettings.years.contains(last),
            last.seconds(since: now) > RecordingSettings.longestAhead
        else { return nil }
        return
            "times until \(ISO8601.text(last, fraction: .never)), which is in the future: the clock was wrong"
    }

    /// What is doubtful about figures.
    private static func doubts(of statistics: HikeStatistics) -> [String] {
        var all: [String] = []
        if statistics.wandered >= RecordingSettings.leastWandered {
            all.append(
                "\(Literal.inMessage(.metres(statistics.wandered.rounded()))) of the distance are no way: "
                    + "the receiver wandered about one place at rest")
        }
        let untimed = statistics.distance - statistics.timedDistance
        if statistics.timedDistance > 0, untimed >= RecordingSettings.leastWandered {
            all.append(
                "\(Literal.inMessage(.metres(untimed.rounded()))) of the distance have no times: "
                    + "speed is that of the rest")
        }
        return all
    }

    /// Whether all positions are one and the same, to the last digit.
    private static func isOnePlace(_ line: GPXLine) -> Bool {
        let first = line.segments.lazy.joined().first?.coordinate.withoutAltitude
        return line.segments.allSatisfy { $0.allSatisfy { $0.coordinate.withoutAltitude == first } }
    }

    /// That the elevation is another where a way ends than where it began, at the same place; `nil` for a way that does not come back.
    private static func drift(_ line: GPXLine, _ distance: Double) -> String? {
        guard distance >= RecordingSettings.leastLoop,
            let first = line.segments.first(where: { !$0.isEmpty })?.first,
            let last = line.segments.last(where: { !$0.isEmpty })?.last,
            first.coordinate.distance(to: last.coordinate) <= RecordingSettings.widestLoop
        else { return nil }
        // Elevations further along say nothing of this place.
        func heights(_ points: some Sequence<GPXPoint>, near end: Coordinate) -> [Double] {
            points.prefix(RecordingSettings.loopPoints)
                .filter { $0.coordinate.distance(to: end) <= RecordingSettings.widestLoop }
                .compactMap(\.coordinate.altitude).sorted()
        }
        let start = heights(line.segments.lazy.joined(), near: first.coordinate)
        let end = heights(
            line.segments.reversed().lazy.map { $0.reversed() }.joined(), near: last.coordinate)
        guard min(start.count, end.count) >= RecordingSettings.leastLoopHeights else { return nil }
        let difference = end[end.count / 2] - start[start.count / 2]
        guard abs(difference) >= RecordingSettings.leastDrift else { return nil }
        return
            "ends where it began, but \(Literal.number(abs(difference).rounded()))m \(difference > 0 ? "higher" : "lower"): "
            + "the barometer or receiver drifted, and gain or loss counts it"
    }

    /// The numbers of the points before which the elevation steps in a way that no climb counts.
    private static func cliffs(_ line: GPXLine) -> Set<Int> {
        var found: Set<Int> = []
        var number = 0
        for segment in TrackPoint.segments(of: line) {
            let known = segment.indices.filter { segment[$0].coordinate.altitude != nil }
            for place in ElevationCliff.places(segment, known) { found.insert(number + known[place] + 1) }
            number += segment.count
        }
        return found
    }

    /// A step up or down that is longer than the one forward, as where a barometer is set anew; `nil` for another.
    private static func cliff(_ from: Coordinate, _ to: Coordinate, _ seconds: Double?) -> String? {
        guard let step = ElevationCliff.metres(from, to, seconds) else { return nil }
        return "elevation changes by \(Literal.number(step.rounded()))m within "
            + Literal.inMessage(.metres(from.distance(to: to).rounded()))
    }

    /// That no stretch of a long way is as fast as a walk: times that a program made up, or of a clock that runs wrong.
    private static func slowness(_ statistics: HikeStatistics) -> String? {
        guard statistics.walkingTime == 0, statistics.timedDistance >= RecordingSettings.leastLoop,
            let start = statistics.startTime, let end = statistics.endTime, end > start
        else { return nil }
        return
            "\(Literal.inMessage(.metres(statistics.timedDistance.rounded()))) in \(ReadableText.duration(end.seconds(since: start))), "
            + "nowhere as fast as a walk: the times are not those of the way, or it was no walk"
    }

    /// That the device's speeds are others than those along its positions, as of one in kilometres an hour where metres a second stand.
    private static func otherSpeed(_ line: GPXLine) -> String? {
        var (own, device, seconds) = (0.0, 0.0, 0.0)
        for segment in line.segments {
            for (from, to) in zip(segment, segment.dropFirst()) {
                guard let start = from.time, let end = to.time, let speed = to.sensors.speed,
                    case let step = end.seconds(since: start), step > 0,
                    step <= RecordingSettings.longestSpeedStep
                else { continue }
                own += from.coordinate.distance(to: to.coordinate)
                device += speed * step
                seconds += step
            }
        }
        guard own > RecordingSettings.leastContradiction, device > 0,
            !(1 / RecordingSettings.speedFactor...RecordingSettings.speedFactor).contains(device / own)
        else { return nil }
        func words(_ metres: Double) -> String { Literal.inMessage(.metresPerSecond(metres / seconds)) }
        return "the device's speed is \(words(device)) on average, that along its positions \(words(own)): "
            + "perhaps it is in another unit"
    }

    /// That the device counted another distance than that between its positions.
    private static func contradiction(_ device: Double, _ own: Double) -> [String] {
        let share = RecordingSettings.deviceShare
        guard abs(device - own) > RecordingSettings.leastContradiction,
            !(own * share...own / share).contains(device)
        else { return [] }
        func words(_ metres: Double) -> String { Literal.inMessage(.metres(metres.rounded())) }
        return ["the device counted \(words(device)), the way along its positions is \(words(own))"]
    }

    /// That the device's laps add up to another distance than that between its positions. Without totals they are of another part of it.
    private static func otherLaps(_ line: GPXLine, _ own: Double) -> String? {
        let laps = line.laps.compactMap(\.distance)
        let share = RecordingSettings.deviceShare
        guard line.totals != nil, laps.count == line.laps.count, laps.count > 1,
            case let sum = laps.reduce(0, +), abs(sum - own) > RecordingSettings.leastContradiction,
            !(own * share...own / share).contains(sum)
        else { return nil }
        func words(_ metres: Double) -> String { Literal.inMessage(.metres(metres.rounded())) }
        return "the device's laps add up to \(words(sum)), the way along its positions is \(words(own))"
    }

    /// That the elevation is the same all along a way, to the last digit, as of a sensor that repeats its first value.
    private static func constantElevation(_ line: GPXLine, _ distance: Double) -> String? {
        let heights = line.segments.lazy.joined().lazy.compactMap(\.coordinate.altitude)
        guard let height = heights.first(where: { _ in true }), height != 0,
            heights.allSatisfy({ $0 == height }),
            heights.reduce(0, { count, _ in count + 1 }) >= RecordingSettings.leastSame,
            // In whole metres the shore of a lake has one.
            distance
                >= (height == height.rounded() ? RecordingSettings.leastShore : RecordingSettings.leastLoop)
        else { return nil }
        return
            "every elevation is \(DecimalText.trimmed(height, decimals: 2))m, as of a sensor that repeats a value: gain and loss of 0 m are not measured"
    }

    /// That the device's timer ran for longer than its points tell of: it stopped writing them, or they are of another part.
    private static func shortage(_ timer: Double, _ span: Double) -> [String] {
        let least = max(RecordingSettings.leastShortage, timer * RecordingSettings.shortageShare)
        guard timer - span > least else { return [] }
        return [
            "the device's timer ran for \(ReadableText.duration(timer)), its points span \(ReadableText.duration(span)): "
                + "of the rest there are only its totals"
        ]
    }

    /// That the points go on for longer than the device's totals tell of, as where its last lap is missing.
    private static func surplus(_ elapsed: Double, _ span: Double) -> [String] {
        let least = max(RecordingSettings.leastShortage, elapsed * RecordingSettings.shortageShare)
        guard elapsed > 0, span - elapsed > least else { return [] }
        return [
            "the device's totals are of \(ReadableText.duration(elapsed)), its points span \(ReadableText.duration(span)): "
                + "of the rest there are no totals"
        ]
    }

    /// Metres of a step, or 0 if it is far too short for a jump: most are, which is cheap to determine.
    private static func step(_ from: Coordinate, _ to: Coordinate) -> Double {
        let degrees = abs(to.latitude - from.latitude) + abs(to.longitude - from.longitude)
        return degrees < RecordingSettings.leastJumpDegrees ? 0 : from.distance(to: to)
    }

    /// Whether a step is impossibly fast or, without times, too long.
    public static func isJump(_ step: Double, _ seconds: Double?, _ fastest: Double) -> Bool {
        guard let seconds, seconds > 0 else { return step > RecordingSettings.longestStep }
        return step > RecordingSettings.leastJump && step / seconds > fastest
    }

    private static func jump(_ step: Double, _ seconds: Double?, to number: Int) -> String {
        let length = Literal.inMessage(.metres(step.rounded()))
        let time = seconds.map { " in \(Literal.duration(max(0, $0)))" } ?? ""
        return "jump of \(length)\(time) to point \(number)"
    }

    /// Warnings of a kind: the first few, and their number. A file can have one for each point.
    private struct Doubts {
        private let kind: String
        private var listed: [String] = []
        private var count = 0

        init(_ kind: String) { self.kind = kind }

        mutating func add(_ words: @autoclosure () -> String) {
            count += 1
            if listed.count < RecordingSettings.listedWarnings { listed.append(words()) }
        }

        var words: [String] {
            count > listed.count ? listed + ["\(count - listed.count) more \(kind)"] : listed
        }
    }
}
