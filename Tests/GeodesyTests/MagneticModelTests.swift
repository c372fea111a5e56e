import Foundation
import Testing

@testable import Geodesy

@Suite("The World Magnetic Model")
struct MagneticModelTests {
    /// Degrees north and east, kilometres above the ellipsoid, year and declination of the model's published test values.
    private static let rows: [(Double, Double, Double, Double, Double)] = [
        (80, 0, 0, 2025, 1.28), (0, 120, 0, 2025, -0.16), (-80, 240, 0, 2025, 68.78),
        (80, 0, 100, 2025, 0.85), (0, 120, 100, 2025, -0.15), (-80, 240, 100, 2025, 68.21),
        (80, 0, 0, 2027.5, 2.59), (0, 120, 0, 2027.5, -0.24), (-80, 240, 0, 2027.5, 68.49),
        (80, 0, 100, 2027.5, 2.16), (0, 120, 100, 2027.5, -0.23),
    ]

    @Test("the published test values", arguments: rows)
    func published(row: (Double, Double, Double, Double, Double)) {
        let longitude = row.1 > 180 ? row.1 - 360 : row.1
        let field = MagneticModel.field(
            at: Coordinate(latitude: row.0, longitude: longitude), height: row.2, year: row.3)
        let degrees = atan2(field.east, field.north).degrees
        #expect(abs(degrees - row.4) <= 0.0051)
    }

    @Test("the components agree with an independent program (pygeomag 1.1)")
    func components() {
        let field = MagneticModel.field(at: Coordinate(latitude: -33.9, longitude: 18.4), year: 2027.3)
        #expect(abs(field.north - 9563.6) < 0.1)
        #expect(abs(field.east - -4849.9) < 0.1)
        #expect(abs(field.down - -22518.8) < 0.1)
    }

    @Test("the change a year is that between two years")
    func change() throws {
        let place = Coordinate(latitude: 46.75, longitude: 9.45)
        let first = try #require(MagneticModel.declination(at: place, year: 2026))
        let later = try #require(MagneticModel.declination(at: place, year: 2027))
        #expect(abs(first.degrees + first.annualChange - later.degrees) < 0.002)
        #expect(abs(first.uncertainty - 0.3588) < 0.001)
        #expect(!first.isDoubtful)
    }

    @Test("no declination before 2025, from 2030 on, at the poles, and at the magnetic poles")
    func unknown() {
        let place = Coordinate(latitude: 46.75, longitude: 9.45)
        #expect(MagneticModel.declination(at: place, year: 2024.99) == nil)
        #expect(MagneticModel.declination(at: place, year: 2025) != nil)
        #expect(MagneticModel.declination(at: place, year: 2029.99) != nil)
        #expect(MagneticModel.declination(at: place, year: 2030) == nil)
        #expect(MagneticModel.declination(at: Coordinate(latitude: 90, longitude: 0), year: 2026) == nil)
        #expect(MagneticModel.declination(at: Coordinate(latitude: 86, longitude: 150), year: 2026) == nil)
        #expect(MagneticModel.declination(at: Coordinate(latitude: .nan, longitude: 0), year: 2026) == nil)
    }

    @Test("where the horizontal field is weak a compass is doubtful")
    func weak() throws {
        let north = Coordinate(latitude: 82, longitude: -60)
        let found = try #require(MagneticModel.declination(at: north, year: 2026))
        #expect(found.isDoubtful)
        #expect(found.uncertainty > 0.9)
    }

    @Test("all 90 terms are read")
    func terms() {
        #expect(MagneticModel.terms.map(\.count) == Array(1...13))
        let set = MagneticModel.terms.joined().count {
            $0.g != 0 || $0.h != 0 || $0.gRate != 0 || $0.hRate != 0
        }
        #expect(set == 90)
        #expect(MagneticModel.terms[12][12].hRate == -0.1)
    }
}
