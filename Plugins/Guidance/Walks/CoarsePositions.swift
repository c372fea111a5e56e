import Foundation
import Geodesy

/// Positions that were rounded to few decimals, as for privacy: the receiver knew better, the file does not.
struct CoarsePositions {
    /// The step of the positions, metres along a meridian.
    let step: Double

    /// The standard deviation that rounding adds, metres: that of a uniform distribution.
    var accuracy: Double { step / 12.0.squareRoot() }

    /// Decimals of degrees that are coarse: two are a kilometre, three 111 m.
    private static let decimals = 1...3
    /// The fewest different positions that show it.
    private static let least = 5
    /// How exact a decimal number is as a binary one, in steps.
    private static let exact = 1e-6

    /// `nil` if the positions have four decimals or more, or are too few to tell.
    init?(_ coordinates: [Coordinate]) {
        guard Set(coordinates.map(\.withoutAltitude)).count >= Self.least else { return nil }
        let found = Self.decimals.first { decimals in
            let scale = pow(10, Double(decimals))
            return coordinates.allSatisfy {
                Self.isWhole($0.latitude * scale) && Self.isWhole($0.longitude * scale)
            }
        }
        guard let found else { return nil }
        step = LocalPlane.metresPerDegree / pow(10, Double(found))
    }

    private static func isWhole(_ value: Double) -> Bool { abs(value - value.rounded()) < exact }

    /// What is doubtful about them, in words.
    var notice: String {
        "positions are rounded to \(Int(step.rounded())) m: prompts may be out of place by as much"
    }
}
