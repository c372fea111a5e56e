import Formats
import Foundation
import Geodesy
import Pictures
import TrailStores

/// Journeys as features of a map.
enum JourneyDrawing {
    static let startColor = Color(0x2F9E44)
    static let endColor = Color(0xE03131)
    /// Metres between start and end of a round trip, to allow for the receiver's error.
    private static let roundTrip = 30.0

    /// The lines: recordings in the colour of tracks, plans in that of routes.
    static func lines(_ journey: Journey) -> [MapFeature] {
        let routes = journey.routes.flatMap(\.segments)
        let tracks = journey.tracks.flatMap(\.segments)
        func line(_ segment: [GPXPoint]) -> [Coordinate] { segment.map(\.coordinate.withoutAltitude) }
        return routes.map { .route(line($0)) }
            + tracks.map { journey.kind == .planned ? .route(line($0)) : .track(line($0)) }
    }

    /// The lines as a report draws them: narrower than on a screen, so that the map shows beside them.
    static func printedLines(_ journey: Journey) -> [MapFeature] {
        func line(_ segments: [[GPXPoint]], _ style: MapLineStyle) -> [MapFeature] {
            var style = style
            style.stroke.width = ReportSettings.lineWidth
            return segments.map { .line($0.map(\.coordinate.withoutAltitude), style) }
        }
        return line(journey.routes.flatMap(\.segments), MapTheme.route)
            + line(
                journey.tracks.flatMap(\.segments), journey.kind == .planned ? MapTheme.route : MapTheme.track
            )
    }

    /// Start and end, and a pin for each waypoint. With numbers the labels begin with the waypoint's number.
    static func pins(_ journey: Journey, numbered: Bool = false) -> [MapFeature] {
        ends(journey)
            + journey.places.enumerated().map { index, place in
                let label = numbered ? "\(index + 1) \(place.name)" : place.name
                return .waypoint(
                    MapWaypoint(
                        name: "waypoint-" + (place.id?.uuidString ?? String(index + 1)),
                        coordinate: place.point.coordinate.withoutAltitude,
                        label: label.trimmingCharacters(in: .whitespaces), colorHex: place.category.colorHex,
                        icon: place.category.icon))
            }
    }

    private static func ends(_ journey: Journey) -> [MapFeature] {
        let segments = journey.lines.flatMap(\.segments).filter { !$0.isEmpty }
        guard let first = segments.first?.first?.coordinate, let last = segments.last?.last?.coordinate else {
            return []
        }
        func dot(_ place: Coordinate, _ color: Color, _ symbol: Character, _ label: String) -> MapFeature {
            .point(
                place.withoutAltitude, MapPointStyle(color: color, radius: 5.5, symbol: symbol, label: label))
        }
        let isRound = first.distance(to: last) < roundTrip
        if isRound { return [dot(first, startColor, "A", "Start and finish")] }
        return [dot(first, startColor, "A", "Start"), dot(last, endColor, "B", "Finish")]
    }
}
