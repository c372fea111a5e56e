import Foundation

/// The direction of magnetic north at a place and a time.
public struct MagneticDeclination: Sendable, Hashable {
    /// Degrees of magnetic north east of true north; negative to the west.
    public let degrees: Double
    /// Change in degrees a year.
    public let annualChange: Double
    /// One standard deviation in degrees: of the model, and of the crust and currents that it does not have.
    public let uncertainty: Double
    /// Whether a compass may be unreliable here: near a magnetic pole the horizontal field is weak.
    public let isDoubtful: Bool
}

/// The Earth's magnetic field by the World Magnetic Model 2025, at sea level.
///
/// Source: "The US/UK World Magnetic Model for 2025–2030", NOAA and BGS, 2024.
public enum MagneticModel {
    /// The name of the model.
    public static let name = "WMM2025"
    /// Decimal years for which the model is valid; the last is excluded.
    public static let years = 2025.0..<2030.0

    /// nT of the horizontal field below which a compass may be unreliable.
    private static let weakField = 6_000.0
    /// nT of the horizontal field below which it points nowhere in particular.
    private static let noField = 2_000.0
    /// The error model of the declination: degrees everywhere, and degrees times nT of the horizontal field.
    private static let errors = (base: 0.26, byField: 5_417.0)
    /// The radius of the model's sphere in kilometres.
    private static let radius = 6_371.2
    private static let degree = 12

    /// The declination in a decimal year; `nil` outside of the model's years, and where there is none: at the poles and
    /// around the magnetic poles.
    public static func declination(at coordinate: Coordinate, year: Double) -> MagneticDeclination? {
        guard years.contains(year), coordinate.isValid, abs(coordinate.latitude) < 90 else { return nil }
        let field = field(at: coordinate, year: year)
        let horizontal = hypot(field.north, field.east)
        guard horizontal >= noField else { return nil }
        let change = rate(at: coordinate, field)
        return MagneticDeclination(
            degrees: atan2(field.east, field.north).degrees, annualChange: change,
            uncertainty: hypot(errors.base, errors.byField / horizontal),
            isDoubtful: horizontal < weakField)
    }

    /// The components of the field in nT, at a height in kilometres above the ellipsoid.
    static func field(
        at coordinate: Coordinate, height: Double = 0, year: Double
    ) -> (north: Double, east: Double, down: Double) {
        let years = year - Self.years.lowerBound
        return sum(coordinate, height) { (($0.g + years * $0.gRate), ($0.h + years * $0.hRate)) }
    }

    /// The change of the declination in degrees a year: the field changes evenly.
    private static func rate(
        at coordinate: Coordinate, _ field: (north: Double, east: Double, down: Double)
    ) -> Double {
        let rate = sum(coordinate, 0) { ($0.gRate, $0.hRate) }
        let square = field.north * field.north + field.east * field.east
        return ((field.north * rate.east - field.east * rate.north) / square).degrees
    }

    // MARK: Spherical harmonics

    /// The coefficients of a degree and an order, in nT and nT a year.
    struct Term {
        var g, h, gRate, hRate: Double
    }

    /// The terms by degree and order.
    static let terms: [[Term]] = {
        var terms = (0...degree).map {
            [Term](repeating: Term(g: 0, h: 0, gRate: 0, hRate: 0), count: $0 + 1)
        }
        let text = String(decoding: PackageResources.wmm2025_txt, as: UTF8.self)
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            guard numbers.count == 6, let n = Int(exactly: numbers[0]), let m = Int(exactly: numbers[1]),
                terms.indices.contains(n), terms[n].indices.contains(m)
            else { continue }
            terms[n][m] = Term(g: numbers[2], h: numbers[3], gRate: numbers[4], hRate: numbers[5])
        }
        return terms
    }()

    /// The field of a potential, in the directions of the ellipsoid.
    private static func sum(
        _ coordinate: Coordinate, _ height: Double, _ coefficients: (Term) -> (g: Double, h: Double)
    ) -> (north: Double, east: Double, down: Double) {
        let latitude = coordinate.latitude.radians
        let longitude = coordinate.longitude.radians
        let (axis, square) = (Ellipsoid.axis / 1_000, Ellipsoid.squaredEccentricity)
        let curvature = axis / (1 - square * sin(latitude) * sin(latitude)).squareRoot()
        let (out, up) = (
            (curvature + height) * cos(latitude), (curvature * (1 - square) + height) * sin(latitude)
        )
        let distance = hypot(out, up)
        // At the poles the east is a matter of convention; beside them it is not.
        let (sine, cosine) = (max(1e-10, out / distance), up / distance)
        let functions = Legendre(degree: degree, sine: sine, cosine: cosine)
        var (north, east, down) = (0.0, 0.0, 0.0)
        var share = radius * radius / (distance * distance)
        for n in 1...degree {
            share *= radius / distance
            for m in 0...n {
                let (g, h) = coefficients(terms[n][m])
                let (c, s) = (cos(Double(m) * longitude), sin(Double(m) * longitude))
                let along = g * c + h * s
                north += share * along * functions.slopes[n][m]
                east += share * Double(m) * (g * s - h * c) * functions.values[n][m] / sine
                down -= share * Double(n + 1) * along * functions.values[n][m]
            }
        }
        // From the direction to the Earth's centre to that of the plumb line.
        let turn = atan2(up, out) - latitude
        return (
            north * cos(turn) - down * sin(turn), east, north * sin(turn) + down * cos(turn)
        )
    }

    /// Associated Legendre functions of the colatitude in Schmidt's normalisation, and their slopes.
    private struct Legendre {
        var values: [[Double]]
        var slopes: [[Double]]

        init(degree: Int, sine: Double, cosine: Double) {
            values = (0...degree).map { [Double](repeating: 0, count: $0 + 1) }
            slopes = values
            values[0][0] = 1
            for n in 1...degree {
                let factor = n == 1 ? 1 : (Double(2 * n - 1) / Double(2 * n)).squareRoot()
                values[n][n] = factor * sine * values[n - 1][n - 1]
                slopes[n][n] = factor * (sine * slopes[n - 1][n - 1] + cosine * values[n - 1][n - 1])
                for m in 0..<n {
                    let odd = Double(2 * n - 1)
                    let scale = Double(n * n - m * m).squareRoot()
                    var value = odd * cosine * values[n - 1][m]
                    var slope = odd * (cosine * slopes[n - 1][m] - sine * values[n - 1][m])
                    if m < n - 1 {
                        let before = Double((n - 1) * (n - 1) - m * m).squareRoot()
                        value -= before * values[n - 2][m]
                        slope -= before * slopes[n - 2][m]
                    }
                    values[n][m] = value / scale
                    slopes[n][m] = slope / scale
                }
            }
        }
    }
}
