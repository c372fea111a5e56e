import ExportPlugin
import Foundation
import PluginKit
import PluginTestKit
import Testing

/// Every command through the language: results and errors.
struct CommandTests {
    @Test func examplesPrintWhatTheySay() async {
        let failures = await ExampleRunner.failures(of: { [ExportPlugin()] })
        #expect(failures == [], "\(failures.joined(separator: "\n"))")
    }

    @Test func everyCommandHasHelpAndEveryErrorIsExplained() async throws {
        let test = try TestSession.exporting()
        for command in ExportPlugin().commands {
            let help = await test.run("help \(command.spec.name)")
            #expect(help.contains(command.spec.summary))
            for parameter in command.spec.parameters { #expect(help.lowercased().contains(parameter.name)) }
        }
        let help = await test.run("help export")
        for format in ExportPlugin().capabilities.compactMap({ $0 as? any ExportFormatSource }).flatMap(
            \.exportFormats)
        {
            #expect(help.contains("\(format.name) (.\(format.endings[0])"))
            for option in format.options { #expect(help.contains("--\(option.name)")) }
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
        let named = await test.run("export - Walk --as gpx")
        #expect(named.contains("<trkpt lat=\"46.5\""))
        #expect(named.contains("<wpt lat=\"46.501\" lon=\"7.9\">"))
        #expect(await test.run("export - @Walk --as gpx") == named)
        await test.run("let h = @Walk")
        #expect(await test.run("export - $h --as gpx") == named)
        #expect(await test.run("$h | export --as gpx") == named)
        #expect(await test.code("$h | export - Walk --as gpx") == "E-INPUT-KIND")
        #expect(await test.code("export - Talk --as gpx") == "E-REFERENCE-UNKNOWN")
        #expect(await test.run("export - Talk --as gpx").contains("unknown hike or route `Talk`"))
    }

    /// A category of one's own is written as the nine are: its identifier as type, its name as symbol.
    @Test func ownCategoriesHaveTheirNameInFiles() async throws {
        let test = try TestSession.exporting()
        let file = test.url("workspace/categories.json")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(
            #"[{"category":"bakery","name":"Bakery","color":"A0522D","icon":"fork.knife"}]"#.utf8
        ).write(to: file)
        let gpx = await test.run("{at: 46.5,7.9, category: 'bakery'} | export --as gpx")
        #expect(gpx.contains("<sym>Bakery</sym>"))
        #expect(gpx.contains("<type>bakery</type>"))
    }

    @Test func completionOffersHikes() async throws {
        let test = try TestSession.exporting(Walk.files)
        try await test.value("import walk.gpx")
        let offered = await test.session.completions(of: "export a.pdf Wa")
        #expect(offered.candidates.map(\.replacement).contains("Walk"))
    }

    @Test func everythingWithAPlaceCanBeExported() async throws {
        let test = try TestSession.exporting()
        let rows = "'[{\"name\":\"Stop\",\"lines\":3,\"at\":null}]' | from json"
        #expect(await test.code("\(rows) | export --as gpx") == "E-DATA-PLACE")
        #expect(
            await test.run("[46.5,7.9 46.6,7.95] | export --as gpx").contains(
                "<rtept lat=\"46.6\" lon=\"7.95\"/>")
        )
        #expect(
            await test.run("46.5,7.9,1200m | export --as kml").contains(
                "<coordinates>7.9,46.5,1200</coordinates>")
        )
        #expect(await test.code("export --as gpx") == "E-EXPORT-NOTHING")
        #expect(await test.code("[] | export --as geojson") == "E-EXPORT-NOTHING")
        #expect(await test.code("5 | export --as geojson") == "E-DATA-PLACE")
        #expect(await test.code("95 | export --as geojson") == "E-DATA-PLACE")
    }

    @Test func reportsAreAboutOneThing() async throws {
        let test = try TestSession.exporting(Walk.files)
        await test.run("let w = import walk.gpx --dry-run")
        for format in ["--as markdown", "--as community", "two.html"] {
            #expect(await test.code("[$w $w] | export \(format)") == "E-EXPORT-ONE")
        }
        #expect(await test.run("[$w $w] | export --as gpx").components(separatedBy: "<trk>").count == 3)
        #expect(!FileManager.default.fileExists(atPath: test.url("two.html").path))
    }

    @Test func imperialUnits() async throws {
        let test = try TestSession.exporting(Walk.files)
        await test.run("let w = import walk.gpx --dry-run")
        let imperial = await test.run("$w | export --as markdown --units imperial")
        #expect(imperial.contains("0.21 mi"))
        #expect(imperial.contains("131 ft"))
        await test.run("set units imperial")
        #expect(await test.run("$w | export --as markdown") == imperial)
        #expect(await test.run("$w | export --as markdown --units metric").contains("334 m"))
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
            for test in [first, second] { try await test.value("export \(name) Walk --as \(format)") }
            let bytes = try first.data(name)
            #expect(try bytes == second.data(name), "\(format)")
            #expect(bytes.count > 400)
        }
    }
}
