import Foundation

/// Open Location Code: a grid of the world in letters (specification: github.com/google/open-location-code).
public enum PlusCode {
    private static let letters = Array("23456789CFGHJMPQRVWX")
    /// The index of the plus sign in a full code.
    private static let separator = 8

    static func read(_ text: String) -> CoordinateText.Reading? {
        let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "," }
        guard let first = parts.first else { return nil }
        let code = first.uppercased()
        guard let plus = code.firstIndex(of: "+"), isCode(code) else { return nil }
        let before = code.distance(from: code.startIndex, to: plus)
        if before == separator {
            return parts.count == 1 ? decode(code).map { .coordinate($0, .plusCode) } : nil
        }
        let locality = parts.count > 1 ? parts[1].drop { $0 == " " || $0 == "," } : ""
        return before == 0 ? nil : .shortPlusCode(code, locality: String(locality))
    }

    /// Whether a text has the form of a code, full or short.
    private static func isCode(_ code: String) -> Bool {
        let parts = code.split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count <= separator, parts[0].count % 2 == 0, parts[1].count != 1,
            parts[1].count <= 7
        else { return false }
        let padding = parts[0].drop { $0 != "0" }
        guard padding.allSatisfy({ $0 == "0" }), padding.isEmpty || parts[1].isEmpty, padding.count % 2 == 0,
            padding.count < parts[0].count
        else { return false }
        if parts[0].count < separator, !padding.isEmpty || parts[1].isEmpty { return false }
        return (parts[0].prefix(parts[0].count - padding.count) + parts[1]).allSatisfy(letters.contains)
    }

    /// The centre of a full code's cell.
    static func decode(_ code: String) -> Coordinate? {
        let digits = code.filter { $0 != "+" && $0 != "0" }.compactMap { letters.firstIndex(of: $0) }
        guard digits.count >= 2 else { return nil }
        // The first two pairs of letters must be within the world.
        guard digits[0] < 9, digits[1] < 18 else { return nil }
        var (latitude, longitude) = (-90.0, -180.0)
        var (height, width) = (400.0, 400.0)
        for (index, digit) in digits.prefix(10).enumerated() {
            if index % 2 == 0 {
                height /= 20
                latitude += Double(digit) * height
            } else {
                width /= 20
                longitude += Double(digit) * width
            }
        }
        for digit in digits.dropFirst(10) {
            (height, width) = (height / 5, width / 4)
            latitude += Double(digit / 4) * height
            longitude += Double(digit % 4) * width
        }
        return Coordinate(latitude: min(90, latitude + height / 2), longitude: longitude + width / 2)
    }

    /// The code of ten letters around a coordinate.
    static func encode(_ coordinate: Coordinate) -> String {
        // In cells of 1/8000 degree: integers, so that nothing is rounded twice.
        var latitude = Int(((min(89.999_875, coordinate.latitude) + 90) * 8000).rounded(.down))
        var longitude = Int(((coordinate.longitude + 180) * 8000).rounded(.down)) % (360 * 8000)
        var code: [Character] = []
        for _ in 0..<5 {
            code.insert(letters[longitude % 20], at: 0)
            code.insert(letters[latitude % 20], at: 0)
            (latitude, longitude) = (latitude / 20, longitude / 20)
        }
        code.insert("+", at: separator)
        return String(code)
    }

    /// The coordinate of a short code nearest to a location: the missing letters are those of the location,
    /// or of an adjacent cell.
    public static func recover(_ code: String, near coordinate: Coordinate) -> Coordinate? {
        guard coordinate.isValid, let plus = code.firstIndex(of: "+") else { return nil }
        let missing = separator - code.distance(from: code.startIndex, to: plus)
        guard missing > 0, missing % 2 == 0 else { return nil }
        guard let found = decode(String(encode(coordinate).prefix(missing)) + code) else { return nil }
        let cell = 400 / pow(20, Double(missing / 2))
        var (latitude, longitude) = (found.latitude, found.longitude)
        if coordinate.latitude + cell / 2 < latitude, latitude - cell >= -90 {
            latitude -= cell
        } else if coordinate.latitude - cell / 2 > latitude, latitude + cell <= 90 {
            latitude += cell
        }
        if coordinate.longitude + cell / 2 < longitude {
            longitude -= cell
        } else if coordinate.longitude - cell / 2 > longitude {
            longitude += cell
        }
        return Coordinate(latitude: latitude, longitude: Angle.longitude(longitude))
    }
}
