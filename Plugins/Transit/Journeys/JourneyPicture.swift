import Geodesy
import Pictures
import PluginKit

/// Draws the progress of a journey search: each ride and walk that reached a stop, coloured by round.
struct JourneyPicturing: TracePicturing {
    let from: Coordinate
    let to: Coordinate

    func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject {
        var picture = JourneyPicture(from: from, to: to)
        for step in steps {
            if case .integer(let round)? = step.values["round"] { picture.round = max(picture.round, round) }
            guard step.kind == "label" || step.kind == "walk", case .coordinate(let end)? = step.values["at"],
                case .coordinate(let start)? = step.values["fromAt"]
            else { continue }
            picture.ways.append(
                JourneyPicture.Way(round: picture.round, isRide: step.kind == "label", from: start, to: end))
        }
        return picture
    }
}

/// The state of a search.
private struct JourneyPicture: DomainObject, MapDrawable {
    struct Way {
        var round: Int
        var isRide: Bool
        var from: Coordinate
        var to: Coordinate
    }

    var from: Coordinate
    var to: Coordinate
    var round = 0
    var ways: [Way] = []

    let typeName = "journeySearch"
    let fieldNames = ["round", "reached"]
    private static let colors = [
        "C92A2A", "1864AB", "2B8A3E", "862E9C", "E67700", "0B7285", "5F3DC4", "495057",
    ]

    private var reached: Int { Set(ways.filter(\.isRide).map(\.to)).count }

    func field(_ name: String) -> Value? {
        switch name {
        case "round": .integer(round)
        case "reached": .integer(reached)
        default: nil
        }
    }

    var summary: String { "round \(round), \(reached) stops reached" }

    private static func color(_ round: Int) -> Color {
        Color(hex: colors[max(0, round - 1) % colors.count]) ?? .black
    }

    var mapFeatures: [MapFeature] {
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
