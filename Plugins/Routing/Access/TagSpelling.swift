/// The usual spelling of the values of tags: small letters, one underscore between words, no spaces around those of a list.
///
/// Source: OpenStreetMap wiki, "Any tags you like": values that are words are written in small letters, with `_` for a
/// space. Editors on phones begin them with a capital letter, or leave a space behind them.
enum TagSpelling {
    /// Keys whose values are words but are not all known, besides those of `KnownValues`.
    private static let words = Set(
        [
            "highway", "route", "railway", "junction", "footway", "service", "tunnel", "bridge", "covered",
            "area", "man_made", "public_transport", "sidewalk", "sidewalk:left", "sidewalk:right",
            "sidewalk:both", "motorroad", "military", "crossing", "fee", "toll", "toll:foot", "informal",
            "ramp", "ramp:bicycle", "hazard", "obstacle", "ladder", "safety_rope", "assisted_trail",
            "flood_prone", "status",
        ] + TagKeys.directions + TagKeys.lifecycle + TagKeys.temporary + TagKeys.operation)
    private static let known = Set(KnownValues.keys)

    /// The value as it is usually written. One that is understood as it is, or in no other spelling either, is unchanged.
    static func usual(_ value: String, of key: String) -> String {
        if isUsual(value) { return value }
        let isKnown = known.contains(key)
        guard isKnown || words.contains(key) else { return value }
        // An amount, such as `5 EUR`, is no word.
        if !isKnown, value.first?.isNumber == true { return value }
        let plain = value.lowercased().split(separator: ";").map { part in
            part.split(whereSeparator: \.isWhitespace).joined(separator: "_")
        }.filter { !$0.isEmpty }.joined(separator: ";")
        guard !plain.isEmpty else { return value }
        guard isKnown else { return plain }
        return KnownValues.isUnderstood(value, of: key) || !KnownValues.isUnderstood(plain, of: key)
            ? value : plain
    }

    /// Whether a value has no letters or signs but those of the usual spelling, as nearly all have.
    private static func isUsual(_ value: String) -> Bool {
        value.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"): true
            default: false
            }
        }
    }
}
