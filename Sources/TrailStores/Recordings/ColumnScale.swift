import Foundation

/// The unit of which the numbers of a column are whole multiples, so that they can be stored as
/// integers.
///
/// Most files contain decimals, FIT files semicircles. A scale is used only if every number is restored bit for
/// bit.
enum ColumnScale: Equatable {
    /// No common unit: their bits are stored.
    case none
    /// A power of ten, from 1 down to 1e-9.
    case decimals(Int)
    /// 180°/2³¹.
    case semicircles

    private static let powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
    private static let degrees = 180 / 2_147_483_648.0
    /// Integers up to here are exact as `Double`.
    private static let largest = 9_007_199_254_740_992.0

    /// The scale of numbers.
    init(_ numbers: [Double]) {
        var power = 0
        // A multiple of a power is also one of the next power, unless it becomes too large for an integer.
        let areDecimals = numbers.allSatisfy { number in
            while power < Self.powers.count {
                if Self.isExact(number, Self.powers[power]) { return true }
                power += 1
            }
            return false
        }
        if areDecimals, numbers.allSatisfy({ Self.isExact($0, Self.powers[power]) }) {
            self = .decimals(power)
        } else if numbers.allSatisfy({ number in
            Self.isExact(number, rint(number / Self.degrees)) { $0 * Self.degrees }
        }) {
            self = .semicircles
        } else {
            self = .none
        }
    }

    private static func isExact(_ number: Double, _ power: Double) -> Bool {
        isExact(number, rint(number * power)) { $0 / power }
    }

    /// Whether the multiple by an integer has the same bits as the number. A file may contain a negative zero,
    /// which integers cannot represent.
    @inline(__always)
    private static func isExact(_ number: Double, _ whole: Double, _ multiple: (Double) -> Double) -> Bool {
        abs(whole) < largest && multiple(Double(Int64(whole))).bitPattern == number.bitPattern
    }

    // MARK: In the store

    /// The scale of a stored byte; `nil` for an unknown one.
    init?(byte: UInt8) {
        switch Int(byte) {
        case 0: self = .none
        case 1...Self.powers.count: self = .decimals(Int(byte) - 1)
        case Self.powers.count + 1: self = .semicircles
        default: return nil
        }
    }

    var byte: UInt8 {
        switch self {
        case .none: 0
        case .decimals(let power): UInt8(power + 1)
        case .semicircles: UInt8(Self.powers.count + 1)
        }
    }

    /// The word of each number.
    func words(_ numbers: [Double]) -> [UInt64] {
        switch self {
        case .none: numbers.map(\.bitPattern)
        case .decimals(let power):
            numbers.map { UInt64(bitPattern: Int64(rint($0 * Self.powers[power]))) }
        case .semicircles: numbers.map { UInt64(bitPattern: Int64(rint($0 / Self.degrees))) }
        }
    }

    /// The bits of the number of a word.
    func bits(_ word: UInt64) -> UInt64 {
        switch self {
        case .none: word
        case .decimals(let power): (Double(Int64(bitPattern: word)) / Self.powers[power]).bitPattern
        case .semicircles: (Double(Int64(bitPattern: word)) * Self.degrees).bitPattern
        }
    }
}
