import Foundation

/// UTM and MGRS on WGS 84.
enum GridReference {
    static let bands = Array("CDEFGHJKLMNPQRSTUVWX")
    static let columns = ["ABCDEFGH", "JKLMNPQR", "STUVWXYZ"].map(Array.init)
    static let rows = Array("ABCDEFGHJKLMNPQRSTUV")

    /// `32T 412345 5201234`, `32TMT 12345 67890`; `nil` for anything else.
    static func read(_ text: String) -> CoordinateText.Reading? {
        let plain = withoutName(text.uppercased())
        let zoneText = plain.prefix { $0.isASCII && $0.isNumber }
        guard (1...2).contains(zoneText.count), let zone = Int(zoneText), (1...60).contains(zone) else {
            return nil
        }
        var rest = plain.dropFirst(zoneText.count).drop { $0 == " " }
        guard let letter = rest.first, let band = bands.firstIndex(of: letter) else { return nil }
        rest = rest.dropFirst()
        let letters = rest.drop { $0 == " " }
        let square = letters.prefix { $0.isLetter }
        if square.count == 2 { return mgrs(zone, band, Array(square), letters.dropFirst(2)) }
        return utm(zone, band, rest)
    }

    /// Words that people write before a reference.
    private static let names = ["UTM ZONE ", "UTM: ", "UTM ", "MGRS: ", "MGRS ", "ZONE "]

    private static func withoutName(_ text: String) -> Substring {
        names.first { text.hasPrefix($0) }.map { text.dropFirst($0.count).drop { $0 == " " } } ?? text[...]
    }

    private static func utm(_ zone: Int, _ band: Int, _ text: Substring) -> CoordinateText.Reading? {
        var plain = String(text)
        for mark in ["ME", "MN", "E", "N", "M", "'"] { plain = plain.replacing(mark, with: "") }
        let parts = plain.split { $0 == " " || $0 == "," }
        guard parts.count == 2, let east = Double(parts[0]), let north = Double(parts[1]),
            (100_000...900_000).contains(east), (0...10_000_000).contains(north)
        else { return nil }
        if isIn(band, north) { return reading(zone, band, east, north, .utm) }
        // Many write the hemisphere, N or S, in place of the band; a northing that the band has is that of the band.
        switch bands[band] {
        case "N": return reading(zone, equator, east, north, .utm)
        case "S": return reading(zone, equator - 1, east, north, .utm)
        default: return nil
        }
    }

    /// The first band north of the equator.
    private static let equator = 10
    /// Metres by which a northing may be beyond its band: bands of neighbours are often written near their border.
    private static let bandMargin = 100_000.0

    /// Whether a northing is in a band, or near it.
    private static func isIn(_ band: Int, _ north: Double) -> Bool {
        let highest = band + 1 < bands.count ? lowest(band + 1) + 2 * bandMargin : .infinity
        let top = band == equator - 1 ? 10_000_000 : highest
        return (lowest(band) - bandMargin...top + bandMargin).contains(north)
    }

    private static func mgrs(
        _ zone: Int, _ band: Int, _ square: [Character], _ text: Substring
    ) -> CoordinateText.Reading? {
        let digits = text.filter { $0 != " " }
        guard digits.count % 2 == 0, digits.count <= 10, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let column = columns[(zone - 1) % 3].firstIndex(of: square[0]),
            let row = rows.firstIndex(of: square[1])
        else { return nil }
        let half = digits.count / 2
        let unit = pow(10, Double(5 - half))
        // The centre of the square of the given precision.
        let east = Double(column + 1) * 100_000 + ((Double(digits.prefix(half)) ?? 0) + 0.5) * unit
        let within = ((Double(digits.suffix(half)) ?? 0) + 0.5) * unit
        // Rows repeat every 2,000 km, and begin at F in even zones.
        let first = zone % 2 == 0 ? (row + 15) % 20 : row
        var north = Double(first) * 100_000 + within
        let south = lowest(band)
        while north < south { north += 2_000_000 }
        guard north < 10_000_000 else { return nil }
        return reading(zone, band, east, north, .mgrs)
    }

    /// The northing of a 100 km line at or below the south of a band, in metres.
    private static func lowest(_ band: Int) -> Double {
        let latitude = Double(band) * 8 - 80
        let length = latitude * 110_500 * 0.9996
        let north = band < 10 ? 10_000_000 + length * 1.0045 : length
        return (north / 100_000).rounded(.down) * 100_000 - 100_000
    }

    /// A coordinate in UTM, rounded to metres: `32T 461987 5205285`. `nil` beyond 84°N and 80°S.
    static func utm(_ coordinate: Coordinate) -> String? {
        guard let zone = UTMZone(of: coordinate) else { return nil }
        let grid = zone.position(of: coordinate)
        return "\(zone.name) \(Int(grid.east.rounded())) \(Int(grid.north.rounded()))"
    }

    /// The square of a metre around a coordinate in MGRS: `32TMT 61987 05285`. `nil` beyond 84°N and 80°S.
    static func mgrs(_ coordinate: Coordinate) -> String? {
        guard let zone = UTMZone(of: coordinate) else { return nil }
        let grid = zone.position(of: coordinate)
        guard let square = zone.square(east: grid.east, north: grid.north) else { return nil }
        let digits = [Int(grid.east), Int(grid.north)]
            .map { String(100_000 + $0 % 100_000).dropFirst() }.joined(separator: " ")
        return "\(zone.name)\(square) \(digits)"
    }

    private static func reading(
        _ zone: Int, _ band: Int, _ east: Double, _ north: Double, _ notation: CoordinateText.Notation
    ) -> CoordinateText.Reading? {
        let coordinate = TransverseMercator.utm.coordinate(
            east: east - 500_000, north: band < 10 ? north - 10_000_000 : north,
            meridian: Double(zone) * 6 - 183)
        return CoordinateText.reading(coordinate.latitude, Angle.longitude(coordinate.longitude), notation)
    }
}
