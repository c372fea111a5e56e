import CivilTime
import ExportPlugin
import Foundation
import PluginKit
import PluginTestKit
import Testing

/// Numbers of reports compared with an independent calculation.
struct NumbersTests {
    /// A track due north: `count` points, so many metres apart on a sphere of 6,372,797.6 m, each ten seconds later.
    private static func north(count: Int, step: Double, height: (Int) -> Double) -> Data {
        let degrees = step / 6_372_797.6 * 180 / .pi
        let points = (0..<count).map { index in
            let time = ISO8601.text(Timestamp(milliseconds: 1_770_000_000_000 + Int64(index) * 10_000))
            return "<trkpt lat=\"\(46 + Double(index) * degrees)\" lon=\"7.9\"><ele>\(height(index))</ele>"
                + "<time>\(time)</time></trkpt>"
        }
        return Data("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8)
    }

    @Test func distanceSpeedAndParts() async throws {
        // 300 steps of 12 m in 10 s each: 3.6 km, 50 min, 4.32 km/h, climbing 1 m each step.
        let data = Self.north(count: 301, step: 12) { 500 + Double($0) }
        let test = try TestSession.exporting(["a.gpx": data])
        let text = await test.run("import a.gpx --dry-run | export --as markdown")
        for row in ["3.60 km", "4.3 km/h", "walking 50 min, resting 0 s"] {
            #expect(text.contains(row), "\(row): \(text)")
        }
        // Smoothing ends at the last point, so that all of the climb in whole steps of 5 m counts.
        #expect(text.contains("300 m"))
        guard Tools.has("pdftotext") else { return }
        try await test.value("import a.gpx --dry-run | export a.pdf")
        let page = try Tools.run("pdftotext", ["-layout", "-f", "2", test.url("a.pdf").path, "-"]).output
        // Over an even climb the average is the middle.
        for words in [
            "Minimum", "500 m", "800 m", "650 m", "1.00 km", "583 m", "+83 m", "14 min", "3.60 km", "+50 m",
        ] {
            #expect(page.contains(words), "\(words): \(page)")
        }
    }

    @Test(.enabled(if: RealData.has("gpx"), "the folder of real data is not there"))
    func aRealRecording() async throws {
        let file = RealData.url("gpx/reference_track_garmin-oregon-700-output.gpx")
        let test = try TestSession.exporting(["oregon.gpx": try Data(contentsOf: file)])
        // By an independent Python program: 22186.12 m, +396.6 m, −407.8 m, 4046 s in motion, 1997 s at rest; of the former 13 s are
        // to and fro about one place for minutes, and count as rest here.
        let text = await test.run("import oregon.gpx --dry-run | export --as markdown")
        for words in ["22.19 km", "397 m", "408 m", "walking 1 h 07 min, resting 34 min", "19.8 km/h"] {
            #expect(text.contains(words), "\(words): \(text)")
        }
    }
}
