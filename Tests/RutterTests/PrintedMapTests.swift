import Foundation
import PluginTestKit
import Testing

/// Maps for paper: grids, north, atlases, slopes and what they do not show.
@Suite(
    .enabled(if: PluginFolders.have("Routing"), "needs the plugin Routing"),
    .enabled(if: RutterProcess.readsMaps, "needs libosmium"))
struct PrintedMapTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let data = RealData.project.appendingPathComponent("Notebooks/data")
        for name in ["valley.osm", "N00E000.hgt.gz"] {
            try FileManager.default.copyItem(
                at: data.appendingPathComponent(name), to: folder.url.appendingPathComponent(name))
        }
    }

    private func run(_ entries: String, clock: String = "2026-02-06T08:00:00Z") throws -> [String] {
        let outcome = try RutterProcess.run(
            ["--workspace", folder.url.path + "/ws", "--seed", "1", "--clock", clock],
            input: entries + "\n", folder: folder.url)
        #expect(outcome.errors == "")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
    }

    private static let region = "region import valley.osm --elevation N00E000.hgt.gz | get name\n"

    @Test func theScaleStatesNorthAndTheGridItsKilometres() throws {
        _ = try run(
            """
            map show --center 46.75,9.45 --scale 1:25000 --size a4 --grid utm --base none --out x.svg
            map show --center 46.75,9.45 --zoom 13 --base none --out plain.svg
            """)
        let map = try text("x.svg")
        for words in [
            ">534<", ">535<", ">5177<", ">5178<", ">32T<", "magnetic north 3.7° E ± 0.4° in 2026",
            "grid north 0.3° E, zone 32T", "1:25,000",
        ] { #expect(map.contains(words), "\(words)") }
        #expect(try !text("plain.svg").contains("magnetic"))
    }

    @Test func aScaleIsReadWithAPointForThousands() throws {
        _ = try run("46.75,9.45 | map --scale 1:25.000 --base none --out x.svg")
        #expect(try text("x.svg").contains("1:25,000"))
    }

    /// Longitude before latitude, for example.
    @Test func whatLiesOutsideTheAskedViewIsSaid() throws {
        let lines = try run(
            """
            46.75,9.45 | map --area 9.4,46.7,9.5,46.8 --base none --out x.svg
            [46.75,9.45 9.45,46.75] | map --area 9.4,46.7,9.5,46.8 --base none --out y.svg
            """)
        #expect(lines.contains("map written to x.svg; the feature lies outside the view"))
        #expect(lines.contains("map written to y.svg"))
    }

    @Test func outsideOfTheModelsYearsNorthIsUnknown() throws {
        _ = try run(
            "map show --center 46.75,9.45 --scale 1:25000 --size a4 --base none --out x.svg",
            clock: "2031-02-06T08:00:00Z")
        let map = try text("x.svg")
        #expect(map.contains("magnetic north unknown: WMM2025 is for 2025 to 2029"))
        let lines = try run("declination 46.75,9.45 --on 2024-05-01 | get compass")
        #expect(lines.joined().contains("unknown: WMM2025 is for 2025 to 2029"))
    }

    @Test func anAtlasHasAnIndexAndItsPages() throws {
        let lines = try run(
            Self.region + """
                let day = route plan 0.497860,0.482913 0.514389,0.497302
                $day | map --scale 1:10000 --size a5 --atlas --out atlas.pdf
                expect-error E-ARG-RANGE $day | map --atlas --out atlas.pdf
                expect-error E-PICTURE-FORMAT $day | map --atlas --scale 1:10000 --out atlas.png
                expect-error E-ARG-RANGE $day | map --atlas --scale 1:10000 --center 0.5,0.5 --out atlas.pdf
                expect-error E-ARG-RANGE $day | map --atlas --scale 1:100 --size 64x64 --out many.pdf
                """)
        let said = try #require(lines.first { $0.hasPrefix("map written to atlas.pdf") })
        let count = try #require(said.split(separator: " ").lazy.compactMap { Int($0) }.first)
        #expect(count >= 2)
        let pdf = try Data(contentsOf: folder.url.appendingPathComponent("atlas.pdf"))
        #expect(pdf.starts(with: Data("%PDF".utf8)))
        #expect(lines.contains { $0.contains("the atlas has more than 100 pages at 1:100") })
        #expect(lines.contains { $0.contains("an atlas needs a scale") })
        #expect(lines.contains { $0.contains("an atlas is a PDF") })
        #expect(lines.contains { $0.contains("follow the ways") })
    }

    @Test func slopesAreShadedWhereHeightsAreKnown() throws {
        let lines = try run(
            Self.region + """
                map --area 0.485,0.48,0.53,0.52 --slopes --out slopes.svg
                map show --center 10,10 --zoom 12 --slopes --out none.svg
                """)
        #expect(try text("slopes.svg").contains("slopes of heights"))
        let none = try #require(lines.first { $0.contains("none.svg") })
        #expect(none.contains("slopes are not shaded"))
        #expect(none.contains("no imported region covers this view"))
    }

    @Test func withoutAnyRegionTheBlankBackgroundIsSaid() throws {
        let lines = try run(
            """
            map show --center 10,10 --zoom 12 --out none.svg
            map show --center 10,10 --zoom 12 --base none --out meant.svg
            """)
        #expect(lines.first == "map written to none.svg; no region is imported; the background is blank")
        #expect(lines.last == "map written to meant.svg")
    }

    @Test func elevationIsCreditedWithoutATilesCorner() throws {
        _ = try run(Self.region + "map --area 0.485,0.48,0.53,0.52 --out x.svg")
        let map = try text("x.svg")
        #expect(map.contains("© OpenStreetMap contributors · elevation: source not named"))
        #expect(!map.contains("N00E000"))
    }

    @Test func smallScalesShowWhereTheRegionIs() throws {
        _ = try run(
            Self.region + """
                map show --center 3,3 --zoom 3 --out far.svg
                map show --center 0.5,0.5 --zoom 13 --out near.svg
                """)
        let far = try text("far.svg")
        #expect(far.contains(">valley<"))
        #expect(far.contains("°N<"))
        #expect(try !text("near.svg").contains(">valley<"))
    }

    @Test func whatLiesBeyondTheMapIsSaid() throws {
        let lines = try run(
            """
            [86,10 84,10] | map --out pole.svg
            [86,10 84,10] | map
            expect-error E-PICTURE-NOTHING [86,10 87,10] | map
            """)
        #expect(lines[0].contains("1 of 2 features reaches beyond 85.05° of latitude"))
        #expect(lines.contains { $0.contains("what lies there is not drawn") })
        #expect(lines.last?.contains("near a pole") == true)
    }

    @Test(.enabled(if: RutterProcess.readsMaps)) func missingGlyphsAreSaid() throws {
        // A private character, which no font has.
        let lines = try run("{label: \"Hut \u{10F8F0}\", at: 46.5,7.9} | map --out x.png")
        #expect(lines.first?.contains("no installed font has") == true)
    }
}
