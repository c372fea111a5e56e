import CivilTime
import Formats
import Foundation
import Geodesy
import Testing

@testable import TrailStores

/// A lift or vehicle within a walk is said; who rides all the way is not doubted.
struct VehicleStretchTests {
    /// A line to the north with a point every 20 s; metres of each step.
    private func line(_ steps: [Double], type: String? = nil) -> GPXLine {
        var north = 47.0
        var points: [GPXPoint] = []
        for (index, step) in ([0] + steps).enumerated() {
            north += step / 111_200
            points.append(
                GPXPoint(
                    coordinate: Coordinate(latitude: north, longitude: 8, altitude: 500),
                    time: Timestamp(milliseconds: 1_780_732_800_000 + Int64(20_000 * index))))
        }
        var line = GPXLine(segments: [points])
        line.type = type
        return line
    }

    private let walk = [Double](repeating: 25, count: 30)
    private let ride = [Double](repeating: 400, count: 10)

    /// However a walk is named, it has the limit of one; who says nothing may be in a vehicle.
    @Test(arguments: ["hiking", "Hike", "trekking", "trail running"])
    func allNamesOfWalksHaveTheLimitOfWalks(activity: String) {
        #expect(RecordingSettings.fastest(of: activity) == 12.5)
        #expect(RecordingSettings.fastest(of: "cycling") == RecordingSettings.fastest(of: nil))
        #expect(RecordingSettings.fastest(of: "") == 70)
    }

    @Test func aCarAtTheEndIsSaid() throws {
        let found = VehicleStretch.all(in: line(walk + ride))
        #expect(found.count == 1)
        #expect(found.first?.points == 31...41)
        #expect(found.first?.seconds == 200)
        #expect(RecordingCheck(line(walk + ride)).warnings.contains { $0.contains("a vehicle or lift") })
    }

    @Test func ridesAndShortRunsAreNotDoubted() {
        #expect(VehicleStretch.all(in: line(walk)).isEmpty)
        #expect(VehicleStretch.all(in: line(walk + [400, 400] + walk)).isEmpty)
        #expect(VehicleStretch.all(in: line(ride + ride)).isEmpty)
        #expect(VehicleStretch.all(in: line(walk + ride, type: "cycling")).isEmpty)
    }

    /// A point far off the way, there and back faster than anyone walks, is said also where the activity is unknown.
    @Test func aPointOffTheWayIsSaid() {
        var stray = line(walk)
        stray.segments[0][15].coordinate.latitude += 0.008
        #expect(
            RecordingCheck(stray).warnings.contains {
                $0.contains("to point 16 and back, which the distance counts")
            })
        #expect(!RecordingCheck(line(walk)).warnings.contains { $0.contains("and back") })
    }

    /// Totals of a part of the points, as where the last lap is missing.
    @Test func totalsThatEndBeforeThePointsAreSaid() {
        var whole = line(walk)
        whole.totals = DeviceTotals()
        whole.totals?.elapsed = 600
        #expect(!RecordingCheck(whole).warnings.contains { $0.hasPrefix("the device's totals are of") })
        whole.totals?.elapsed = 400
        #expect(RecordingCheck(whole).warnings.contains { $0.hasPrefix("the device's totals are of") })
    }

    /// Two devices in one track count the way twice.
    @Test func segmentsOfTheSameTimeAreSaid() {
        var both = line(walk)
        both.segments.append(both.segments[0])
        #expect(RecordingCheck(both).warnings.contains { $0.hasPrefix("segments overlap in time") })
        #expect(!RecordingCheck(line(walk)).warnings.contains { $0.hasPrefix("segments overlap") })
    }

    /// A barometer that is set anew; a cliff takes a walker longer.
    @Test func aJumpOfTheElevationIsSaid() {
        var jump = line(walk)
        for index in 15..<31 { jump.segments[0][index].coordinate.altitude = 700 }
        #expect(
            RecordingCheck(jump).warnings.contains {
                $0.contains("elevation changes by 200m") && $0.contains("point 16")
            })
        var hill = line(walk)
        for index in 0..<31 { hill.segments[0][index].coordinate.altitude = 500 + 20 * Double(index) }
        #expect(!RecordingCheck(hill).warnings.contains { $0.contains("elevation changes") })
    }

    /// What no way has is no climb: a barometer that is set anew, and heights that lost their thousands. Without times it may be a wall.
    @Test func aJumpOfTheElevationIsNoClimb() throws {
        func gain(_ heights: (Int) -> Double, isTimed: Bool = true) throws -> [Double] {
            var line = line(walk)
            for index in line.segments[0].indices {
                line.segments[0][index].coordinate.altitude = heights(index)
                if !isTimed { line.segments[0][index].time = nil }
            }
            let statistics = try #require(HikeStatistics(segments: TrackPoint.segments(of: line)))
            return [statistics.gain, statistics.loss].map { ($0 * 10).rounded() / 10 }
        }
        #expect(try gain { $0 < 15 ? 500 : 700 } == [0, 0])
        #expect(try gain({ $0 < 15 ? 500 : 700 }, isTimed: false) == [200, 0])
        #expect(try gain { ($0 < 10 ? 985 : -15) + Double($0) } == [29, 0])
        // Who falls for long has no barometer that is set anew.
        #expect(try gain { 3000 - 70 * Double($0) } == [0, 2100])
    }

    /// Times that a planner made up, of 46 km in four months.
    @Test func aWayThatIsNowhereAsFastAsAWalkIsSaid() throws {
        var slow = line(walk + walk)
        for index in slow.segments[0].indices {
            slow.segments[0][index].time = slow.segments[0][0].time?.advanced(
                bySeconds: Double(index) * 58_000)
        }
        func isSaid(_ line: GPXLine) -> Bool {
            let statistics = HikeStatistics(segments: TrackPoint.segments(of: line))
            return RecordingCheck(line, statistics).warnings.contains {
                $0.contains("nowhere as fast as a walk")
            }
        }
        #expect(isSaid(slow))
        #expect(!isSaid(line(walk + walk)))
    }

    /// A telephone that writes the first elevation again and again; the shore of a lake has one in whole metres.
    @Test func anElevationThatNeverChangesIsSaid() throws {
        func isSaid(_ height: Double) -> Bool {
            var line = line(walk + walk)
            for index in line.segments[0].indices { line.segments[0][index].coordinate.altitude = height }
            let statistics = HikeStatistics(segments: TrackPoint.segments(of: line))
            return RecordingCheck(line, statistics).warnings.contains { $0.hasPrefix("every elevation is") }
        }
        #expect(isSaid(512.3))
        #expect(!isSaid(512))
    }

    @Test func lapsThatAddUpToAnotherWayAreSaid() {
        func isSaid(_ metres: Double, hasTotals: Bool = true) -> Bool {
            var line = line(walk)
            if hasTotals { line.totals = DeviceTotals() }
            line.laps = [TrackLap(), TrackLap()]
            for index in line.laps.indices { line.laps[index].distance = metres }
            let statistics = HikeStatistics(segments: TrackPoint.segments(of: line))
            return RecordingCheck(line, statistics).warnings.contains {
                $0.hasPrefix("the device's laps add up to")
            }
        }
        #expect(isSaid(5000))
        #expect(!isSaid(375))
        // Of a part of the recording, laps reach beyond it.
        #expect(!isSaid(5000, hasTotals: false))
    }

    /// Programs write kilometres an hour where metres a second stand.
    @Test func speedsInAnotherUnitAreSaid() throws {
        func isSaid(_ speed: Double) -> Bool {
            var line = line(walk)
            for index in line.segments[0].indices { line.segments[0][index].sensors.speed = speed }
            let statistics = HikeStatistics(segments: TrackPoint.segments(of: line))
            return RecordingCheck(line, statistics).warnings.contains {
                $0.contains("perhaps it is in another unit")
            }
        }
        #expect(isSaid(1.25 * 3.6) && isSaid(1.25 * 1.944))
        #expect(!isSaid(1.25) && !isSaid(1.5) && !isSaid(1.0))
    }

    /// The same place has one elevation: what a barometer drifts on a way that comes back is said.
    @Test func aDriftOfTheElevationIsSaid() {
        func loop(_ drift: Double) -> [String] {
            let points = (0...200).map { index in
                let angle = Double(index) / 200 * 2 * Double.pi
                return GPXPoint(
                    coordinate: Coordinate(
                        latitude: 47 + 0.005 * sin(angle), longitude: 8 + 0.007 * cos(angle),
                        altitude: 500 + 100 * (1 - cos(angle)) + drift * Double(index) / 200),
                    time: Timestamp(milliseconds: 1_780_732_800_000 + Int64(index) * 15_000))
            }
            let line = GPXLine(segments: [points])
            return RecordingCheck(line, HikeStatistics(segments: Recording(line: line).segments)).warnings
        }
        #expect(loop(45).contains { $0.contains("ends where it began, but") && $0.contains("higher") })
        #expect(loop(-45).contains { $0.contains("lower") })
        #expect(!loop(10).contains { $0.contains("ends where it began") })
    }

    /// Elevations far from the place where the way begins and ends say nothing of it: none is known near it, or points are few.
    @Test(arguments: [(60, 20), (30, 0)]) func elevationsElsewhereAreNoDrift(count: Int, unknown: Int) {
        let points = (0...count).map { index in
            let angle = Double(index) / Double(count) * 2 * Double.pi
            return GPXPoint(
                coordinate: Coordinate(
                    latitude: 47 + 0.005 * sin(angle), longitude: 8 + 0.007 * cos(angle),
                    altitude: index < unknown ? nil : 500 + 300 * sin(angle)),
                time: Timestamp(milliseconds: 1_780_732_800_000 + Int64(index) * 60_000))
        }
        let line = GPXLine(segments: [points])
        let check = RecordingCheck(line, HikeStatistics(segments: Recording(line: line).segments))
        #expect(!check.warnings.contains { $0.contains("ends where it began") }, "\(check.warnings)")
    }
}
