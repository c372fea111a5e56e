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
