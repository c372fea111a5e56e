/// The usual spelling of a tag's value that is a word: small letters, one underscore between words, no spaces around those of a list.
///
/// Source: OpenStreetMap wiki, "Any tags you like": values that are words are written in small letters, with `_` for a
/// space. Editors on phones begin them with a capital letter, or leave a space behind them.
public enum TagWord {
    /// Whether a value has no letters or signs but those of the usual spelling, as nearly all have; a list has not.
    public static func isUsual(_ value: String) -> Bool {
        value.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"): true
            default: false
            }
        }
    }

    /// Whether a value of `operational_status` is one by which something cannot be used.
    public static func isOutOfOrder(_ value: String) -> Bool { outOfOrder.contains(usual(value)) }

    private static let outOfOrder: Set<String> = [
        "broken", "closed", "defective", "inactive", "inoperative", "needs_maintenance", "no",
        "non-operational",
        "not_operational", "out_of_order", "out_of_service",
    ]

    /// A value, or each of a list, in the usual spelling; empty if nothing is left.
    public static func usual(_ value: String) -> String {
        value.lowercased().split(separator: ";").map { part in
            part.split(whereSeparator: \.isWhitespace).joined(separator: "_")
        }.filter { !$0.isEmpty }.joined(separator: ";")
    }
}
