import PluginKit

/// What the apps require of a column's value. No app reads a row that violates it: it is no edit, and must not replace a
/// row that is one.
enum CellRule: Equatable {
    /// A finite number.
    case number
    /// A finite number if it is one: of a column that may lack a value, and in which apps keep what they want.
    case finite
    /// An angle within plus and minus a limit, in degrees.
    case degrees(Double)
    /// A time in ISO 8601.
    case moment

    /// The rule of a column; `nil` without one.
    init?(_ name: String, isRequired: Bool, isNumber: Bool) {
        guard isRequired else {
            guard isNumber else { return nil }
            self = .finite
            return
        }
        if name == "latitude" || name.hasSuffix("_latitude") {
            self = .degrees(90)
        } else if name == "longitude" || name.hasSuffix("_longitude") {
            self = .degrees(180)
        } else if name == "timestamp" {
            self = .moment
        } else if isNumber {
            self = .number
        } else {
            return nil
        }
    }

    /// Why a value violates the rule; `nil` if it does not.
    func fault(_ value: FieldValue) -> String? {
        switch (self, value) {
        case (_, .absent), (_, .blob): return nil
        case (.moment, .text(let text)):
            return SyncTime.milliseconds(text) == nil ? "is no time in ISO 8601: '\(text.prefix(40))'" : nil
        case (.moment, _): return "is no time in ISO 8601"
        case (.number, .number(let number)), (.finite, .number(let number)):
            return number.isFinite ? nil : "is infinite"
        case (.finite, _): return nil
        case (_, .text), (_, .bytes): return "is no number"
        case (.number, _): return nil
        case (.degrees(let limit), .integer(let number)): return Self.fault(Double(number), limit)
        case (.degrees(let limit), .number(let number)): return Self.fault(number, limit)
        }
    }

    private static func fault(_ number: Double, _ limit: Double) -> String? {
        // A number that is none is not within them either.
        abs(number) <= limit ? nil : "\(Literal.number(number)) is not within ±\(Int(limit))"
    }
}
