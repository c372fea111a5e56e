import Foundation

/// A transverse Mercator projection, by Krüger's series in the third flattening to the fourth power: within a
/// millimetre of the exact one in a zone (Karney, "Transverse Mercator with an accuracy of a few nanometers", 2011).
struct TransverseMercator {
    /// That of UTM on WGS 84.
    static let utm = TransverseMercator(
        flattening: Ellipsoid.flattening, axis: Ellipsoid.axis, scale: 0.9996)

    /// The flattening of the ellipsoid.
    let flattening: Double
    /// The equatorial half axis of the ellipsoid in metres.
    let axis: Double
    /// The scale on the central meridian.
    let scale: Double

    private var eccentricity: Double { (flattening * (2 - flattening)).squareRoot() }

    /// Metres east of a meridian and north of the equator.
    func plane(_ coordinate: Coordinate, meridian: Double) -> (east: Double, north: Double) {
        let n = flattening / (2 - flattening)
        let radius = axis / (1 + n) * (1 + n * n / 4 + pow(n, 4) / 64)
        let alphas = [
            n / 2 - 2 * n * n / 3 + 5 * pow(n, 3) / 16 + 41 * pow(n, 4) / 180,
            13 * n * n / 48 - 3 * pow(n, 3) / 5 + 557 * pow(n, 4) / 1440,
            61 * pow(n, 3) / 240 - 103 * pow(n, 4) / 140, 49_561 * pow(n, 4) / 161_280,
        ]
        let e = eccentricity
        let tau = tan(coordinate.latitude.radians)
        let sigma = sinh(e * atanh(e * tau / hypot(1, tau)))
        let tauPrime = tau * hypot(1, sigma) - sigma * hypot(1, tau)
        let angle = (coordinate.longitude - meridian).radians
        let xiPrime = atan2(tauPrime, cos(angle))
        let etaPrime = asinh(sin(angle) / hypot(tauPrime, cos(angle)))
        var (xi, eta) = (xiPrime, etaPrime)
        for (index, alpha) in alphas.enumerated() {
            let factor = 2 * Double(index + 1)
            xi += alpha * sin(factor * xiPrime) * cosh(factor * etaPrime)
            eta += alpha * cos(factor * xiPrime) * sinh(factor * etaPrime)
        }
        return (scale * radius * eta, scale * radius * xi)
    }

    /// The coordinate of metres east of a meridian and north of the equator.
    func coordinate(east: Double, north: Double, meridian: Double) -> Coordinate {
        let n = flattening / (2 - flattening)
        let radius = axis / (1 + n) * (1 + n * n / 4 + pow(n, 4) / 64)
        let betas = [
            n / 2 - 2 * n * n / 3 + 37 * pow(n, 3) / 96 - pow(n, 4) / 360,
            n * n / 48 + pow(n, 3) / 15 - 437 * pow(n, 4) / 1440,
            17 * pow(n, 3) / 480 - 37 * pow(n, 4) / 840, 4397 * pow(n, 4) / 161_280,
        ]
        let (xi, eta) = (north / (scale * radius), east / (scale * radius))
        var (xiPrime, etaPrime) = (xi, eta)
        for (index, beta) in betas.enumerated() {
            let factor = 2 * Double(index + 1)
            xiPrime -= beta * sin(factor * xi) * cosh(factor * eta)
            etaPrime -= beta * cos(factor * xi) * sinh(factor * eta)
        }
        // The conformal latitude, and from it the geodetic one by Newton's method on its tangent.
        let tauPrime = sin(xiPrime) / hypot(sinh(etaPrime), cos(xiPrime))
        let e = eccentricity
        var tau = tauPrime
        for _ in 0..<5 {
            let sigma = sinh(e * atanh(e * tau / hypot(1, tau)))
            let value = tau * hypot(1, sigma) - sigma * hypot(1, tau)
            let slope = (1 - e * e) * hypot(1, value) * hypot(1, tau) / (1 + (1 - e * e) * tau * tau)
            tau += (tauPrime - value) / slope
        }
        return Coordinate(
            latitude: atan(tau).degrees, longitude: meridian + atan2(sinh(etaPrime), cos(xiPrime)).degrees)
    }
}
