/// Degrees and minutes, or degrees, minutes and seconds, without signs between them, as in aviation: `470600N 0093000E`,
/// `4706N00930E`, `N470600 E0093000`.
enum CompactAngles {
    /// Digits of degrees in a latitude and in a longitude.
    private static let degreeDigits = (latitude: 2, longitude: 3)

    static func read(_ text: String) -> CoordinateText.Reading? {
        if let reading = MachineNotation.read(text) { return reading }
        // A comma between digits is a decimal one, a blank divides degrees from minutes.
        guard text.firstMatch(of: /[0-9][,\/ ][0-9]/) == nil else { return nil }
        let plain = text.uppercased().filter { !" ,/".contains($0) }
        guard let first = plain.first else { return nil }
        let lettersFirst = "NS".contains(first)
        guard let split = split(plain, lettersFirst),
            let latitude = angle(split.latitude, of: "NS", lettersFirst, degreeDigits.latitude),
            let longitude = angle(split.longitude, of: "EW", lettersFirst, degreeDigits.longitude)
        else { return nil }
        return CoordinateText.reading(latitude, longitude, .sexagesimal)
    }

    private static func split(_ text: String, _ lettersFirst: Bool) -> (
        latitude: Substring, longitude: Substring
    )? {
        if lettersFirst {
            guard let index = text.firstIndex(where: { "EW".contains($0) }) else { return nil }
            return (text[..<index], text[index...])
        }
        guard let index = text.firstIndex(where: { "NS".contains($0) }) else { return nil }
        let next = text.index(after: index)
        return (text[..<next], text[next...])
    }

    /// Degrees of `470600N` or `N470600`; `nil` unless there are all digits of degrees and minutes, or of seconds too.
    private static func angle(
        _ text: Substring, of letters: String, _ letterFirst: Bool, _ degreeDigits: Int
    ) -> Double? {
        guard let letter = letterFirst ? text.first : text.last, letters.contains(letter) else { return nil }
        let number = letterFirst ? text.dropFirst() : text.dropLast()
        let whole = number.prefix { $0.isASCII && $0.isNumber }
        let rest = number.dropFirst(whole.count)
        let hasSeconds = whole.count == degreeDigits + 4
        guard hasSeconds || whole.count == degreeDigits + 2, rest.isEmpty || rest.first == ".",
            rest.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }), rest != ".",
            let degrees = Double(whole.prefix(degreeDigits)),
            let minutes = Double(
                hasSeconds ? whole.dropFirst(degreeDigits).prefix(2) : whole.dropFirst(degreeDigits) + rest),
            let seconds = hasSeconds ? Double(whole.suffix(2) + rest) : 0, minutes < 60, seconds < 60
        else { return nil }
        let sum = degrees + minutes / 60 + seconds / 3600
        return "SW".contains(letter) ? -sum : sum
    }
}
