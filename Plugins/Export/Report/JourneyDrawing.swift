import Formats
import Foundation
import Geodesy
import Pictures
import TrailStores

/// Journeys as features of a map.
enum JourneyDrawing {
    /// The lines: recordings in the colour of tracks, plans in that of routes.
    static func lines(_ journey: ExportJourney) -> [MapFeature] {
        let routes = journey.routes.flatMap(\.segments)
        let tracks = journey.tracks.flatMap(\.segments)
        func line(_ segment: [GPXPoint]) -> [Coordinate] { segment.map(\.coordinate.withoutAltitude) }
        return routes.map { .route(line($0)) }
            + tracks.map { journey.kind == .planned ? .route(line($0)) : .track(line($0)) }
            + milestones(journey)
    }

    /// The lines for a report: narrower than on a screen, so that the map is visible beside them.
    static func printedLines(_ journey: ExportJourney) -> [MapFeature] {
        func line(_ segments: [[GPXPoint]], _ style: MapLineStyle) -> [MapFeature] {
            var style = style
            style.stroke.width = ReportSettings.lineWidth
            return segments.map { .line($0.map(\.coordinate.withoutAltitude), style) }
        }
        let track = journey.kind == .planned ? MapTheme.narrowRoute : MapTheme.narrowTrack
        return line(journey.routes.flatMap(\.segments), MapTheme.narrowRoute)
            + line(journey.tracks.flatMap(\.segments), track) + milestones(journey)
    }

    /// Start and end, and a pin for each waypoint. With `numbered` the labels begin with the waypoint's
    /// number.
    static func pins(_ journey: ExportJourney, numbered: Bool = false) -> [MapFeature] {
        ends(journey)
            + journey.places.enumerated().map { index, place in
                let category = place.category(in: journey.categories)
                let label = numbered ? "\(index + 1) \(place.name)" : place.name
                return .waypoint(
                    MapWaypoint(
                        name: "waypoint-" + (place.id?.uuidString ?? String(index + 1)),
                        coordinate: place.point.coordinate.withoutAltitude,
                        label: label.trimmingCharacters(in: .whitespaces), colorHex: category.colorHex,
                        icon: category.icon))
            }
    }

    private static func ends(_ journey: ExportJourney) -> [MapFeature] {
        let segments = journey.lines.flatMap(\.segments).map { $0.map(\.coordinate) }
        return WayEnds.signs(segments, start: "Start", finish: "Finish")
    }

    /// Arrows and distances along the lines.
    private static func milestones(_ journey: ExportJourney) -> [MapFeature] {
        func marks(_ line: [[GPXPoint]], _ color: Color) -> MapFeature {
            .milestones(line.map { $0.map(\.coordinate.withoutAltitude) }, color)
        }
        let color = journey.kind == .planned ? MapTheme.routeMark : MapTheme.trackMark
        return journey.routes.map { marks($0.segments, MapTheme.routeMark) }
            + journey.tracks.map { marks($0.segments, color) }
    }
}
