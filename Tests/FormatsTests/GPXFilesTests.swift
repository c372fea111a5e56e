import Formats
import Foundation
import PluginKit
import PluginTestKit
import Testing

/// The reader on files of real recorders, and on the malformed ones beside them.
struct GPXFilesTests {
    /// Waypoints, tracks, routes, their points and those of tracks, counted by Python's xml.etree.
    private static let counts: [String: [Int]] = [
        "reference_track_bike~gpx.gpx": [2, 1, 0, 0, 1812],
        "reference_track_fit-sample.gpx": [7, 1, 0, 0, 533],
        "reference_track_garmin-edge-800-output.gpx": [1, 1, 0, 0, 1286],
        "reference_track_garmin-oregon-700-output.gpx": [0, 1, 0, 0, 997],
        "reference_track_garmin_xt_strk.gpx": [0, 2, 0, 0, 958],
        "reference_track_wahoo-element-bolt.gpx": [0, 1, 0, 0, 1101],
        "test_files_Mojstrovka.gpx": [0, 1, 0, 0, 184],
        "test_files_around-visnjan-with-car.gpx": [0, 1, 0, 0, 104],
        "test_files_cerknicko-jezero-no-creator.gpx": [7, 8, 0, 0, 296],
        "test_files_cerknicko-jezero-with-elevations-zero.gpx": [7, 8, 0, 0, 296],
        "test_files_cerknicko-jezero-without-elevations.gpx": [7, 8, 0, 0, 296],
        "test_files_cerknicko-jezero.gpx": [7, 8, 0, 0, 296],
        "test_files_cerknicko-without-times.gpx": [7, 8, 0, 0, 296],
        "test_files_custom_schema_locations.gpx": [0, 0, 0, 0, 0],
        "test_files_default_schema_locations.gpx": [0, 0, 0, 0, 0],
        "test_files_first_and_last_elevation.gpx": [0, 1, 0, 0, 10],
        "test_files_gpx-with-node-with-comments.gpx": [0, 1, 0, 0, 1],
        "test_files_gpx1.0_with_all_fields.gpx": [2, 2, 2, 5, 1],
        "test_files_gpx1.1_with_all_fields.gpx": [2, 2, 2, 5, 1],
        "test_files_gpx1.1_with_extensions.gpx": [1, 0, 0, 0, 0],
        "test_files_gpx1.1_with_extensions_without_namespaces.gpx": [1, 0, 0, 0, 0],
        "test_files_gpx_with_garmin_extension.gpx": [1, 0, 0, 0, 0],
        "test_files_korita-zbevnica.gpx": [2, 4, 0, 0, 871], "test_files_route.gpx": [0, 0, 1, 55, 0],
        "test_files_track-with-empty-segment.gpx": [0, 1, 0, 0, 9],
        "test_files_track-with-extremes.gpx": [0, 1, 0, 0, 25],
        "test_files_track-with-less-sec-time.gpx": [0, 1, 0, 0, 2],
        "test_files_track-with-small-floats.gpx": [0, 1, 0, 0, 3],
        "test_files_track_with_dilution_errors.gpx": [1, 1, 1, 1, 1],
        "test_files_track_with_speed.gpx": [0, 1, 0, 0, 3],
        "test_files_unicode.gpx": [6, 0, 0, 0, 0], "test_files_unicode2.gpx": [0, 1, 0, 0, 0],
        "test_files_unicode_with_bom.gpx": [1, 0, 0, 0, 0],
        "test_files_unicode_with_bom_noencoding.gpx": [1, 0, 0, 0, 0],
    ]

    private func counts(_ document: GPXDocument) -> [Int] {
        func points(_ lines: [GPXLine]) -> Int { lines.reduce(0) { $0 + $1.segments.joined().count } }
        return [
            document.waypoints.count, document.tracks.count, document.routes.count, points(document.routes),
            points(document.tracks),
        ]
    }

    @Test(.enabled(if: RealData.has("gpx"), "the folder of real data is not there"))
    func filesOfRecorders() throws {
        let files = RealData.files(in: "gpx").filter { $0.pathExtension == "gpx" }
        #expect(files.count == Self.counts.count)
        for file in files {
            let document = try GPXReader.document(file)
            #expect(counts(document) == Self.counts[file.lastPathComponent], "\(file.lastPathComponent)")
        }
    }

    @Test(.enabled(if: RealData.has("gpx/hiking-de"), "the folder of real data is not there"))
    func hikingTrails() throws {
        let files = RealData.files(in: "gpx/hiking-de").filter { $0.pathExtension == "gpx" }
        #expect(!files.isEmpty)
        var points = 0
        for file in files {
            let document = try GPXReader.document(file)
            // Each of these files has one track of one segment (xml.etree).
            #expect(counts(document).dropLast() == [0, 1, 0, 0], "\(file.lastPathComponent)")
            points += counts(document)[4]
        }
        #expect(points > 30_000)
    }

    /// Everything that is read round-trips through the writer.
    @Test(.enabled(if: RealData.has("gpx"), "the folder of real data is not there"))
    func realFilesGoRoundWithoutLoss() throws {
        let folder = try TemporaryFolder()
        for file in RealData.files(in: "gpx") + RealData.files(in: "gpx/hiking-de")
        where file.pathExtension == "gpx" {
            let document = try GPXReader.document(file)
            let copy = folder.url.appendingPathComponent("copy.gpx")
            try Data(GPXWriter.text(document).utf8).write(to: copy)
            let again = try GPXReader.document(copy)
            #expect(counts(again) == counts(document), "\(file.lastPathComponent)")
            let points = document.tracks.flatMap { $0.segments.joined() }
            let pointsAgain = again.tracks.flatMap { $0.segments.joined() }
            for (before, after) in zip(points + document.waypoints, pointsAgain + again.waypoints) {
                #expect(abs(before.coordinate.latitude - after.coordinate.latitude) <= 1e-7)
                #expect(abs(before.coordinate.longitude - after.coordinate.longitude) <= 1e-7)
                #expect(before.time == after.time)
                #expect([before.name, before.type, before.symbol] == [after.name, after.type, after.symbol])
            }
        }
    }

    /// The outcome for each malformed file: an error's code, or `read` with the reason.
    private static let outcomes: [String: String] = [
        "bad_empty.gpx": "E-GPX-XML", "bad_lat_out_of_range.gpx": "read",
        "bad_not_xml.gpx": "E-GPX-XML",
        // What is whole is read.
        "bad_truncated.gpx": "read", "bad_xxe.gpx": "E-GPX-REFUSED",
        "edge_deep_nesting.gpx": "E-GPX-REFUSED",
        // Declares ISO-8859-1 correctly: the declaration is used.
        "edge_latin1_declared.gpx": "read",
        // A track of one point is a track.
        "edge_single_point.gpx": "read",
    ]

    @Test(.enabled(if: RealData.has("malformed/gpx"), "the folder of real data is not there"))
    func malformedFiles() throws {
        for file in RealData.files(in: "malformed/gpx") {
            let expected = try #require(
                Self.outcomes[file.lastPathComponent], "\(file.lastPathComponent) is new")
            do {
                _ = try GPXReader.document(file)
                #expect(expected == "read", "\(file.lastPathComponent)")
            } catch let error as RutterError {
                #expect(error.code == expected, "\(file.lastPathComponent): \(error.message)")
                guard case .file(file.lastPathComponent, _?, _?) = error.place else {
                    Issue.record("\(file.lastPathComponent): no line and column")
                    continue
                }
            }
        }
    }
}
