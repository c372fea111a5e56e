extension DefaultStringInterpolation {
    /// A count with its noun: `\(3, of: "waypoint")` is `3 waypoints`, `\(1, of: "waypoint")` is `1 waypoint`.
    ///
    /// The plural is the noun with an `s`, unless it is given.
    public mutating func appendInterpolation(
        _ count: some BinaryInteger, of noun: String, plural: String? = nil
    ) {
        appendInterpolation(count)
        appendLiteral(" ")
        appendLiteral(count == 1 ? noun : plural ?? noun + "s")
    }
}
