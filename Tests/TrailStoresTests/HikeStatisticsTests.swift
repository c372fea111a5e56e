import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import TrailStores

/// Distance, climb, motion and rest, against calculations by hand and by another program.
struct HikeStatisticsTests {
    /// Points on a meridian, `metres` apart from the first, with altitude and seconds.
    private func points(_ rows: [(metres: Double, altitude: Double?, seconds: Double?)]) -> [TrackPoint] {
        rows.map { row in
            // A degree of a meridian is π/180 · 6,372,797.6 m.
            let latitude = row.metres / (.pi / 180 * 6_372_797.6)
            return TrackPoint(
                coordinate: Coordinate(latitude: latitude, longitude: 0, altitude: row.altitude),
                time: row.seconds.map { Fixture.moment.advanced(bySeconds: $0) })
        }
    }

    private func statistics(_ segments: [(metres: Double, altitude: Double?, seconds: Double?)]...) throws
        -> HikeStatistics
    {
        try #require(HikeStatistics(segments: segments.map(points)))
    }

    @Test func noPointsHaveNone() { #expect(HikeStatistics(segments: [[], []]) == nil) }

    @Test func walkingAndResting() throws {
        // 100 m in 100 s; 6 m in 30 s: rest (0.2 m/s for 30 s); 100 m in 50 s.
        let it = try statistics([(0, nil, 0), (100, nil, 100), (106, nil, 130), (206, nil, 180)])
        #expect(abs(it.distance - 206) < 1e-6)
        #expect(it.walkingTime == 150)
        #expect(it.restingTime == 30)
    }

    /// A measurement without a position.
    private func sample(_ seconds: Double, distance: Double? = nil, rate: Double? = nil) -> UnplacedSample {
        var sensors = PointSensors()
        sensors.distance = distance
        sensors.heartRate = rate
        return UnplacedSample(
            time: Fixture.moment.advanced(bySeconds: seconds), altitude: nil, sensors: sensors)
    }

    @Test func standingIndoorsIsRest() throws {
        var line = GPXLine(segments: [])
        line.unplaced = (0...40).map { sample(Double($0) * 30, distance: Double(min($0, 20)) * 75) }
        let it = try #require(Hike(id: UUID(), name: "Treadmill", indoors: line))
        #expect(it.walkingTime == 600)
        #expect(it.restingTime == 600)
    }

    @Test func aShortStopIsWalking() throws {
        // Slow for 29 s is not a rest; two slow moves of 15 s that follow each other are one.
        #expect(
            try statistics([(0, nil, 0), (100, nil, 100), (101, nil, 129), (201, nil, 229)]).restingTime == 0)
        #expect(try statistics([(0, nil, 0), (1, nil, 15), (2, nil, 30), (102, nil, 130)]).restingTime == 30)
        #expect(try statistics([(0, nil, 0), (100, nil, 100), (101, nil, 115)]).restingTime == 0)
    }

    private typealias Row = (metres: Double, altitude: Double?, seconds: Double?)

    /// A receiver that wanders about a hut for 20 minutes, at 0.8 m/s, is at rest; the walks to it and from it are not.
    @Test func aNoisyRestIsARest() throws {
        let noise: [Double] = [0, 4, -4, 3, -2, 5, -5, 1]
        var rows: [Row] = []
        for index in 0..<60 { rows.append((Double(index) * 13, 900, Double(index) * 10)) }
        for index in 0..<120 { rows.append((780 + noise[index % 8], 900, 600 + Double(index) * 10)) }
        for index in 1...60 { rows.append((780 - Double(index) * 13, 900, 1790 + Double(index) * 10)) }
        let it = try #require(HikeStatistics(segments: [points(rows)]))
        let error: Double = abs(it.restingTime - 1190)
        #expect(error <= 40, "\(it.restingTime)")
        #expect(it.walkingTime + it.restingTime == 2390)
        #expect(it.wandered > 600 && it.wandered < it.distance)
        // The walks have 1.3 m/s.
        let speed: Double = it.walkedDistance / it.walkingTime
        #expect(speed > 1.2 && speed < 1.4, "\(speed)")
        #expect(it.wandered(beside: it.walkingTime) == it.wandered)
        #expect(it.wandered(beside: it.walkingTime + 600) == 0)
        // A method without rests by speed has none about a place.
        let all = HikeStatistics(segments: [points(rows)], method: HikeStatistics.Method(restSpeed: 0))
        #expect(all?.restingTime == 0 && all?.wandered == 0)
        // The height drifts by 24 m in the 20 minutes.
        for index in 60..<180 { rows[index].altitude = 900 + Double(index - 60) * 0.2 }
        let drifting = try #require(HikeStatistics(segments: [points(rows)]))
        #expect(abs(drifting.restingTime - it.restingTime) < 1)
    }

    /// A receiver in a hut or a gorge wanders by tens of metres: 20 minutes of it are a rest, and no half of a kilometre of walking.
    @Test func aReceiverThatWandersFarIsAtRest() throws {
        var random = Xoshiro256(seed: 7)
        var rows: [Row] = []
        for index in 0..<60 { rows.append((Double(index) * 13, 900, Double(index) * 10)) }
        var noise = 0.0
        for index in 0..<120 {
            let push: Double = (0..<12).reduce(-6.0) { sum, _ in
                sum + Double.random(in: 0..<1, using: &random)
            }
            noise = 0.9 * noise + 5 * push
            rows.append((780 + noise, 900, 600 + Double(index) * 10))
        }
        for index in 1...60 { rows.append((780 + Double(index) * 13, 900, 1790 + Double(index) * 10)) }
        let it = try #require(HikeStatistics(segments: [points(rows)]))
        #expect(it.restingTime > 900 && it.restingTime < 1230, "\(it.restingTime)")
        let speed: Double = it.walkedDistance / it.walkingTime
        #expect(speed > 1.1 && speed < 1.45, "\(speed)")
    }

    /// Bends up a slope stay within a small circle too, but climb; a walk round a pond leaves it.
    @Test func bendsUpASlopeAndRoundsOfAPondAreNoRest() throws {
        var bends: [Row] = []
        var pond: [Row] = []
        for index in 0..<40 {
            let number = Double(index)
            bends.append((Double(index % 2) * 10, 500 + number * 2, number * 20))
            pond.append((Double(index % 5) * 20, 500, number * 20))
        }
        #expect(try #require(HikeStatistics(segments: [points(bends)])).restingTime == 0)
        #expect(try #require(HikeStatistics(segments: [points(pond)])).restingTime == 0)
    }

    @Test func theWayOfKnownTimes() throws {
        let it = try statistics([
            (0, nil, nil), (100, nil, 0), (150, nil, nil), (200, nil, 100), (300, nil, nil),
        ])
        #expect(abs(it.distance - 300) < 1e-6)
        #expect(abs(it.timedDistance - 100) < 1e-6)
    }

    /// Whatever is damaged in a recording: motion and rest are the whole time, and no figure is negative or more than the whole.
    @Test func damagedRecordingsAddUp() throws {
        var random = Xoshiro256(seed: 49)
        for round in 0..<300 {
            var segments: [[Row]] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                var rows: [Row] = []
                for index in 0..<Int.random(in: 1...60, using: &random) {
                    let number = Double(index)
                    let place: Double = number * Double.random(in: 0...20, using: &random)
                    let clock: Double = number * 20 + Double.random(in: -40...40, using: &random).rounded()
                    let height: Double = Double.random(in: 0...900, using: &random)
                    let isLost = Int.random(in: 0..<6, using: &random) == 0
                    let isFlat = Int.random(in: 0..<4, using: &random) == 0
                    rows.append((place, isFlat ? nil : height, isLost ? nil : clock))
                }
                segments.append(rows)
            }
            let tracks = segments.map(points)
            let it = try #require(HikeStatistics(segments: tracks))
            let times = tracks.joined().compactMap(\.time)
            let span = times.isEmpty ? 0 : (times.max() ?? times[0]).seconds(since: times.min() ?? times[0])
            #expect(abs(it.walkingTime + it.restingTime - span) < 1e-6, "round \(round)")
            #expect(it.walkingTime >= 0 && it.restingTime >= 0, "round \(round)")
            #expect(it.timedDistance <= it.distance + 1e-6 && it.timedDistance >= 0, "round \(round)")
            #expect(it.wandered <= it.distance + 1e-6, "round \(round)")
        }
    }

    @Test func exactlyTheLimitIsMotion() throws {
        #expect(try statistics([(0, nil, 0), (12.1, nil, 40)]).walkingTime == 40)
        #expect(try statistics([(0, nil, 0), (11.9, nil, 40)]).walkingTime == 0)
    }

    @Test func aGapBetweenSegmentsIsRestAndNoDistance() throws {
        let it = try statistics([(0, nil, 0), (100, nil, 100)], [(5000, nil, 700), (5100, nil, 800)])
        #expect(abs(it.distance - 200) < 1e-6)
        #expect(it.walkingTime == 200)
        #expect(it.restingTime == 600)
    }

    @Test func pointsWithoutTimeBelongToTheMoveAroundThem() throws {
        let it = try statistics([(0, nil, 0), (50, nil, nil), (100, nil, 100)])
        #expect(it.walkingTime == 100)
        #expect(it.restingTime == 0)
        let none = try statistics([(0, nil, nil), (50, nil, nil)])
        #expect(none.walkingTime == 0)
        #expect(none.startTime == nil)
    }

    @Test func timesThatRunBackwardsAddNothing() throws {
        let it = try statistics([(0, nil, 100), (100, nil, 50), (200, nil, 150)])
        #expect(it.walkingTime == 100)
        #expect(it.restingTime == 0)
    }

    @Test func climbsBelowTheThresholdDoNotCount() throws {
        // 2 m up and down is noise, 20 m up and 10 m down count.
        func levels(_ altitudes: Double...) throws -> HikeStatistics {
            let rows = altitudes.flatMap { [Double](repeating: $0, count: 20) }.enumerated()
            return try statistics(rows.map { (Double($0.offset), $0.element, nil) })
        }
        #expect(try levels(500, 502, 500).gain == 0)
        let hill = try levels(500, 520, 510)
        #expect(hill.gain == 20)
        #expect(hill.loss == 10)
        // What is left at the end counts, too: gain − loss is the difference of last and first.
        #expect(try levels(500, 502).gain == 2)
    }

    @Test func smoothingByHand() {
        // Means over 4 m of a point every metre: 5 points, 3 and 1 at the ends.
        let smooth = HeightProfile.smoothed([0, 15, 15, 15, 0], [0, 1, 2, 3, 4], over: 4)
        #expect(smooth == [0, 10, 9, 10, 0])
        #expect(HeightProfile.smoothed([], [], over: 4).isEmpty)
    }

    /// A receiver that jitters by 3.5 m to and fro each second does not climb, and hills of 9 m at the same rate lose nothing of their height.
    @Test func jitterIsAveragedAndHillsAreNot() throws {
        func climb(_ height: (Int) -> Double) throws -> HikeStatistics {
            try statistics((0...600).map { (Double($0), height($0), Double($0)) })
        }
        func jitter(_ second: Int) -> Double { 500 + Double(second % 2) * 3.5 }
        #expect(try climb(jitter).gain == 0)
        let track = points((0...600).map { (Double($0), jitter($0), Double($0)) })
        let raw = HikeStatistics(segments: [track], method: .init(smoothing: 0))
        #expect(raw?.gain == 1050)
        let hills = try climb { 500 + 0.3 * Double(min($0 % 60, 60 - $0 % 60)) }
        #expect(abs(hills.gain - 90) < 1e-9 && abs(hills.loss - 90) < 1e-9)
    }

    /// Times that are all the same, or whole minutes, say nothing about what lies within seconds of each other.
    @Test(arguments: [0.0, 60])
    func coarseTimesAverageNothing(_ resolution: Double) throws {
        let hills = try statistics(
            (0...600).map { second in
                let time = resolution > 0 ? (Double(second) / resolution).rounded(.down) * resolution : 0
                return (Double(second), 500 + 0.3 * Double(min(second % 60, 60 - second % 60)), time)
            })
        #expect(abs(hills.gain - 90) < 1e-9 && abs(hills.loss - 90) < 1e-9)
    }

    /// Hills do not depend on how often a device writes, and gain and loss add up to the net change.
    @Test func climbsAddUpAtAnyRate() throws {
        var random = Xoshiro256(seed: 5)
        for _ in 0..<200 {
            let heights = (0..<Int.random(in: 2...60, using: &random)).map { _ in
                Double.random(in: 0...40, using: &random)
            }
            let turns = Climb.turns(heights, threshold: 3)
            let net = zip(turns, turns.dropFirst()).reduce(0) { $0 + $1.1.height - $1.0.height }
            #expect(abs(net - (heights[heights.count - 1] - heights[0])) < 1e-9)
            #expect(zip(turns, turns.dropFirst()).allSatisfy { $0.place < $1.place })
            // Between the ends each turn is one of at least the threshold.
            let inner = turns.dropFirst().dropLast()
            #expect(zip(inner, inner.dropFirst()).allSatisfy { abs($0.height - $1.height) >= 3 })
        }
    }

    @Test func heartRates() throws {
        var track = points([(0, nil, 0), (100, nil, 100), (200, nil, 200)])
        track[0].heartRate = 100
        track[2].heartRate = 141
        let it = try #require(HikeStatistics(segments: [track]))
        #expect(it.averageHeartRate == 120.5)
        #expect(it.maximumHeartRate == 141)
    }

    /// Expected values: by an independent Python program (xml.etree, the method of the README
    /// reimplemented).
    @Test(
        .enabled(if: RealData.has("gpx"), "the folder of real data is not there"),
        arguments: [
            (
                "reference_track_garmin-oregon-700-output.gpx", 22186.1204642107, 396.6, 407.8, 4033.0,
                2010.0
            ),
            ("reference_track_garmin-edge-800-output.gpx", 25128.825994040, 117.6, 103.4, 3494.0, 127.0),
            ("reference_track_wahoo-element-bolt.gpx", 4739.096867721, 55.6, 5.4, 1097.0, 29.0),
            ("reference_track_fit-sample.gpx", 9938.232472639, 38.2, 39.0, 2810.0, 0),
        ])
    func realTracks(
        name: String, distance: Double, gain: Double, loss: Double, walking: Double, resting: Double
    ) throws {
        let track = try #require(try GPXReader.document(RealData.url("gpx/\(name)")).tracks.first)
        let segments = track.segments.map {
            $0.map { TrackPoint(coordinate: $0.coordinate, time: $0.time, heartRate: $0.heartRate) }
        }
        let it = try #require(HikeStatistics(segments: segments))
        #expect(abs(it.distance - distance) < 1e-5)
        #expect(abs(it.gain - gain) < 1e-3)
        #expect(abs(it.loss - loss) < 1e-3)
        #expect(it.walkingTime == walking)
        #expect(it.restingTime == resting)
    }

    /// A minute at 160, written each second, and 59 at 100, written each minute: the mean is that over time.
    @Test func heartRatesCountAsLongAsTheyHold() throws {
        func point(_ seconds: Int, _ rate: Double?) -> TrackPoint {
            TrackPoint(
                coordinate: Coordinate(latitude: 47 + Double(seconds) * 1e-5, longitude: 8),
                time: Timestamp(milliseconds: 1_780_000_000_000 + Int64(seconds) * 1000), heartRate: rate)
        }
        let uneven = (0..<60).map { point($0, 160) } + (1..<60).map { point($0 * 60, 100) }
        let mean = try #require(HikeStatistics(segments: [uneven])?.averageHeartRate)
        #expect(abs(mean - 101) < 0.1)
        // At even times it is the mean of the points; without times too.
        #expect(RateMean.of([[point(0, 100), point(10, 110), point(20, 120)]], \.heartRate) == 110)
        let untimed = [100.0, 120].map {
            TrackPoint(coordinate: Coordinate(latitude: 47, longitude: 8), time: nil, heartRate: $0)
        }
        #expect(RateMean.of([untimed], \.heartRate) == 110)
        #expect(RateMean.of([[point(0, nil)]], \.heartRate) == nil)
        // A strap that is silent for an hour says nothing of it.
        let silent = [point(0, 100), point(3600, 200), point(3900, 200)]
        #expect(RateMean.of([silent], \.heartRate) == 150_000 / 900.0)
    }
}
