import Core
import Foundation

/// The values within a margin as numbers of narrow ranges, whose hashes do not tell the value.
struct RightRanges {
    /// The width of each range, in base units, of one digit: all its digits would tell the value whose share it is.
    let width: Double
    /// Where the range of number 0 begins.
    let offset: Double
    private let numbers: Range<Int>

    /// Ranges in a margin of twice its size: the values that are right are exact to a twentieth of the margin.
    private static let parts = 20.0
    /// Hashes of every value, most of which may stand for nothing: how many are right would tell the margin.
    private static let count = 48
    /// Digits of a hash.
    private static let digits = 16

    init(around value: Double, margin: Double) {
        let power = pow(10, log10(2 * margin / Self.parts).rounded(.down))
        let width = max(1, (2 * margin / Self.parts / power).rounded(.down)) * power
        // One more than fit, so that a value at either end of the margin is within.
        let number = (2 * margin / width).rounded(.down) + 1
        let first = value - number * width / 2
        let offset = first.remainder(dividingBy: width)
        let start = Int(((first - offset) / width).rounded())
        (self.width, self.offset) = (width, offset)
        numbers = start..<start + Int(number)
    }

    /// Whether a value is in one of the ranges.
    func contains(_ value: Double) -> Bool {
        numbers.contains(Int(((value - offset) / width).rounded(.down)))
    }

    /// The hashes of the numbers, and as many others as make up a fixed count, in the order of their digits.
    func hashes(_ salt: String) -> [String] {
        let texts =
            numbers.map(String.init) + (0..<max(0, Self.count - numbers.count)).map { "none \($0)" }
        return texts.map {
            String((Digest.sha256(Array("\(salt):\($0)".utf8)) ?? "").prefix(Self.digits))
        }.sorted()
    }
}
