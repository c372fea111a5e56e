import Foundation
import Geodesy
import Pictures
import Testing

@testable import Cartography

@Suite("Credits of a map")
struct CreditTests {
    @Test(
        "a tile's corner credits nobody",
        arguments: [
            ("elevation: N43E007", "elevation: source not named"),
            ("elevation: SRTM (NASA)", "elevation: SRTM (NASA)"),
            (
                "elevation: N43E007, S01W178, elevation: SRTM (NASA)",
                "elevation: SRTM (NASA), source not named"
            ),
            ("elevation: swissALTI3D", "elevation: swissALTI3D"),
        ])
    func tiles(row: (String, String)) { #expect(HeightCredit.words(row.0) == row.1) }

    @Test("heights are credited where they are in view")
    func inView() throws {
        let fixture = try RegionFixture()
        defer { fixture.remove() }
        let source = try MapSource(
            fixture.region("half") { _, longitude in longitude < 9.05 ? 500 + longitude * 100 : nil })
        #expect(source.attribution == "© OpenStreetMap contributors · elevation: test")
        func credit(_ longitude: Double) throws -> String? {
            try source.drawing(
                of: MapView(center: Coordinate(latitude: 47.05, longitude: longitude), zoom: 15),
                style: "light", blocked: []
            ).attribution
        }
        #expect(try credit(9.02) == source.attribution)
        #expect(try credit(9.09) == "© OpenStreetMap contributors")
    }
}
