import Testing

@testable import Geodesy

/// References of the British National Grid. By PROJ with the seven parameters of Ordnance Survey's guide.
struct BritishGridTests {
    private static func found(_ text: String) -> (Coordinate, CoordinateText.Notation)? {
        guard case .coordinate(let coordinate, let notation)? = CoordinateText.read(text) else { return nil }
        return (coordinate, notation)
    }

    @Test(arguments: [
        ("TQ 30080 80040", 51.504_336_28, -0.127_179_88), ("TQ3008080040", 51.504_336_28, -0.127_179_88),
        ("tq 30080,80040", 51.504_336_28, -0.127_179_88),
        ("OSGB TQ 30080 80040", 51.504_336_28, -0.127_179_88),
        ("TG 51409 13177", 52.657_980_85, 1.716_046_18), ("NN166712", 56.796_556_48, -5.003_930_41),
        ("NN 166 712", 56.796_556_48, -5.003_930_41),
    ])
    func referencesAreTheCentresOfTheirSquares(text: String, latitude: Double, longitude: Double) throws {
        let (coordinate, notation) = try #require(Self.found(text))
        #expect(notation == .britishGrid)
        // A metre.
        #expect(abs(coordinate.latitude - latitude) < 1e-5, "\(coordinate)")
        #expect(abs(coordinate.longitude - longitude) < 1.5e-5, "\(coordinate)")
    }

    @Test(arguments: [
        (52.657_977_777_8, 1.716_052_777_8, "TG 51409 13177"), (58.6373, -3.0689, "ND 38044 72651"),
        (50.0657, -5.7132, "SW 34369 25005"), (60.845, -0.88399, "HP 60754 18536"),
    ])
    func coordinatesAreWritten(latitude: Double, longitude: Double, text: String) {
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        #expect(CoordinateWriting.british.text(coordinate) == text)
    }

    /// A quarter of the globe from the meridian the projection has no bounds.
    @Test(arguments: [(0.0, 88.0), (0.0001, 88.0), (0.0, -92.0), (0.0, 180.0), (-50.0, 10.0), (46.5, 8.0)])
    func placesOutsideOfTheGridAreNotWritten(latitude: Double, longitude: Double) {
        #expect(BritishGrid.text(Coordinate(latitude: latitude, longitude: longitude)) == nil)
    }

    @Test func whatIsWrittenIsReadBackWithinItsSquare() throws {
        for row in 0..<50 {
            for column in 0..<30 {
                let place = Coordinate(
                    latitude: 50.2 + Double(row) * 0.17, longitude: -6 + Double(column) * 0.23)
                guard let text = CoordinateWriting.british.text(place) else { continue }
                let (back, _) = try #require(Self.found(text), "\(text)")
                #expect(back.distance(to: place) < 1, "\(text)")
            }
        }
    }

    @Test(arguments: [
        // A district of London, a postcode, a road, letters of the sea and beyond, digits that do not pair.
        "NW10", "SO14 3AB", "SU 12", "NX2034", "TM 999", "WA 12345 12345", "AA 123456", "TQ 1234 123",
        "IO 123456", "nn166712",
    ])
    func otherTextsAreNone(text: String) { #expect(Self.found(text)?.1 != .britishGrid) }

    @Test func otherCountriesAreNotOnTheGrid() {
        #expect(CoordinateWriting.british.text(Coordinate(latitude: 46.5, longitude: 7.9)) == nil)
        #expect(CoordinateWriting.british.text(Coordinate(latitude: 51.5, longitude: -14)) == nil)
    }

    @Test func theNameOfAGridMayStandBeforeIt() throws {
        let (coordinate, notation) = try #require(Self.found("UTM 32N 461987 5205285"))
        #expect(notation == .utm && abs(coordinate.latitude - 47) < 1e-4)
        #expect(Self.found("UTM zone 32T 461987 5205285")?.1 == .utm)
        #expect(Self.found("MGRS 32TMT6198705285")?.1 == .mgrs)
    }
}
