import Formats
import Geodesy
import PluginKit
import Testing

@testable import ExportPlugin

@Suite("Splits of a journey")
struct SplitTests {
    /// Metres of a degree of latitude on the sphere of `Coordinate.distance(to:)`.
    private static let degree = 6_372_797.6 * .pi / 180

    /// A segment due north with a height each 100 m.
    private static func segment(from metres: Double, _ heights: [Double?]) -> [GPXPoint] {
        heights.enumerated().map { index, height in
            GPXPoint(
                coordinate: Coordinate(
                    latitude: 46 + (metres + Double(index) * 100) / degree, longitude: 7.9, altitude: height))
        }
    }

    private static func changes(_ segments: [[GPXPoint]]) -> [Double?] {
        var line = GPXLine()
        line.segments = segments
        var journey = ExportJourney(kind: .recorded)
        journey.tracks = [line]
        return JourneySplits(journey, units: .metric, most: 100).parts.map { $0.change?.rounded() }
    }

    @Test("what lies between two segments is no part of a change")
    func gaps() {
        // 1.5 km that rise by 2 m each 100 m; then, 5 km away and 400 m higher, 0.6 km that fall by 1 m each 100 m.
        let up = (0...15).map { 500 + 2 * Double($0) }
        let down = (0...6).map { 930 - Double($0) }
        let changes = Self.changes([
            Self.segment(from: 0, up), Self.segment(from: 6_500, down),
        ])
        // The second kilometre: +10 m on 500 m, then −5 m on 500 m.
        #expect(changes == [20, 5, -1])
    }

    @Test("it is unknown where a height beside the gap is unknown")
    func unknown() {
        let up = (0...15).map { 500 + 2 * Double($0) }
        let down: [Double?] = [nil] + (1...6).map { 930 - Double($0) }
        let changes = Self.changes([
            Self.segment(from: 0, up), Self.segment(from: 6_500, down),
        ])
        #expect(changes == [20, nil, -1])
    }

    @Test("without gaps it is the difference of the heights")
    func whole() {
        let heights = (0...25).map { 500 + 3 * Double($0) }
        #expect(Self.changes([Self.segment(from: 0, heights)]) == [30, 30, 15])
    }
}
