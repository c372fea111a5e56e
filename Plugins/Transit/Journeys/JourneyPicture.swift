import Geodesy
import Pictures
import PluginKit
import TracePictures

/// Draws the progress of a journey search: each ride and walk that reached a stop, coloured by round.
struct JourneyPicturing: TracedMap {
    private struct Way {
        let round: Int
        let isRide: Bool
        let from: Coordinate
        let to: Coordinate
    }

    let from: Coordinate
    let to: Coordinate

    let name = "journeySearch"
    let fieldNames = ["round", "reached"]
    private static let colors = [
        "C92A2A", "1864AB", "2B8A3E", "862E9C", "E67700", "0B7285", "5F3DC4", "495057",
    ]

    func summary(of steps: ArraySlice<TraceStep>) -> String {
        let ways = ways(steps)
        return "round \(ways.round), \(Self.reached(ways.all)) stops reached"
    }

    func value(_ field: String, of steps: ArraySlice<TraceStep>) -> Value {
        let ways = ways(steps)
        return .integer(field == "round" ? ways.round : Self.reached(ways.all))
    }

    /// The last round, and the ways so far.
    private func ways(_ steps: ArraySlice<TraceStep>) -> (round: Int, all: [Way]) {
        var round = 0
        var ways: [Way] = []
        for step in steps {
            round = max(round, step.integer("round") ?? 0)
            guard step.kind == "label" || step.kind == "walk", let end = step.coordinate("at"),
                let start = step.coordinate("fromAt")
            else { continue }
            ways.append(Way(round: round, isRide: step.kind == "label", from: start, to: end))
        }
        return (round, ways)
    }

    private static func reached(_ ways: [Way]) -> Int { Set(ways.filter(\.isRide).map(\.to)).count }

    private static func color(_ round: Int) -> Color {
        Color(hex: colors[max(0, round - 1) % colors.count]) ?? .black
    }

    func features(of steps: ArraySlice<TraceStep>) -> [MapFeature] {
        let ways = ways(steps).all
        let lines = ways.map { way -> MapFeature in
            var style = MapLineStyle(
                stroke: Stroke(Self.color(way.round), width: way.isRide ? 3 : 2), layer: MapLayer.route)
            if !way.isRide { style.stroke.dash = [2, 4] }
            return .line([way.from, way.to], style)
        }
        let points = ways.map {
            MapFeature.point($0.to, MapPointStyle(color: Self.color($0.round), radius: 3, label: ""))
        }
        return lines + points + [
            .point(from, MapPointStyle(color: .ink, label: "start")),
            .point(to, MapPointStyle(color: .ink, label: "destination")),
        ]
    }
}
