import ExportPlugin
import Foundation
import PluginKit
import PluginTestKit
import Testing

/// Cancelled exports: a file is complete or missing, and an existing one is unchanged.
@Suite(.needs(.xml))
struct InterruptedExportTests {
    private let stop = CancelAtProgress()
    private let test: TestSession

    init() async throws {
        let points = (0..<3_000).map { "<trkpt lat=\"\(46 + Double($0) * 1e-5)\" lon=\"7.9\"/>" }
        let gpx =
            "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><name>Long</name><trkseg>\(points.joined())"
            + "</trkseg></trk></gpx>"
        test = try TestSession(
            plugins: { [ExportPlugin()] }, files: ["long.gpx": Data(gpx.utf8), "old.gpx": Data("old".utf8)],
            progress: stop.reporter)
        try await test.value("let w = import long.gpx --dry-run")
    }

    private var names: Set<String> {
        get throws {
            Set(try FileManager.default.subpathsOfDirectory(atPath: test.folder.url.path)).filter {
                !$0.hasPrefix("workspace")
            }
        }
    }

    private func isStopped(_ entry: String, at label: String, done: Int = 0) async -> Bool {
        let test = test
        let (result, isReached) = await stop.run(stoppingAt: label, done: done) { await test.result(entry) }
        return isReached && result.failure?.code == "E-INTERRUPTED"
    }

    @Test func aNewFileIsNotThere() async throws {
        #expect(await isStopped("$w | export new.gpx", at: "writing points", done: 1_000))
        #expect(try names == ["long.gpx", "old.gpx"])
    }

    @Test func anOldFileStays() async throws {
        #expect(await isStopped("$w | export old.gpx --force", at: "writing points", done: 2_000))
        #expect(try names == ["long.gpx", "old.gpx"])
        #expect(try test.text("old.gpx") == "old")
    }

    @Test func aFolderIsNotThere() async throws {
        for done in [0, 2] {
            #expect(
                await isStopped("[$w $w $w] | export walks --each --as gpx", at: "writing files", done: done))
            #expect(try names == ["long.gpx", "old.gpx"])
        }
        #expect(await test.run("[$w $w $w] | export walks --each --as gpx | count") == "3")
    }

    @Test(.needs(.cairo)) func aReportIsNotThere() async throws {
        #expect(await isStopped("[$w $w] | export report.pdf", at: "drawing the report"))
        #expect(try names == ["long.gpx", "old.gpx"])
    }
}
