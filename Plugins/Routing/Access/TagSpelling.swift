import Cartography

/// Which values of the tags of ways are read in the usual spelling, see `TagWord`.
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
        if TagWord.isUsual(value) { return value }
        let isKnown = known.contains(key)
        guard isKnown || words.contains(key) else { return value }
        // An amount, such as `5 EUR`, is no word.
        if !isKnown, value.first?.isNumber == true { return value }
        let plain = TagWord.usual(value)
        guard !plain.isEmpty else { return value }
        guard isKnown else { return plain }
        return KnownValues.isUnderstood(value, of: key) || !KnownValues.isUnderstood(plain, of: key)
            ? value : plain
    }
}
