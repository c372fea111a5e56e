/// Notations that programs write: ISO 6709 (`+46.5+007.9/`), well-known text (`POINT(7.9 46.5)`, longitude first),
/// degrees with an altitude (`46.5,7.9,1250m`), and links of maps, whose mark counts before the middle of their view
/// (`…/@46.5,7.9,15z`, `…#map=15/46.5/7.9`).
enum MachineNotation {
    static func read(_ text: String) -> CoordinateText.Reading? {
        standard(text) ?? wellKnownText(text) ?? withAltitude(text) ?? labelled(text) ?? link(text)
    }

    /// ISO 6709 ends with a solidus; without it, two numbers with signs can be anything.
    private static func standard(_ text: String) -> CoordinateText.Reading? {
        guard
            let match = text.wholeMatch(
                of: /([+\-][0-9]{2}(?:\.[0-9]+)?)([+\-][0-9]{3}(?:\.[0-9]+)?)([+\-][0-9]+(?:\.[0-9]+)?)?\//)
        else { return nil }
        return reading(match.output.1, match.output.2, match.output.3)
    }

    private static func wellKnownText(_ text: String) -> CoordinateText.Reading? {
        let plain = text.uppercased().replacing("SRID=4326;", with: "")
        guard
            let match = plain.wholeMatch(
                of:
                    /POINT ?Z? ?\( ?(-?[0-9]+(?:\.[0-9]+)?) +(-?[0-9]+(?:\.[0-9]+)?)(?: +(-?[0-9]+(?:\.[0-9]+)?))? ?\)/
            )
        else { return nil }
        return reading(match.output.2, match.output.1, match.output.3)
    }

    private static func withAltitude(_ text: String) -> CoordinateText.Reading? {
        guard
            let match = text.wholeMatch(
                of: /(-?[0-9]+(?:\.[0-9]+)?), ?(-?[0-9]+(?:\.[0-9]+)?), ?(-?[0-9]+(?:\.[0-9]+)?) ?m/)
        else { return nil }
        return reading(match.output.1, match.output.2, match.output.3)
    }

    /// `lat=46.5 lon=7.9`, `Latitude: 46.5, Longitude: 7.9`, `{"lng": 7.9, "lat": 46.5}`, and the point of GeoJSON, longitude first.
    private static func labelled(_ text: String) -> CoordinateText.Reading? {
        let plain = text.lowercased().filter { !"\"'{}()".contains($0) }
        if let match = plain.firstMatch(
            of: /coordinates: *\[ *(-?[0-9]+(?:\.[0-9]+)?) *, *(-?[0-9]+(?:\.[0-9]+)?) *[,\]]/),
            plain.contains(/type: *point\b/)
        {
            return reading(match.output.2, match.output.1, nil)
        }
        let label =
            /^[\s]*(lat|latitude|lon|lng|long|longitude)\.?\s*[:=]?\s*(-?[0-9]+(?:[.,][0-9]+)?)[°\s,;]*(lat|latitude|lon|lng|long|longitude)\.?\s*[:=]?\s*(-?[0-9]+(?:[.,][0-9]+)?)[°\s]*$/
        guard let match = plain.wholeMatch(of: label) else { return nil }
        let (first, second) = (match.output.1.hasPrefix("lat"), match.output.3.hasPrefix("lat"))
        guard first != second else { return nil }
        let numbers = [match.output.2, match.output.4].map { $0.replacing(",", with: ".")[...] }
        return first ? reading(numbers[0], numbers[1], nil) : reading(numbers[1], numbers[0], nil)
    }

    /// A `geo:` link has a reader of its own.
    private static func link(_ text: String) -> CoordinateText.Reading? {
        MapLink.isLink(text) && !text.lowercased().hasPrefix("geo:") ? MapLink(text)?.reading : nil
    }

    private static func reading(
        _ latitude: Substring, _ longitude: Substring, _ altitude: Substring?
    ) -> CoordinateText.Reading? {
        guard let latitude = Double(latitude), let longitude = Double(longitude) else { return nil }
        guard
            case .coordinate(var place, let notation)? = CoordinateText.reading(latitude, longitude, .decimal)
        else { return CoordinateText.reading(latitude, longitude, .decimal) }
        place.altitude = altitude.flatMap { Double($0) }
        return .coordinate(place, notation)
    }
}
