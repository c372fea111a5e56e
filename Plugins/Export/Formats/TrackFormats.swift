import Formats
import PluginKit

/// The formats of tracks: GPX, GeoJSON, KML, FIT and TCX.
struct TrackFormats {
    let source: JourneySource

    var all: [ExportFormat] { [gpx, geojson, kml, fit, tcx] }

    private var gpx: ExportFormat {
        ExportFormat(
            "gpx", "GPX 1.1: hikes, routes and waypoints",
            details: """
                Elements are in schema order: metadata, a wpt for each waypoint, a trk with its \
                segments for each hike or route, heart rates in the Garmin TrackPointExtension. Coordinates are written to \
                10⁻⁷ degrees, elevations to a millimetre, times to a millisecond.
                """,
            endings: ["gpx"], isText: true, writesEach: true, subjects: ExportOptions.subjects,
            .flag("as-route", "write lines as routes (rte) instead of tracks (trk)"),
            examples: [
                .init(
                    "a file", "$walk | export copy.gpx | get format", after: ExportExample.open,
                    gives: "gpx"),
                .init(
                    "a coordinate as text", "46.5,7.9 | export --as gpx",
                    gives: """
                        <?xml version="1.0" encoding="UTF-8"?>
                        <gpx version="1.1" creator="Rutter" xmlns="http://www.topografix.com/GPX/1/1">
                          <wpt lat="46.5" lon="7.9"/>
                        </gpx>
                        """),
                .init(
                    "a file each", "$walk | export walks --each --as gpx | get file",
                    after: ExportExample.open, gives: "2026-02-06 Walk.gpx"),
            ]
        ) { request, context, asRoute in
            try write("gpx", request, context, losses: .gpx) { journeys, progress in
                try GPXFormat.bytes(journeys, asRoutes: asRoute, check: progress)
            }
        }
    }

    private var geojson: ExportFormat {
        ExportFormat(
            "geojson", "GeoJSON: hikes, routes and waypoints",
            details: """
                RFC 7946: longitude first, lines cut at the antimeridian, a bounding box. Times and \
                heart rates of track points are in the properties coordTimes and heartRates, as toGeoJSON writes them.
                """,
            endings: ["geojson"], isText: true, writesEach: true, subjects: ExportOptions.subjects,
            examples: [
                .init(
                    "features as text", "46.5,7.9 | export --as geojson",
                    gives:
                        #"{"type":"FeatureCollection","bbox":[7.9,46.5,7.9,46.5],"features":[{"type":"Feature","geometry":"#
                        + #"{"type":"Point","coordinates":[7.9,46.5]},"properties":{"kind":"waypoint"}}]}"#)
            ]
        ) { request, context in
            try write("geojson", request, context, losses: .geojson) { journeys, _ in
                try GeoJSONWriter.bytes(MapDocument(journeys), check: context.checkCancelled)
            }
        }
    }

    private var kml: ExportFormat {
        ExportFormat(
            "kml", "KML 2.2: hikes, routes and waypoints",
            details: """
                A placemark for each waypoint and line. Times and heart rates of track points, for \
                which KML 2.2 has no element, are in its ExtendedData.
                """,
            endings: ["kml"], isText: true, writesEach: true, subjects: ExportOptions.subjects,
            examples: [
                .init(
                    "placemarks", "$walk | export walk.kml | get format", after: ExportExample.open,
                    gives: "kml")
            ]
        ) { request, context in
            try write("kml", request, context, losses: .kml) { journeys, _ in
                try KMLWriter.bytes(MapDocument(journeys), check: context.checkCancelled)
            }
        }
    }

    private var fit: ExportFormat {
        ExportFormat(
            "fit", "FIT activity: a recorded hike",
            details: """
                Records with position, elevation, heart rate, cadence, power, temperature, speed, \
                accuracy and distance; events of the timer between segments; laps, session and activity. Elevations are \
                rounded to 0.2m and times to a second. Data that FIT cannot represent are listed as warnings.
                """,
            endings: ["fit"], isText: false, writesEach: true, subjects: ExportOptions.subjects,
            examples: [
                .init(
                    "an activity", "$walk | export walk.fit | get bytes", after: ExportExample.open,
                    gives: "343"),
                .init(
                    "times are required",
                    "expect-error E-EXPORT-TIMES [46.5,7.9 46.6,7.9] | export x.fit",
                    gives: "the recording has no times"),
            ]
        ) { request, context in
            try write("fit", request, context, losses: .fit) { journeys, progress in
                let journey = try ExportOptions.one(journeys, "fit")
                return try FITWriter.bytes(ExportOptions.onlyTimed(journey), check: progress)
            }
        }
    }

    private var tcx: ExportFormat {
        ExportFormat(
            "tcx", "TCX activities: recorded hikes",
            details: """
                An activity for each hike, with laps, a track for each segment, heart rate, \
                cadence, power, speed and distance. Data that TCX cannot represent are listed as warnings.
                """,
            endings: ["tcx"], isText: true, writesEach: true, subjects: ExportOptions.subjects,
            examples: [
                .init(
                    "activities", "$walk | export walk.tcx | get format", after: ExportExample.open,
                    gives: "tcx")
            ]
        ) { request, context in
            try write("tcx", request, context, losses: .tcx) { journeys, progress in
                try TCXWriter.bytes(ExportOptions.timed(journeys), check: progress)
            }
        }
    }

    /// Writes journeys in a format that consists of coordinates, with its losses as warnings.
    private func write(
        _ format: String, _ request: ExportRequest, _ context: Context, losses capacity: FormatCapacity,
        bytes: ([ExportJourney], _ progress: @escaping (Int) throws -> Void) throws -> [UInt8]
    ) throws -> Value {
        let export = JourneyExport(request: request, context: context, format: format, ending: format)
        return try export.write(source.journeys(request.subject, request.input, context)) {
            journeys, progress in
            let written = try ExportOptions.placed(journeys, orMeasured: capacity.hasUnplaced)
            return JourneyFile(
                try bytes(written, progress), warnings: ExportOptions.notices(written, capacity))
        }
    }
}
