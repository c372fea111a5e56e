import CivilTime
import Core
import Geodesy

/// What a device says of its own: positions that it did not have, how exact they are, and its totals.
extension PlausibleLine {
    /// Positions of 0,0 all along, and a single position beside many measurements without one: an activity without a way.
    mutating func dropPlacesOfNoWay() {
        guard survey.hasZeroPosition || line.pointCount == 1 else { return }
        let points = line.segments.joined()
        func isZero(_ point: GPXPoint) -> Bool {
            point.coordinate.latitude == 0 && point.coordinate.longitude == 0
        }
        guard let first = points.first, points.allSatisfy({ $0.time != nil }) else { return }
        let isNowhere =
            points.count >= PlausibleSettings.leastZeroPositions && points.allSatisfy(isZero)
        let isSingle =
            points.count == 1 && line.unplaced.count >= PlausibleSettings.leastBesideSingle
        guard isNowhere || isSingle else { return }
        if isSingle {
            line.doubts.append(
                "one position, \(Self.words(first.coordinate)), beside \(line.unplaced.count, of: "measurement") without one: "
                    + "taken for an activity without a way")
        }
        for point in points {
            if isNowhere { count("position", "0,0") }
            guard let time = point.time else { continue }
            line.unplaced.append(
                UnplacedSample(time: time, altitude: point.coordinate.altitude, sensors: point.sensors))
        }
        line.segments = []
        line.unplaced.sort { $0.time < $1.time }
    }

    /// Lets a device's count of metres go on that begins anew, as after a pause or in each lap, in an activity without a way.
    mutating func continueCounts() {
        guard line.pointCount == 0 else { return }
        let places = line.unplaced.indices.filter { line.unplaced[$0].sensors.distance != nil }
        let counts = places.compactMap { line.unplaced[$0].sensors.distance }
        var (base, restarts) = (0.0, 0)
        for index in counts.indices.dropFirst() {
            let before = counts[index - 1]
            let isAnew = counts[index] < before * PlausibleSettings.restartShare
            // One that is right again soon after was a wrong number.
            /// Whether the count jumps back up.
            func isRight(_ low: Double, _ high: Double) -> Bool {
                low < before * PlausibleSettings.restartShare && high >= before
            }
            let soon = counts[index...].prefix(PlausibleSettings.longestWrongCount)
            if isAnew, !zip(soon, soon.dropFirst()).contains(where: isRight) {
                base += before
                restarts += 1
            }
            if base > 0 { line.unplaced[places[index]].sensors.distance = base + counts[index] }
        }
        guard restarts > 0 else { return }
        line.doubts.append(
            "the device's count of metres begins anew, \(restarts, of: "time"): read as going on")
    }

    /// Leaves out the positions of radio cells among those of satellites.
    mutating func dropVaguePositions() {
        dropDilutedPositions()
        let vague = line.segments.indices.flatMap { line.segments[$0].leaveOutVague() }
        guard !vague.isEmpty else { return }
        for point in vague {
            var sensors = point.sensors
            sensors.accuracy = nil
            if let time = point.time, sensors != PointSensors() {
                line.unplaced.append(UnplacedSample(time: time, altitude: nil, sensors: sensors))
            } else {
                account.leaveOut(GPXPoint.vague)
            }
        }
        line.unplaced.sort { $0.time < $1.time }
        line.doubts.append("positions \(GPXPoint.vague) among exact ones, left out: \(vague.count)")
    }

    /// Says that laps are of other times than the points, as where a zone is missing: what they state of their stretch is kept.
    mutating func checkLaps() {
        guard !isPlan, !line.laps.isEmpty else { return }
        let unplaced = line.unplaced.map(\.time)
        guard let first = (unplaced + [survey.first].compactMap(\.self)).min(),
            let last = (unplaced + [survey.last].compactMap(\.self)).max()
        else { return }
        let outside = line.laps.compactMap { lap -> Timestamp? in
            guard let start = lap.start else { return nil }
            let end = start.advanced(bySeconds: lap.elapsed ?? lap.seconds ?? 0)
            let isApart =
                start.seconds(since: last) > PlausibleSettings.nearLap
                || first.seconds(since: end) > PlausibleSettings.nearLap
            return isApart ? start : nil
        }
        guard let example = outside.first else { return }
        line.doubts.append(
            "\(outside.count, of: "lap") at other times than the points (first: \(Self.words(example))): a clock or zone is wrong"
        )
    }

    /// Leaves out positions whose dilution is that of no fix, among those of good ones; some programs write metres of accuracy there.
    private mutating func dropDilutedPositions() {
        let known = line.segments.joined().compactMap(\.dilution)
        let diluted = known.count { $0 >= LogSettings.vagueDilution }
        guard diluted > 0, diluted < known.count(where: { $0 <= LogSettings.sharpDilution }) else { return }
        for index in line.segments.indices {
            line.segments[index].removeAll { point in
                guard let dilution = point.dilution, dilution >= LogSettings.vagueDilution else {
                    return false
                }
                if let time = point.time, point.sensors != PointSensors() {
                    line.unplaced.append(UnplacedSample(time: time, altitude: nil, sensors: point.sensors))
                } else {
                    account.leaveOut(GPXPoint.diluted)
                }
                return true
            }
        }
        line.segments.removeAll(where: \.isEmpty)
        line.unplaced.sort { $0.time < $1.time }
        line.doubts.append("positions \(GPXPoint.diluted) among exact ones, left out: \(diluted)")
    }

    /// Makes totals unknown that no device can have counted, of the whole and of its laps.
    mutating func checkTotals() {
        var impossible: [String] = []
        func check(_ value: inout Double?, _ quantity: CountedQuantity) {
            guard let known = value, !quantity.possible.contains(known) || quantity.none.contains(known)
            else {
                return
            }
            value = nil
            if !impossible.contains(quantity.name) { impossible.append(quantity.name) }
        }
        func checkRate(_ value: inout Double?) {
            // Devices write 0 for none.
            if value == 0 { value = nil }
            check(&value, .heartRate)
        }
        if var totals = line.totals {
            check(&totals.distance, .distance)
            check(&totals.ascent, .ascent)
            check(&totals.descent, .descent)
            check(&totals.timer, .timer)
            check(&totals.elapsed, .elapsed)
            check(&totals.calories, .calories)
            checkRate(&totals.averageHeartRate)
            checkRate(&totals.maximumHeartRate)
            line.totals = totals == DeviceTotals() ? nil : totals
        }
        check(&line.calories, .calories)
        for index in line.laps.indices {
            check(&line.laps[index].maximumSpeed, .speed)
            check(&line.laps[index].distance, .distance)
            check(&line.laps[index].seconds, .timer)
            check(&line.laps[index].elapsed, .elapsed)
            check(&line.laps[index].calories, .calories)
            checkRate(&line.laps[index].averageHeartRate)
            checkRate(&line.laps[index].maximumHeartRate)
        }
        guard !impossible.isEmpty else { return }
        line.doubts.append(
            "impossible totals of the device, treated as unknown: \(impossible.joined(separator: ", "))")
    }
}

extension GPXPoint {
    /// What is said of the position of a radio cell.
    static let vague = "known to a kilometre or worse"
    /// What is said of one without a fix that can be used.
    static let diluted = "with a dilution (`hdop`) of \(Int(LogSettings.vagueDilution)) or more"

    /// The horizontal dilution of precision, if it is written.
    var dilution: Double? {
        hasWords ? details.first { $0.kind == .hdop }.flatMap { Double($0.text) } : nil
    }
}

extension [GPXPoint] {
    /// Leaves out the positions of radio cells where those of satellites are there too, and returns how many.
    mutating func leaveOutVague() -> [GPXPoint] {
        guard contains(where: { ($0.sensors.accuracy ?? 0) > LogSettings.vague }),
            contains(where: { ($0.sensors.accuracy ?? .infinity) <= LogSettings.sharp })
        else { return [] }
        let vague = filter { ($0.sensors.accuracy ?? 0) > LogSettings.vague }
        removeAll { ($0.sensors.accuracy ?? 0) > LogSettings.vague }
        return vague
    }
}

/// A quantity that a device counts over a recording or a lap.
private struct CountedQuantity {
    /// Its name in what is said of impossible ones.
    let name: String
    let possible: ClosedRange<Double>
    /// What devices write for none.
    let none: [Double]

    private init(_ name: String, _ possible: ClosedRange<Double>, none: [Double] = []) {
        (self.name, self.possible, self.none) = (name, possible, none)
    }

    static let distance = Self("distance", PlausibleSettings.length, none: PlausibleSettings.noLengths)
    static let ascent = Self("ascent", PlausibleSettings.climb, none: PlausibleSettings.noClimbs)
    static let descent = Self("descent", PlausibleSettings.climb, none: PlausibleSettings.noClimbs)
    static let timer = Self("timer", PlausibleSettings.duration, none: PlausibleSettings.noDurations)
    static let elapsed = Self("elapsed time", PlausibleSettings.duration, none: PlausibleSettings.noDurations)
    static let calories = Self("calories", PlausibleSettings.energy, none: PlausibleSettings.noEnergies)
    static let speed = Self("speed", PlausibleSettings.speed, none: PlausibleSettings.noSpeeds)
    static let heartRate = Self("heart rate", PlausibleSettings.heartRate)
}
