import Foundation
import Geodesy
import Pictures
import Testing

@testable import Cartography

@Suite("Shaded slopes")
struct SlopeTests {
    /// A plane that rises by an angle in a direction, with samples 30.9 m apart.
    private static func plane(_ degrees: Double, toEast: Bool) -> HeightWindow {
        let side = 12
        let perDegree = 3600.0
        let metre = 2 * Double.pi * GeodesySettings.earthRadius / 360 / perDegree
        let rise = tan(degrees.radians) * metre
        let values = (0..<side * side).map { index in
            let (row, column) = (index / side, index % side)
            let latitude = 90 - Double(43 * 3600 + row) / perDegree
            return Float(toEast ? Double(column) * rise * cos(latitude.radians) : Double(-row) * rise)
        }
        return HeightWindow(
            values: values, columns: side, perDegree: perDegree, firstColumn: 0, firstRow: 43 * 3600)
    }

    @Test(
        "a plane has its slope in each direction", arguments: [0.0, 12, 29.5, 34.9, 45, 70], [true, false])
    func planes(degrees: Double, toEast: Bool) {
        let slopes = SlopeShading.degrees(Self.plane(degrees, toEast: toEast))
        #expect(abs(Double(slopes[5 * 12 + 5]) - degrees) < 0.05)
        #expect(slopes[0].isNaN)
    }

    @Test("classes begin at their degrees; gentler ground and unknown heights are clear")
    func classes() {
        let shading = SlopeShading(rules: MapStyle.builtIn(.light).slopes)
        #expect(shading.rules.map(\.from) == [30, 35, 40])
        #expect([29.99, 30, 34.99, 35, 40, 80].map(shading.index) == [nil, 0, 0, 1, 2, 2])
        #expect(shading.index(.nan) == nil)
        #expect(shading.pixel(20) == 0)
        #expect(shading.pixel(.nan) == 0)
        #expect(shading.pixel(36) >> 24 == 128)
        #expect(shading.words(0) == "slope 30–35°")
        #expect(shading.words(2) == "slope over 40°")
    }

    @Test("unknown heights beside a sample make its slope unknown, not gentle")
    func unknown() {
        var window = Self.plane(45, toEast: true)
        window.values[5 * 12 + 5] = .nan
        let slopes = SlopeShading.degrees(window)
        for place in [5 * 12 + 4, 5 * 12 + 6, 4 * 12 + 5, 6 * 12 + 5] { #expect(slopes[place].isNaN) }
    }

    @Test("a map has classes that are in view in its legend, and the notice about unknown heights")
    func legend() throws {
        let fixture = try RegionFixture()
        defer { fixture.remove() }
        // Heights rise by 75 m a sample of 93 m to the north: 39°.
        let steep = try MapSource(
            fixture.region("steep") { latitude, _ in (latitude - 47) * 1200 * 75 })
        let view = MapView(center: Coordinate(latitude: 47.05, longitude: 9.05), zoom: 13)
        let drawn = try #require(try steep.slopes(of: view, style: "light", blocked: []))
        let words = drawn.legend.map(\.words)
        #expect(words.contains("slope 35–40°"))
        #expect(!words.contains("slope over 40°"))
        #expect(words.contains { $0.contains("93 m apart") })
        #expect(drawn.notice == nil)
        let plain = try steep.drawing(of: view, style: "light", blocked: [])
        #expect(!plain.legend.contains { $0.words.contains("slope") })
        let partly = try MapSource(
            fixture.region("partly") { latitude, longitude in
                longitude < 9.05 ? (latitude - 47) * 1200 * 75 : nil
            })
        let cut = try #require(try partly.slopes(of: view, style: "light", blocked: []))
        #expect(cut.notice?.contains("unknown in a part") == true)
        #expect(try MapSource(fixture.region("none")).slopes(of: view, style: "light", blocked: []) == nil)
    }

    @Test("a style's classes of slopes are in order")
    func style() {
        for text in [
            "[slopes]\n40 color=#FF0000\n30 color=#FF0000", "[slopes]\nsteep color=#FF0000", "[slopes]\n30",
        ] {
            #expect(throws: (any Error).self) { try MapStyle(text) }
        }
    }
}
