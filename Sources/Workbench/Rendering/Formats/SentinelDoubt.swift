import Foundation

/// A number that loggers, models and statistics programs write where they have no value: nines below zero, or the least number of their
/// format.
struct SentinelDoubt {
    private static let known: Set<Double> = [
        -99, -999, -9999, -99_999, -999_999, -99.9, -999.9, -999.25, -9999.9, -32_768, -2_147_483_648,
    ]
    /// One of two nines is a number of its own where the others are as great.
    private static let fewDigits = -100.0
    /// How much greater a number for a missing value is than the others, without their signs.
    private static let distance = 10.0

    private var cell: String?
    private var number = 0.0
    private var least = Double.infinity
    private var greatest = 0.0

    /// Takes a number as it is written.
    mutating func take(_ cell: String, _ number: Double) {
        guard number < 0, Self.known.contains(number), number <= self.number else {
            least = min(least, number)
            greatest = max(greatest, abs(number))
            return
        }
        // A lesser one makes the one before it a number like the others.
        if self.cell != nil, number < self.number { least = min(least, self.number) }
        (self.cell, self.number) = (cell, number)
    }

    /// The number as it is written, if all others are far from it.
    var found: String? {
        guard let cell, least.isFinite, least >= 0 || -least * Self.distance < -number,
            number < Self.fewDigits || greatest * Self.distance < -number
        else { return nil }
        return cell.trimmingCharacters(in: .whitespaces)
    }
}
