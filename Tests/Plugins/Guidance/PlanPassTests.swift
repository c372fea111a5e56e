import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores
import TurnInstructions

@testable import GuidancePlugin

/// A cue at a place that the line passes several times is told at the pass that is meant, and says its turn.
@Suite struct PlanPassTests {
    /// Points each 20 m along straight legs.
    private static func fine(_ corners: [(Double, Double)]) -> [(Double, Double)] {
        var points = [corners[0]]
        for (from, to) in zip(corners, corners.dropFirst()) {
            let count = Int(hypot(to.0 - from.0, to.1 - from.1) / 20)
            points += (1...count).map {
                let share = Double($0) / Double(count)
                return (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1))
            }
        }
        return points
    }

    /// 600 m north, 600 m east, and back the same way.
    private static let outAndBack: [(Double, Double)] = {
        let out = fine([(0, 0), (0, 600), (600, 600)])
        return out + out.reversed().dropFirst()
    }()

    private static func point(_ element: String, _ place: (Double, Double), _ inner: String = "") -> String {
        let at = Ground().place(place.0, place.1)
        return "<\(element) lat=\"\(at.latitude)\" lon=\"\(at.longitude)\">\(inner)</\(element)>"
    }

    private static func track(_ points: [(Double, Double)]) -> String {
        "<trk><trkseg>\(points.map { point("trkpt", $0) }.joined())</trkseg></trk>"
    }

    /// What is told, with its distance from the start in tens of metres.
    private func cues(_ body: String, _ name: String = "plan.gpx") throws -> [String] {
        let data = Data((name.hasSuffix("gpx") ? "<gpx>\(body)</gpx>" : body).utf8)
        let test = try TestSession(plugins: { [GuidancePlugin()] }, files: [name: data])
        let file = try TrackFile(test.folder.url.appendingPathComponent(name), isPlan: true, check: {})
        let line = file.lines[0].segments.flatMap { $0.map(\.coordinate) }
        var generator = TurnGenerator(trace: NoTrace(), thresholds: TurnThresholds())
        let told = PlanCues(file).told(generator.turns(alongLine: line), on: line).turns
        return told.filter { $0.direction != .start && $0.direction != .arrive }.map { turn in
            let along = Int((turn.cumulativeDistance / 10).rounded()) * 10
            return "\(along) \(turn.direction.rawValue) \(turn.description)"
        }
    }

    private static let right = point("wpt", (0, 600), "<name>Right onto Mill Lane</name><sym>Right</sym>")
    private static let left = point("wpt", (0, 600), "<name>Left onto Hill Lane</name><sym>Left</sym>")

    @Test(arguments: [right + left, left + right])
    func thereAndBackHasACueForEachWay(places: String) throws {
        let told = try cues(places + Self.track(Self.outAndBack))
        #expect(
            told == ["600 right Right onto Mill Lane", "1200 uTurn U-turn", "1800 left Left onto Hill Lane"])
    }

    @Test func aCueOfTheWayBackIsNotToldOnTheWayOut() throws {
        let told = try cues(Self.left + Self.track(Self.outAndBack))
        #expect(told == ["600 right Turn right", "1200 uTurn U-turn", "1800 left Left onto Hill Lane"])
    }

    @Test func wordsOfATrackPointBelongToItsOwnPass() throws {
        let points = Self.outAndBack.enumerated().map {
            Self.point("trkpt", $1, $0 == 105 ? "<name>Left</name><desc>Left at the gate</desc>" : "")
        }
        let told = try cues("<trk><trkseg>\(points.joined())</trkseg></trk>")
        #expect(told.contains("2100 left Left at the gate"), "\(told)")
    }

    @Test func theTimeOfACoursePointSaysItsPass() throws {
        func time(_ index: Int) -> String {
            ISO8601DateFormatter().string(
                from: Date(timeIntervalSince1970: 1_777_881_600 + Double(index) * 15))
        }
        func position(_ place: (Double, Double)) -> String {
            let at = Ground().place(place.0, place.1)
            return "<Position><LatitudeDegrees>\(at.latitude)</LatitudeDegrees><LongitudeDegrees>"
                + "\(at.longitude)</LongitudeDegrees></Position>"
        }
        let points = Self.outAndBack.enumerated().map {
            "<Trackpoint><Time>\(time($0))</Time>\(position($1))</Trackpoint>"
        }
        let gate =
            "<CoursePoint><Name>Gate</Name><Time>\(time(105))</Time>\(position(Self.outAndBack[105]))"
            + "<PointType>Generic</PointType><Notes>Close the gate</Notes></CoursePoint>"
        let body =
            "<TrainingCenterDatabase><Courses><Course><Name>c</Name><Track>\(points.joined())</Track>\(gate)"
            + "</Course></Courses></TrainingCenterDatabase>"
        let told = try cues(body, "plan.tcx")
        #expect(told.contains("2100 straight Close the gate") && told.count == 4, "\(told)")
    }

    /// Around a circle of 20 m, straight on: its bends are no turns of the way.
    @Test(arguments: ["Take exit 2", "Im Kreisverkehr die zweite Ausfahrt nehmen"])
    func aRoundaboutIsToldByItsWordsAlone(words: String) throws {
        let circle = stride(from: 15.0, through: 165, by: 15).map { angle in
            let radians = angle * Double.pi / 180
            return (20 * sin(radians), 400 - 20 * cos(radians))
        }
        let line = Self.fine([(0, 0), (0, 380)]) + circle + Self.fine([(0, 420), (0, 800)])
        let sheet = "<rte>\(Self.point("rtept", (0, 380), "<desc>\(words)</desc>"))</rte>"
        let told = try cues(sheet + Self.track(line))
        #expect(told == ["380 straight \(words)"], "\(told)")
        let code = "<name>7</name><extensions><turn>RNDB2</turn></extensions>"
        let coded = try cues("<rte>\(Self.point("rtept", (0, 380), code))</rte>" + Self.track(line))
        #expect(coded == ["380 straight At the roundabout, take exit 2"], "\(coded)")
    }

    @Test(arguments: [
        ("<name>Mill Lane</name><sym>TURN_RIGHT</sym>", "Turn right: Mill Lane"),
        ("<name>Turn right onto Mill Lane</name>", "Turn right onto Mill Lane"),
    ])
    func aCueSaysItsTurn(inner: String, text: String) throws {
        let line = Self.fine([(0, 0), (0, 600), (600, 600)])
        let told = try cues(Self.point("wpt", (0, 600), inner) + Self.track(line))
        #expect(told == ["600 right \(text)"], "\(told)")
    }

    @Test func aPlanOfDistantPlacesIsDoubted() {
        let ground = Ground()
        let far = [(0.0, 0.0), (0, 5000), (4000, 9000)].map { ground.place($0.0, $0.1) }
        #expect(abs((RouteFiles.longestStraight(in: [far]) ?? 0) - 5657) < 10)
        #expect(RouteFiles.longestStraight(in: [ground.fineLine([(0, 0), (0, 5000)])]) == nil)
    }

    /// While one rests, a receiver wanders about the place: those are no turns.
    @Test func theRestOfARecordingIsNoWay() {
        let ground = Ground()
        let start = Timestamp(milliseconds: 1_777_881_600_000)
        var random = Xoshiro256(seed: 5)
        var noise = GaussMarkovNoise(sigma: 4, timeConstant: 20)
        // North for 400 s, ten minutes of rest, and north again.
        let points = (0..<1400).map { second in
            let north = 1.3 * Double(second < 400 ? second : max(400, second - 600))
            let place = ground.place(0, north)
            let isResting = (400..<1000).contains(second)
            return GPXPoint(
                coordinate: isResting ? noise.shifted(place, after: 1, &random) : place,
                time: start.advanced(bySeconds: Double(second)))
        }
        let line = RestFreeLine(points)
        #expect(line.rests == 1)
        #expect(abs((Polyline.cumulativeDistances(line.points).last ?? 0) - 1040) < 40)
        var generator = TurnGenerator(trace: NoTrace(), thresholds: TurnThresholds())
        let turns = generator.turns(alongLine: line.points)
        #expect(turns.map(\.direction) == [.start, .arrive])
    }
}
