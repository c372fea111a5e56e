/// Locators of radio amateurs: letters and figures by turns that halve a square of the world ever smaller, as `JN58td`.
///
/// Source: IARU Region 1, Maidenhead locator system. Six signs are a square of 2.5′ by 5′, eight one of 15″ by 30″. Four, such as
/// `JN58`, are a degree by two and look like the number of a road; six of which the last are no small letters look like a British
/// postcode without its blank, such as `RG12AB`: they are none.
enum MaidenheadLocator {
    /// The parts of a longitude or latitude at each pair of signs, and their first sign.
    private static let pairs: [(parts: Int, first: Character)] = [
        (18, "A"), (10, "0"), (24, "A"), (10, "0"), (24, "A"),
    ]

    /// The centre of the square.
    static func read(_ text: String) -> CoordinateText.Reading? {
        let signs = Array(text.uppercased())
        guard [6, 8, 10].contains(signs.count), signs.allSatisfy(\.isASCII) else { return nil }
        if signs.count == 6 {
            guard text.prefix(2).allSatisfy(\.isUppercase), text.suffix(2).allSatisfy(\.isLowercase) else {
                return nil
            }
        }
        var (longitude, latitude, width, height) = (-180.0, -90.0, 360.0, 180.0)
        for (index, pair) in pairs.prefix(signs.count / 2).enumerated() {
            width /= Double(pair.parts)
            height /= Double(pair.parts)
            guard let east = digit(signs[2 * index], pair), let north = digit(signs[2 * index + 1], pair)
            else {
                return nil
            }
            longitude += Double(east) * width
            latitude += Double(north) * height
        }
        return CoordinateText.reading(latitude + height / 2, longitude + width / 2, .maidenhead)
    }

    private static func digit(_ sign: Character, _ pair: (parts: Int, first: Character)) -> Int? {
        guard let value = sign.asciiValue, let first = pair.first.asciiValue, value >= first,
            value - first < UInt8(pair.parts)
        else { return nil }
        return Int(value - first)
    }
}
