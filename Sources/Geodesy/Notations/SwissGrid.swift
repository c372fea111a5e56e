/// The Swiss projection, LV95 and LV03, by swisstopo's approximate formulas ("Näherungslösungen für die direkte
/// Transformation CH1903 ⇔ WGS84", 2016): within a metre in Switzerland and Liechtenstein.
enum SwissGrid {
    /// The range of LV95 eastings and northings in metres in which the formulas are valid.
    private static let eastings = 2_450_000.0...2_870_000.0
    private static let northings = 1_050_000.0...1_320_000.0

    static func read(_ text: String) -> CoordinateText.Reading? {
        var text = text.replacing("’", with: "'")
        for mark in ["m", "E", "N", "/"] { text = text.replacing(mark, with: " ") }
        text = text.replacing("'", with: "")
        let parts = text.split { $0.isWhitespace || $0 == "," || $0 == ";" }
        guard parts.count == 2, var east = Double(parts[0]), var north = Double(parts[1]) else { return nil }
        // LV03 omits the leading digits.
        if east < 1_000_000, north < 1_000_000 { (east, north) = (east + 2_000_000, north + 1_000_000) }
        if eastings.contains(north), northings.contains(east) { swap(&east, &north) }
        guard eastings.contains(east), northings.contains(north) else { return nil }
        return .coordinate(coordinate(east: east, north: north), .swissGrid)
    }

    /// Eastings and northings in LV95, rounded to metres; `nil` outside of the grid's range.
    static func text(_ coordinate: Coordinate) -> String? {
        let y = (coordinate.longitude * 3600 - 26_782.5) / 10_000
        let x = (coordinate.latitude * 3600 - 169_028.66) / 10_000
        let east = 2_600_072.37 + 211_455.93 * y - 10_938.51 * y * x - 0.36 * y * x * x - 44.54 * y * y * y
        let north =
            1_200_147.07 + 308_807.95 * x + 3_745.25 * y * y + 76.63 * x * x - 194.56 * y * y * x
            + 119.79 * x * x * x
        guard eastings.contains(east), northings.contains(north) else { return nil }
        return "\(Int(east.rounded())) \(Int(north.rounded()))"
    }

    /// The coordinate of LV95 eastings and northings in metres.
    static func coordinate(east: Double, north: Double) -> Coordinate {
        let y = (east - 2_600_000) / 1_000_000
        let x = (north - 1_200_000) / 1_000_000
        let longitude =
            2.6779094 + 4.728982 * y + 0.791484 * y * x + 0.1306 * y * x * x - 0.0436 * y * y * y
        let latitude =
            16.9023892 + 3.238272 * x - 0.270978 * y * y - 0.002528 * x * x - 0.0447 * y * y * x
            - 0.0140 * x * x * x
        return Coordinate(latitude: latitude * 100 / 36, longitude: longitude * 100 / 36)
    }
}
