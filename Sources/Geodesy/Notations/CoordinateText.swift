/// Parser for written coordinates: decimal degrees, degrees with minutes and seconds, a `geo:` URI (RFC
/// 5870), an Open Location Code ("plus code"), Swiss grid (LV95, LV03), UTM, MGRS, British grid,
/// Maidenhead locator.
public enum CoordinateText {
    /// The notations.
    public enum Notation: String, Sendable, CaseIterable {
        /// `46.5012, 7.9876`, also with N, S, E, W.
        case decimal = "decimal degrees"
        /// `46°30'15"N 7°30'E`
        case sexagesimal = "degrees and minutes"
        /// `geo:46.5,7.9`
        case geoURI = "geo URI"
        /// `8FVC9G8F+6X`
        case plusCode = "plus code"
        /// `2'600'000 1'200'000` or `600'000 200'000`
        case swissGrid = "Swiss grid"
        /// `32T 412345 5201234`
        case utm = "UTM"
        /// `32TMT 12345 67890`
        case mgrs = "MGRS"
        /// `TQ 30080 80040`
        case britishGrid = "British grid"
        /// `JN58td`
        case maidenhead = "centre of a Maidenhead square"
    }

    /// The result of parsing.
    public enum Reading: Sendable, Hashable {
        /// A coordinate.
        case coordinate(Coordinate, Notation)
        /// Two angles out of range; `swapped` is the coordinate with them exchanged, if that is valid.
        case outOfRange(latitude: Double, longitude: Double, swapped: Coordinate?)
        /// A longitude with the letter O: east in German and Dutch, west in French, Italian, Portuguese and Spanish.
        case eastOrWest(east: Coordinate, west: Coordinate)
        /// A plus code without its area code, and the text after it: it requires a reference location.
        case shortPlusCode(String, locality: String)
    }

    /// The maximum length of a text, in bytes.
    private static let longest = 100
    /// The maximum length of a link of a map, which has names and identifiers beside the place.
    private static let longestLink = 2000

    /// Parses a text; `nil` if it is not a coordinate in any notation.
    public static func read(_ text: String) -> Reading? {
        let length = text.utf8.count
        guard length <= longest || length <= longestLink && MapLink.isLink(text) else { return nil }
        var text = halfWidth(text)
        while let last = text.last, last.isWhitespace || last == "," { text.removeLast() }
        text = String(text.drop { $0.isWhitespace })
        // `(46.5, 7.9)`; square brackets are those of programs that write the longitude first.
        if text.hasPrefix("("), text.hasSuffix(")") { text = String(text.dropFirst().dropLast()) }
        guard text.contains(where: \.isNumber) else { return nil }
        return GeoURI.read(text) ?? PlusCode.read(text) ?? GridReference.read(text)
            ?? BritishGrid.read(text) ?? CompactAngles.read(text) ?? SwissGrid.read(text)
            ?? AnglePair.read(text) ?? MaidenheadLocator.read(text)
    }

    /// The figures and signs of a Japanese or Chinese keyboard as those of ASCII.
    private static func halfWidth(_ text: String) -> String {
        let wide: ClosedRange<UInt32> = 0xFF01...0xFF5E
        guard text.unicodeScalars.contains(where: { wide.contains($0.value) }) else { return text }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map {
                    wide.contains($0.value) ? Unicode.Scalar($0.value - 0xFEE0) ?? $0 : $0
                }))
    }

    /// The second meaning of a text that `read` takes for the Swiss grid: easting and northing of the British grid, where both are
    /// six plain digits. `nil` for other texts: apostrophes, slashes and seven digits are Swiss only.
    public static func britishReading(of text: String) -> Coordinate? {
        guard case .coordinate(_, .swissGrid)? = read(text) else { return nil }
        let parts = text.split { $0.isWhitespace || $0 == "," }
        guard parts.count == 2,
            parts.allSatisfy({ $0.count == 6 && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let east = Double(parts[0]), let north = Double(parts[1])
        else { return nil }
        return BritishGrid.contains(east: east, north: north)
            ? BritishGrid.coordinate(east: east, north: north) : nil
    }

    /// Interprets two angles in degrees.
    static func reading(_ latitude: Double, _ longitude: Double, _ notation: Notation) -> Reading? {
        guard latitude.isFinite, longitude.isFinite else { return nil }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        if coordinate.isValid { return .coordinate(coordinate, notation) }
        let swapped = Coordinate(latitude: longitude, longitude: latitude)
        return .outOfRange(
            latitude: latitude, longitude: longitude, swapped: swapped.isValid ? swapped : nil)
    }
}

/// `geo:46.5,7.9,1200;u=10` (RFC 5870), and the form in which phones share a place: `geo:0,0?q=46.5,7.9(Hut)`.
private enum GeoURI {
    static func read(_ text: String) -> CoordinateText.Reading? {
        guard text.lowercased().hasPrefix("geo:") else { return nil }
        let body = text.dropFirst(4).prefix { $0 != ";" && $0 != "?" }
        let parameters = text.lowercased().split(separator: ";").dropFirst()
        // Reference systems other than WGS 84 are not supported.
        guard parameters.allSatisfy({ !$0.hasPrefix("crs=") || $0.hasPrefix("crs=wgs84") }) else {
            return nil
        }
        let numbers = body.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 2 || numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1]
        else { return nil }
        // 0,0 with a query means that the query alone says where.
        if latitude == 0, longitude == 0, let query = query(text) {
            let parts = query.prefix { $0 != "(" }.split(separator: ",", omittingEmptySubsequences: false)
                .map { Double($0.filter { $0 != " " }) }
            guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
            return CoordinateText.reading(latitude, longitude, .geoURI)
        }
        return CoordinateText.reading(latitude, longitude, .geoURI)
    }

    /// The text of the parameter `q`, decoded; `nil` if there is none.
    private static func query(_ text: String) -> String? {
        guard let mark = text.firstIndex(of: "?") else { return nil }
        let parameters = text[text.index(after: mark)...].split(separator: "&")
        guard let query = parameters.first(where: { $0.lowercased().hasPrefix("q=") })?.dropFirst(2) else {
            return nil
        }
        return String(query).replacing("+", with: " ").replacing("%2C", with: ",").replacing("%2c", with: ",")
            .replacing("%20", with: " ").replacing("%28", with: "(")
    }
}
