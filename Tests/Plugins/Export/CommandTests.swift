import ExportPlugin
import Foundation
import PluginKit
import PluginTestKit
import Testing

/// Every command through the language: results and errors.
struct CommandTests {
    @Test func examplesPrintWhatTheySay() async {
        #expect(await ExampleRunner.failures(of: { [ExportPlugin()] }) == [])
    }

    @Test func everyCommandHasHelpAndEveryErrorIsExplained() async throws {
        let test = try TestSession.exporting()
        for command in ExportPlugin().commands {
            let help = await test.run("help \(command.spec.name)")
            #expect(help.contains(command.spec.summary))
            for parameter in command.spec.parameters { #expect(help.lowercased().contains(parameter.name)) }
        }
        for kind in ExportPlugin().errors {
            #expect(await test.run("explain \(kind.code)").contains(kind.title))
        }
        // Errors of GPX files are the host's to explain: several plugins read them.
        #expect(await test.run("explain E-GPX-XML").contains("well-formed"))
    }

    @Test func aHikeByNameFromAVariableAndFromThePipe() async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx")
        let named = await test.run("export gpx Walk")
        #expect(named.contains("<trkpt lat=\"46.5\""))
        #expect(named.contains("<wpt lat=\"46.501\" lon=\"7.9\">"))
        #expect(await test.run("export gpx @Walk") == named)
        await test.run("let h = @Walk")
        #expect(await test.run("export gpx $h") == named)
        #expect(await test.run("$h | export gpx") == named)
        #expect(await test.code("$h | export gpx Walk") == "E-INPUT-KIND")
        #expect(await test.code("export gpx Talk") == "E-REFERENCE-UNKNOWN")
        #expect(await test.run("export gpx Talk").contains("unknown hike or route `Talk`"))
    }

    @Test func completionOffersHikes() async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx")
        let offered = await test.session.completions(of: "export pdf Wa")
        #expect(offered.candidates.map(\.replacement).contains("Walk"))
    }

    @Test func everythingWithAPlaceCanBeExported() async throws {
        let test = try TestSession.exporting()
        let rows = "'[{\"name\":\"Stop\",\"lines\":3,\"at\":null}]' | from json"
        #expect(await test.code("\(rows) | export gpx") == "E-DATA-PLACE")
        #expect(
            await test.run("[46.5,7.9 46.6,7.95] | export gpx").contains("<rtept lat=\"46.6\" lon=\"7.95\"/>")
        )
        #expect(
            await test.run("46.5,7.9,1200m | export kml").contains("<coordinates>7.9,46.5,1200</coordinates>")
        )
        #expect(await test.code("export gpx") == "E-EXPORT-NOTHING")
        #expect(await test.code("[] | export geojson") == "E-EXPORT-NOTHING")
        #expect(await test.code("5 | export geojson") == "E-DATA-PLACE")
        #expect(await test.code("95 | export geojson") == "E-DATA-PLACE")
    }

    @Test func reportsAreAboutOneThing() async throws {
        let test = try TestSession.exporting(Walk.files)
        await test.run("let w = import walk.gpx --dry-run")
        for format in ["markdown", "community", "html --out two.html"] {
            #expect(await test.code("[$w $w] | export \(format)") == "E-EXPORT-ONE")
        }
        #expect(await test.run("[$w $w] | export gpx").components(separatedBy: "<trk>").count == 3)
        #expect(!FileManager.default.fileExists(atPath: test.url("two.html").path))
    }

    @Test func imperialUnits() async throws {
        let test = try TestSession.exporting(Walk.files)
        await test.run("let w = import walk.gpx --dry-run")
        let imperial = await test.run("$w | export markdown --units imperial")
        #expect(imperial.contains("0.21 mi"))
        #expect(imperial.contains("131 ft"))
        await test.run("set units imperial")
        #expect(await test.run("$w | export markdown") == imperial)
        #expect(await test.run("$w | export markdown --units metric").contains("334 m"))
    }

    @Test func theSameHikeGivesTheSameBytes() async throws {
        let first = try TestSession.exporting(Walk.files)
        let second = try TestSession.exporting(Walk.files)
        for test in [first, second] { try await test.value("import walk.gpx") }
        await second.run("clock 2031-01-01T00:00:00Z")
        for (format, name) in [
            ("markdown", "a.md"), ("gpx", "a.gpx"), ("pdf", "a.pdf"), ("geojson", "a.geojson"),
            ("kml", "a.kml"),
            ("community", "a.json"),
        ] {
            for test in [first, second] { try await test.value("export \(format) Walk --out \(name)") }
            let bytes = try first.data(name)
            #expect(try bytes == second.data(name), "\(format)")
            #expect(bytes.count > 400)
        }
    }
}
