import Archives
import CivilTime
import Foundation
import Geodesy
import PluginKit
import Testing

@testable import Formats

/// What no device can have measured is unknown, and counted.
struct PlausibleLineTests {
    /// A line to the north: a point every 20 s and 10 m.
    private func line(
        _ heights: [Double?], times: [Double?]? = nil, _ change: (inout [GPXPoint]) -> Void = { _ in }
    ) -> GPXLine {
        var points = heights.enumerated().map { index, height in
            let seconds = times.map { $0[index] } ?? Double(index * 20)
            return GPXPoint(
                coordinate: Coordinate(latitude: 47 + Double(index) * 0.0001, longitude: 8, altitude: height),
                time: seconds.map { Timestamp(milliseconds: 1_780_000_000_000 + Int64($0 * 1000)) })
        }
        change(&points)
        return GPXLine(segments: [points])
    }

    private func heights(_ line: GPXLine) -> [Double?] { line.segments.joined().map(\.coordinate.altitude) }

    @Test func valuesOfNoDataAreNoElevations() {
        let read = line([500, -32768, 501, -9999, -500, 502]).plausible
        #expect(heights(read) == [500, nil, 501, nil, nil, 502])
        #expect(read.doubts == ["elevation: 3 impossible values (-32768m), treated as unknown"])
    }

    /// A barometer that was wrong for a while; of the greater part of a way nobody knows which part is wrong.
    @Test func longerSpikesOfTheElevationAreNone() {
        func unknown(_ raised: Range<Int>, by metres: Double, every seconds: Double = 20) -> Int {
            let all = (0..<60).map { 500 + Double($0) + (raised.contains($0) ? metres : 0) }
            return heights(line(all, times: all.indices.map { Double($0) * seconds }).plausible).count {
                $0 == nil
            }
        }
        #expect(unknown(20..<30, by: 1000) == 10)
        #expect(unknown(20..<30, by: -400) == 10)
        #expect(unknown(10..<50, by: 1000) == 0)
        // Up and down by a lift, with hours between the points.
        #expect(unknown(20..<30, by: 1000, every: 3600) == 0)
    }

    /// A dilution of 500 is that of no fix; where most are so, it says nothing.
    @Test func positionsWithADilutionOfNoFixAreNone() {
        func left(_ diluted: Range<Int>) -> Int {
            line(Array(repeating: 500, count: 30)) { points in
                for index in points.indices {
                    let text = diluted.contains(index) ? "500" : "3"
                    points[index].details = [GPXDetail(.hdop, text)].compactMap(\.self)
                }
            }.plausible.pointCount
        }
        #expect(left(10..<12) == 28)
        #expect(left(0..<20) == 30)
    }

    /// Starts of laps without a zone lie hours from the points.
    @Test func lapsAtOtherTimesThanThePointsAreSaid() {
        func doubts(_ seconds: Double) -> [String] {
            var read = line(Array(repeating: 500, count: 30))
            var lap = TrackLap()
            lap.start = read.segments[0][0].time?.advanced(bySeconds: seconds)
            lap.seconds = 580
            read.laps = [lap]
            return read.plausible.doubts
        }
        #expect(doubts(7200).count == 1 && doubts(7200)[0].hasPrefix("1 lap at other times than the points"))
        #expect(doubts(-7200).count == 1)
        #expect(doubts(0).isEmpty && doubts(-300).isEmpty && doubts(580).isEmpty)
    }

    /// Positions of a radio cell, or of where the receiver was before: nothing goes 100 km in 20 s and comes back.
    @Test func positionsThatNothingCouldHaveReachedAreNone() {
        func places(_ change: (inout [GPXPoint]) -> Void) -> (count: Int, unplaced: Int, doubts: [String]) {
            let read = line(Array(repeating: 500, count: 30), change).plausible
            return (read.pointCount, read.unplaced.count, read.doubts)
        }
        let middle = places { points in
            for index in 10..<13 { points[index].coordinate.latitude += 1 }
            points[11].sensors.heartRate = 120
        }
        #expect(middle.count == 27 && middle.unplaced == 1)
        #expect(middle.doubts == ["position: 3 impossible values (48.001,8), treated as unknown"])
        #expect(places { $0[0].coordinate.latitude -= 1 }.count == 29)
        #expect(places { $0[29].coordinate.latitude += 1 }.count == 29)
        // Without a time it may not be as far: bytes that were read as a position of another part of the world.
        func untimed(_ degrees: Double) -> Int {
            places { points in
                points[10].coordinate.longitude += degrees
                points[10].time = nil
            }.count
        }
        #expect(untimed(100) == 29 && untimed(0.5) == 30)
        // Where the way goes on there, which side is wrong is unknown.
        let moved = places { points in for index in 15..<30 { points[index].coordinate.latitude += 1 } }
        #expect(moved.count == 30)
        // 150 m/s is the speed of an aeroplane.
        #expect(places { $0[10].coordinate.latitude += 0.027 }.count == 30)
    }

    @Test func positionsOfNoWayAreNone() {
        // All at 0,0.
        let nowhere = line(Array(repeating: nil, count: 4)) { points in
            for index in points.indices { points[index].coordinate = Coordinate(latitude: 0, longitude: 0) }
        }.plausible
        #expect(nowhere.pointCount == 0 && nowhere.unplaced.count == 4)
        #expect(nowhere.doubts == ["position: 4 impossible values (0,0), treated as unknown"])
        // One position, and everything else without.
        var single = line([500])
        single.unplaced = (1...10).map {
            UnplacedSample(
                time: Timestamp(milliseconds: 1_780_000_000_000 + Int64($0) * 20_000), altitude: nil,
                sensors: PointSensors())
        }
        #expect(single.plausible.pointCount == 0 && single.plausible.unplaced.count == 11)
        #expect(
            single.plausible.doubts.first?.hasPrefix("one position, 47,8, beside 10 measurements") == true)
        // Radio cells among satellites.
        let cells = line(Array(repeating: 500, count: 10)) { points in
            for index in points.indices { points[index].sensors.accuracy = index == 5 ? 3000 : 5 }
        }.plausible
        #expect(cells.pointCount == 9)
        #expect(cells.doubts == ["positions known to a kilometre or worse among exact ones, left out: 1"])
    }

    @Test func totalsOfTheDeviceArePossible() {
        var counted = line([500, 501])
        counted.totals = DeviceTotals()
        counted.totals?.distance = -1
        counted.totals?.ascent = 12
        counted.totals?.averageHeartRate = 0
        counted.totals?.maximumHeartRate = 255
        counted.calories = -3
        let read = counted.plausible
        #expect(read.totals?.distance == nil && read.totals?.ascent == 12 && read.calories == nil)
        #expect(read.totals?.averageHeartRate == nil && read.totals?.maximumHeartRate == nil)
        #expect(
            read.doubts == [
                "impossible totals of the device, treated as unknown: distance, heart rate, calories"
            ])
    }

    /// The largest number of 32 bits at the end of a recording is no time.
    @Test func theLastPointIsNotYearsLater() {
        var times = (0..<20).map { Double($0 * 20) }
        times[19] = 366_000_000
        let read = line(Array(repeating: 500, count: 20), times: times).plausible
        #expect(read.segments.joined().map { $0.time != nil } == Array(repeating: true, count: 19) + [false])
        #expect(read.doubts.first?.hasPrefix("time: 1 impossible value") == true)
    }

    @Test func zerosAmongHeightsAreDropouts() {
        #expect(heights(line([1500, 0, 0, 1501]).plausible) == [1500, nil, nil, 1501])
        // By the sea, and where all are zero, they were measured.
        #expect(heights(line([3, 0, 0, 4]).plausible) == [3, 0, 0, 4])
        #expect(heights(line([0, 0, 0]).plausible) == [0, 0, 0])
    }

    @Test func aShortSpikeIsNoPeak() {
        #expect(heights(line([500, 2000, 501]).plausible) == [500, nil, 501])
        #expect(heights(line([500, 520, 501]).plausible) == [500, 520, 501])
        // A peak between distant points is one.
        let far = line([500, 1000, 510]) { points in
            for index in points.indices { points[index].coordinate.latitude = 47 + Double(index) * 0.02 }
        }
        #expect(heights(far.plausible) == [500, 1000, 510])
    }

    @Test func zeroZeroFarFromAllOthersIsNoPosition() {
        let read = line([500, 501, 502]) { points in
            points[0].coordinate.latitude = 0
            points[0].coordinate.longitude = 0
            points[0].heartRate = 120
        }.plausible
        #expect(read.segments.map(\.count) == [2])
        // What else was measured there is kept.
        #expect(read.unplaced.map(\.sensors.heartRate) == [120])
        #expect(read.doubts == ["position: 1 impossible value (0,0), treated as unknown"])
    }

    @Test func nearNullIslandZeroIsAPosition() {
        let read = line([nil, nil]) { points in
            points[0].coordinate = Coordinate(latitude: 0, longitude: 0)
            points[1].coordinate = Coordinate(latitude: 0.001, longitude: 0)
        }.plausible
        #expect(read.segments.map(\.count) == [2])
    }

    @Test func noHeartBeatsSo() {
        let read = line([nil, nil, nil, nil]) { points in
            for (index, rate) in ([0, 120, 300, -5] as [Double]).enumerated() {
                points[index].heartRate = rate
            }
        }.plausible
        #expect(read.segments[0].map(\.heartRate) == [nil, 120, nil, nil])
        #expect(read.doubts == ["heart rate: 3 impossible values (0), treated as unknown"])
    }

    @Test func sensorsOutsideTheirRange() {
        let read = line([nil]) { points in
            points[0].sensors.temperature = -300
            points[0].sensors.cadence = -7
            points[0].sensors.speed = 655.35
            points[0].sensors.course = 999
            points[0].sensors.power = 210
        }.plausible
        let sensors = read.segments[0][0].sensors
        #expect(sensors.temperature == nil && sensors.cadence == nil && sensors.speed == nil)
        #expect(sensors.course == nil && sensors.power == 210)
        #expect(read.doubts.count == 4)
    }

    @Test func timesBeforeTheFirstFixAreUnknown() {
        let years = -46.0 * 365 * 86_400
        let read = line([nil, nil, nil], times: [years, 20, 40]).plausible
        #expect(read.segments[0].map { $0.time == nil } == [true, false, false])
        // A clock that was never set: the differences are right.
        let unset = line([nil, nil], times: [years, years + 20]).plausible
        #expect(unset.segments[0].allSatisfy { $0.time != nil })
    }

    @Test func aSingleTimeOutOfOrderIsUnknown() {
        let read = line([Double?](repeating: nil, count: 6), times: [0, 20, 9000, 60, 80, 100]).plausible
        #expect(read.segments[0].map { $0.time == nil } == [false, false, true, false, false, false])
        // A track that runs backwards as a whole is left as it is.
        let reversed = line([nil, nil, nil], times: [40, 20, 0]).plausible
        #expect(reversed.segments[0].allSatisfy { $0.time != nil })
    }

    @Test func segmentsThatRepeatThoseBeforeThem() {
        let points = line([500, 501, 502, 503]).segments[0]
        let read = GPXLine(segments: [Array(points.prefix(2)), Array(points.prefix(3)), points]).plausible
        #expect(read.segments == [points])
        #expect(read.doubts == ["5 points that a later segment repeats: left out"])
    }

    /// No value is lost without a word, and what is cleaned stays as it is.
    @Test func cleaningOnceIsEnough() {
        var random = Xoshiro256(seed: 11)
        for _ in 0..<300 {
            let count = Int.random(in: 1...40, using: &random)
            let choices: [Double?] = [500, 501, 0, -9999, 2000, nil]
            let heights = (0..<count).map { _ in choices.randomElement(using: &random) ?? nil }
            var noisy = line(heights) { points in
                for index in points.indices {
                    points[index].heartRate = Double.random(in: -20...300, using: &random)
                }
            }
            let once = noisy.plausible
            noisy = once
            noisy.doubts = []
            let twice = noisy.plausible
            #expect(twice.segments == once.segments || !twice.doubts.isEmpty)
            #expect(once.pointCount + once.unplaced.count >= count)
        }
    }

    private func times(_ line: GPXLine) -> [Double?] {
        line.segments.joined().map { $0.time.map { Double($0.milliseconds - 1_780_000_000_000) / 1000 } }
    }

    private func metres(_ line: GPXLine) -> Double {
        Polyline.length(line.segments.joined().map(\.coordinate))
    }

    /// Two records in the wrong order make a detour of what was walked straight on.
    @Test func swappedPointsArePutInOrder() {
        let straight = line(Array(repeating: 500, count: 8))
        let swapped = line(Array(repeating: 500, count: 8)) { $0.swapAt(3, 4) }.plausible
        #expect(times(swapped) == times(straight))
        #expect(abs(metres(swapped) - metres(straight)) < 0.1)
        #expect(swapped.doubts == ["1 point put in the order of time"])
        // A single wrong time is not a point in a wrong place.
        let wrong = line(Array(repeating: 500, count: 8), times: [0, 20, 40, 10, 80, 100, 120, 140]).plausible
        #expect(times(wrong) == [0, 20, 40, nil, 80, 100, 120, 140])
    }

    @Test func aTrackThatIsStoredFromItsEnd() {
        let read = line(Array(repeating: 500, count: 5)) { $0.reverse() }.plausible
        #expect(times(read) == [0, 20, 40, 60, 80])
        #expect(read.doubts == ["times run backwards all along: 5 points put in the order of time"])
        // The times of two of five points say nothing about the others.
        let few = line(Array(repeating: 500, count: 5), times: [40, nil, nil, nil, 20]).plausible
        #expect(few.segments[0].first?.coordinate.latitude == 47)
    }

    /// The clock is set by the first fix: before it, a device has the time of its last use.
    @Test func timesBeforeTheClockWasSetAreUnknown() {
        let early = -200 * 86_400.0
        let read = line(
            Array(repeating: 500, count: 8), times: [early, early + 20, 40, 60, 80, 100, 120, 140]
        ).plausible
        #expect(times(read) == [nil, nil, 40, 60, 80, 100, 120, 140])
        #expect(read.doubts.first?.hasPrefix("time: 2 impossible values") == true)
        // Half a year of rest at a hut would be that of most points; a journey would have moved the walker.
        let rest = line(Array(repeating: 500, count: 4), times: [0, 20, 20_000_000, 20_000_020]).plausible
        #expect(times(rest) == [0, 20, 20_000_000, 20_000_020])
    }

    /// A point without a time goes with the one before it, and does not keep the others out of order.
    @Test func onePointWithoutATimeKeepsNoOtherOutOfOrder() {
        let read = line(Array(repeating: 500, count: 8), times: [0, nil, 40, 60, 80, 100, 120, 140]) {
            $0.swapAt(3, 4)
        }.plausible
        #expect(times(read) == [0, nil, 40, 60, 80, 100, 120, 140])
        #expect(read.doubts == ["1 point put in the order of time"])
    }

    /// Halves swapped, rows in no order, the whole twice: the way in the order of time is the shorter one.
    @Test func pointsInNoOrderArePutInOrder() {
        let straight = line(Array(repeating: 500, count: 10))
        let halves = line(Array(repeating: 500, count: 10)) { $0 = Array($0[5...] + $0[..<5]) }.plausible
        #expect(times(halves) == times(straight))
        let mixed = line(Array(repeating: 500, count: 10)) { points in
            points = [7, 2, 9, 0, 4, 1, 8, 3, 6, 5].map { points[$0] }
        }.plausible
        #expect(times(mixed) == times(straight))
        #expect(abs(metres(mixed) - metres(straight)) < 0.1)
        let twice = line(Array(repeating: 500, count: 10)) { $0 += $0 }.plausible
        #expect(times(twice) == times(straight))
        #expect(
            twice.doubts.contains("10 points that are there twice, in another place of the file: left out"))
    }

    /// Two walkers at the same times are not one who runs to and fro between them.
    @Test func twoWalksInOneStayAsTheyAre() {
        let two = line(Array(repeating: 500, count: 10)) { points in
            var others = points
            for index in others.indices { others[index].coordinate.longitude = 8.5 }
            points += others
        }.plausible
        #expect(
            two.segments[0].map(\.coordinate.longitude) == Array(repeating: 8, count: 10)
                + Array(repeating: 8.5, count: 10))
    }

    /// 1024 weeks are 619,315,200 s.
    @Test func weeksThatBeganAnewAreSetRight() {
        let weeks = 619_315_200.0
        let early = [0.0, 20, 40].map { $0 - weeks } + [60, 80]
        let read = line(Array(repeating: 500, count: 5), times: early).plausible
        #expect(times(read) == [0, 20, 40, 60, 80])
        #expect(
            read.doubts.contains {
                $0.hasPrefix("times 1024 weeks before the others") && $0.hasSuffix("3 points")
            })
        // Ten years between two points are no count that began anew.
        let years = line(Array(repeating: 500, count: 4), times: [0, 20, weeks / 2, weeks / 2 + 20]).plausible
        #expect(times(years) == [0, 20, weeks / 2, weeks / 2 + 20])
    }

    @Test func aPointWithoutAFixIsNoPosition() {
        let read = line([500, 0, 502]) { points in
            points[1].coordinate.latitude = 48
            points[1].details = [GPXDetail(.fix, "none")].compactMap(\.self)
            points[1].heartRate = 99
        }.plausible
        #expect(read.segments.map(\.count) == [2])
        #expect(read.unplaced.map(\.sensors.heartRate) == [99])
        #expect(read.doubts == ["1 position written without a fix (`fix` is `none`): left out"])
        // Where no point has one, the track is kept.
        let all = line([500, 501]) { points in
            for index in points.indices {
                points[index].details = [GPXDetail(.fix, "none")].compactMap(\.self)
            }
        }.plausible
        #expect(all.segments.map(\.count) == [2])
        #expect(all.doubts.contains { $0.hasPrefix("every position is written as without a fix") })
    }
}

/// Elevations of devices that know none.
struct ZeroElevationTests {
    private func line(_ count: Int, _ height: (Int) -> Double) -> GPXLine {
        let points = (0..<count).map { index in
            GPXPoint(
                coordinate: Coordinate(
                    latitude: 47 + 0.001 * Double(index), longitude: 8, altitude: height(index)))
        }
        return GPXLine(segments: [points]).plausible
    }

    @Test func zerosAllAlongAreUnknown() {
        let read = line(30) { _ in 0 }
        #expect(read.segments[0].allSatisfy { $0.coordinate.altitude == nil })
        #expect(read.doubts.contains { $0.hasPrefix("every elevation is 0m") && $0.contains("30") })
    }

    /// A few points, and a shore, can be at sea level.
    @Test func othersStay() {
        #expect(line(5) { _ in 0 }.segments[0].allSatisfy { $0.coordinate.altitude == 0 })
        #expect(line(30) { $0 == 7 ? 0.4 : 0 }.segments[0].allSatisfy { $0.coordinate.altitude != nil })
    }
}

/// Clocks that are set back while the way goes on.
struct SetBackClockTests {
    private func line(_ seconds: [Double]) -> GPXLine {
        let points = seconds.enumerated().map { index, second in
            GPXPoint(
                coordinate: Coordinate(latitude: 47 + 0.0003 * Double(index), longitude: 8),
                time: Timestamp(milliseconds: 1_780_732_800_000 + Int64(second * 1000)))
        }
        return GPXLine(segments: [points]).plausible
    }

    private func steps(_ line: GPXLine) -> Set<Double> {
        let times = line.segments.joined().compactMap(\.time)
        return Set(zip(times, times.dropFirst()).map { $1.seconds(since: $0) })
    }

    @Test(arguments: [3600.0, 43_200, 86_400]) func timesGoOn(period: Double) {
        let read = line((0..<30).map { Double(20 * $0) - ($0 < 15 ? 0 : period) })
        #expect(steps(read) == [20])
        #expect(read.doubts.contains { $0.contains("goes back") && $0.contains("15 points") })
    }

    /// A block that is there again, after later times, is no way back.
    @Test func aRepeatedBlockIsLeftOut() {
        let order = Array(0..<10) + Array(5..<30)
        let points = order.map { index in
            GPXPoint(
                coordinate: Coordinate(latitude: 47 + 0.0003 * Double(index), longitude: 8),
                time: Timestamp(milliseconds: 1_780_732_800_000 + Int64(20_000 * index)))
        }
        let read = GPXLine(segments: [points]).plausible
        #expect(read.pointCount == 30 && steps(read) == [20])
        #expect(read.doubts.contains { $0.contains("5 points") && $0.contains("twice") })
    }

    /// A clock that is set forward again was wrong in between, or somebody rested.
    @Test func aClockThatIsRightAgainStays() {
        let read = line((0..<30).map { Double(20 * $0) - ((10..<20).contains($0) ? 3600 : 0) })
        #expect(!read.doubts.contains { $0.contains("goes back") })
    }

    /// The same of a clock that is set forward first, however near to the start; a rest long before is none.
    @Test func aClockThatIsAheadForAFewPointsStays() {
        let ahead = line((0..<30).map { Double(20 * $0) + ((2..<8).contains($0) ? 3600 : 0) })
        #expect(!ahead.doubts.contains { $0.contains("goes back") })
        let rested = line((0..<90).map { Double(20 * $0) + ((45..<80).contains($0) ? 3600 : 0) })
        #expect(rested.doubts.contains { $0.contains("goes back") && $0.contains("10 points") })
    }

    /// A single time that is wrong by an hour or a day changes no other.
    @Test(arguments: [(1, 86_400.0), (14, 3600)]) func oneWrongTimeStaysAlone(place: Int, by: Double) {
        let read = line((0..<30).map { Double(20 * $0) + ($0 == place ? by : 0) })
        #expect(!read.doubts.contains { $0.contains("goes back") })
        #expect(read.segments.joined().last?.time == Timestamp(milliseconds: 1_780_732_800_000 + 580_000))
    }

    /// Of the first two times, which contradict each other, the one is right that is nearer to the others.
    @Test(arguments: [0, 1]) func aWrongTimeAtTheStartIsTheOneFarFromTheOthers(place: Int) {
        let read = line(
            (0..<30).map { Double(20 * $0) + ($0 == place ? (place == 0 ? 86_400 : -86_400) : 0) })
        let times = read.segments.joined().map(\.time)
        #expect(times.indices.filter { times[$0] == nil } == [place])
    }

    /// What is there twice, and times that go back by anything else, are no clock that was set.
    @Test func othersStay() {
        let twice = line((0..<30).map { Double(200 * ($0 % 15)) })
        #expect(!twice.doubts.contains { $0.contains("goes back") })
        let other = line((0..<30).map { Double(20 * $0) - ($0 < 15 ? 0 : 2000) })
        #expect(!other.doubts.contains { $0.contains("goes back") })
    }
}
