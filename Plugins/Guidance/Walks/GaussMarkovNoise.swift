import Foundation
import Geodesy
import PluginKit

/// Correlated noise of a receiver: on each axis a Gauss–Markov process of first order.
///
/// n′ = φ·n + σ·√(1 − φ²)·w with φ = exp(−Δt/τ) and w normal; the standard deviation is σ at any time, and values a
/// time τ apart are correlated by 1/e. (A. Gelb, ed., "Applied Optimal Estimation", 1974, chapter 2.)
public struct GaussMarkovNoise: Sendable {
    /// Standard deviation on each axis, metres.
    let sigma: Double
    /// Time constant, seconds.
    let timeConstant: Double
    private var east = 0.0
    private var north = 0.0
    private var hasBegun = false

    /// Noise of a standard deviation in metres and a time constant in seconds, both above 0.
    public init(sigma: Double, timeConstant: Double) {
        self.sigma = sigma
        self.timeConstant = timeConstant
    }

    /// The measured coordinate, a time in seconds after the previous one.
    public mutating func shifted(
        _ coordinate: Coordinate, after seconds: Double, _ random: inout Xoshiro256
    ) -> Coordinate {
        let (first, second) = Self.normals(&random)
        let keep = hasBegun ? exp(-max(0, seconds) / timeConstant) : 0
        let fresh = sigma * max(0, 1 - keep * keep).squareRoot()
        hasBegun = true
        east = keep * east + fresh * first
        north = keep * north + fresh * second
        let bearing = atan2(east, north).degrees
        var shifted = coordinate.destination(
            bearing: bearing, distance: (east * east + north * north).squareRoot())
        shifted.altitude = coordinate.altitude
        return shifted
    }

    /// Two independent normal numbers (Box and Muller 1958).
    private static func normals(_ random: inout Xoshiro256) -> (Double, Double) {
        let radius = (-2 * log(1 - random.unit())).squareRoot()
        let angle = 2 * Double.pi * random.unit()
        return (radius * cos(angle), radius * sin(angle))
    }
}

extension Xoshiro256 {
    /// A number in 0 ≤ x < 1, with 53 bits.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
