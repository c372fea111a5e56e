import CivilTime
import Geodesy
import PluginKit

/// Reads the words that start with a digit or a sign: numbers, quantities, coordinates, boxes and times.
///
/// Pure functions over text. Errors have no location; the caller adds it.
enum LiteralParser {
    /// A literal's meaning: a value, or a time that needs the session's zone and day.
    enum Result: Sendable {
        case value(Value)
        case localTime(LocalTime)
    }

    /// Reads a whole word.
    static func parse(_ word: String) throws(RutterError) -> Result {
        if let time = try time(word) { return time }
        if word.utf8.count > longestLiteral {
            throw LanguageErrors.literal("the word is too long for a number", fix: "quote text")
        }
        let parts = word.split(separator: ",", omittingEmptySubsequences: false)
        if parts.count > 1, parts.last?.isEmpty == true {
            throw LanguageErrors.literal(
                "`\(word)` ends with a comma", fix: "a coordinate is one word without spaces: 46.5012,7.9876")
        }
        switch parts.count {
        case 1: return .value(try single(word))
        case 2, 3: return .value(.coordinate(try coordinate(parts.map(String.init), word: word)))
        case 4: return .value(.box(try box(parts.map(String.init), word: word)))
        default: throw LanguageErrors.literal("`\(word)` has too many commas", fix: listHint)
        }
    }

    /// Longest literal that is parsed.
    private static let longestLiteral = 400

    private static let listHint = "separate the items of a list by spaces: [1 2 3]"

    // MARK: Numbers and quantities

    /// A number or a quantity.
    static func single(_ word: String) throws(RutterError) -> Value {
        let bytes = Array(word.utf8)
        guard let number = WrittenNumber(bytes) else {
            throw LanguageErrors.literal("`\(word)` is not a number", fix: "quote text: '\(word)'")
        }
        guard number.amount.isFinite else { throw tooLarge(word) }
        guard !number.vanishes else {
            throw LanguageErrors.literal("`\(word)` is too small", fix: "write 0, or a number above 4.9e-324")
        }
        if number.end == bytes.count {
            if let exact = ExactNumber(word.filter { $0 != "_" && $0 != "+" }) { return .object(exact) }
            if number.whole == nil, bytes.allSatisfy({ NumberScanner.isDigit($0) || "+-_".utf8.contains($0) })
            {
                throw LanguageErrors.literal(
                    "`\(word)` does not fit into 64 bits", fix: "write it with about 15 digits: \(word).0")
            }
            return number.value
        }
        let symbol = String(decoding: bytes[number.end...], as: UTF8.self)
        if let quantity = Quantity(written: bytes, startingWith: number) { return .quantity(quantity) }
        if MeasureUnit.named(symbol) != nil { throw tooLarge(word) }
        if symbol.hasPrefix("-") && number.whole != nil {
            throw LanguageErrors.literal(
                "`\(word)` is not a date", fix: "write 2026-02-06; a subtraction has spaces around its sign")
        }
        if symbol.hasPrefix(":") {
            throw LanguageErrors.literal(
                "`\(word)` is not a time of day",
                fix: symbol.contains("/")
                    ? "write a pace as 5:30/km or 8:51/mi" : "write two digits each: 08:15")
        }
        if let fix = compoundFix(word) {
            throw LanguageErrors.literal("`\(word)` is not a quantity", fix: fix)
        }
        let letters = String(symbol.prefix { $0.isLetter || $0 == "/" || $0 == "%" })
        if letters.isEmpty || letters != symbol {
            throw LanguageErrors.literal("`\(word)` is not a number", fix: "quote text: '\(word)'")
        }
        let nearest = Suggestion.nearest(to: symbol, in: MeasureUnit.all.map(\.symbol))
        throw LanguageErrors.unknownUnit(
            "`\(symbol)` is not a unit",
            fix: nearest == nil ? "quote text: '\(word)'" : nil, suggestion: nearest)
    }

    private static func tooLarge(_ word: String) -> RutterError {
        LanguageErrors.literal("`\(word)` is too large", fix: "numbers go up to about 1.8e308")
    }

    /// What to write instead of a compound with another unit than duration's: `1h30`, `5h30m`, `1km500m`.
    private static func compoundFix(_ word: String) -> String? {
        let pieces = word.split { !$0.isLetter }.map(String.init)
        guard let first = pieces.first, let unit = MeasureUnit.named(first), pieces.count <= 2,
            word.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." })
        else { return nil }
        guard unit.dimension == .duration else {
            guard pieces.count == 2, MeasureUnit.named(pieces[1])?.dimension == unit.dimension else {
                return nil
            }
            return "add the two: " + word.replacingOccurrences(of: first, with: first + " + ")
        }
        let numbers = word.split { $0.isLetter }.map(String.init)
        guard numbers.count == 2, first == "h" else { return nil }
        return "minutes are `min`: \(numbers[0])h\(numbers[1])min"
    }

    // MARK: Coordinates

    private static func coordinate(_ parts: [String], word: String) throws(RutterError) -> Coordinate {
        let latitude = try degrees(parts[0], positive: "N", negative: "S", word: word)
        let longitude = try degrees(parts[1], positive: "E", negative: "W", word: word)
        var altitude: Double?
        if parts.count == 3 {
            guard case .quantity(let height) = try single(parts[2]), height.dimension == .length else {
                throw LanguageErrors.coordinate(
                    "`\(parts[2])` is not an altitude",
                    fix: "write it as a length, such as 1250m; \(listHint)")
            }
            altitude = height.value
        }
        let place = Coordinate(latitude: latitude, longitude: longitude, altitude: altitude)
        try check(place)
        return place
    }

    /// Throws `E-COORDINATE` for a coordinate out of range, with a hint if the two numbers were swapped.
    static func check(_ coordinate: Coordinate) throws(RutterError) {
        if coordinate.isValid { return }
        if abs(coordinate.latitude) > 90 {
            let swapped = Coordinate(latitude: coordinate.longitude, longitude: coordinate.latitude)
            throw LanguageErrors.coordinate(
                "latitude \(Literal.number(coordinate.latitude)) is outside -90…90",
                fix: swapped.isValid
                    ? "latitude comes first; were the two swapped? \(Literal.coordinate(swapped))" : nil)
        }
        throw LanguageErrors.coordinate(
            "longitude \(Literal.number(coordinate.longitude)) is outside -180…180")
    }

    private static func box(_ parts: [String], word: String) throws(RutterError) -> BoundingBox {
        var edges: [Double] = []
        for (index, part) in parts.enumerated() {
            let letters = index % 2 == 0 ? ("N", "S") : ("E", "W")
            edges.append(try degrees(part, positive: letters.0, negative: letters.1, word: word))
        }
        for latitude in [edges[0], edges[2]] where abs(latitude) > 90 {
            throw LanguageErrors.coordinate(
                "latitude \(Literal.number(latitude)) is outside -90…90",
                fix: "a box is south,west,north,east; were latitude and longitude swapped?")
        }
        try check(Coordinate(latitude: edges[0], longitude: edges[1]))
        try check(Coordinate(latitude: edges[2], longitude: edges[3]))
        if edges[0] > edges[2] {
            throw LanguageErrors.coordinate(
                "the box's south \(parts[0]) is north of its north \(parts[2])",
                fix: "a box is south,west,north,east")
        }
        return BoundingBox(south: edges[0], west: edges[1], north: edges[2], east: edges[3])
    }

    private static func degrees(
        _ part: String, positive: String, negative: String, word: String
    ) throws(RutterError) -> Double {
        let bytes = Array(part.utf8)
        guard let number = WrittenNumber(bytes) else {
            throw LanguageErrors.literal("`\(word)` is neither a coordinate nor a box", fix: listHint)
        }
        let letter = String(decoding: bytes[number.end...], as: UTF8.self)
        switch letter {
        case "", "deg": return number.amount
        case positive, negative:
            guard !part.hasPrefix("-"), !part.hasPrefix("+") else {
                throw LanguageErrors.literal(
                    "`\(part)` has both a sign and a letter", fix: "write -46.5 or 46.5\(negative)")
            }
            return letter == positive ? number.amount : -number.amount
        default:
            throw LanguageErrors.literal(
                "`\(part)` in `\(word)` is not an angle",
                fix: "write degrees, such as 46.5012 or 46.5\(positive)"
            )
        }
    }

    // MARK: Times

    private static func time(_ word: String) throws(RutterError) -> Result? {
        let bytes = Array(word.utf8.prefix(11))
        if bytes.count >= 5, bytes[2] == UInt8(ascii: ":"), NumberScanner.isDigit(bytes[0]),
            !word.contains("/")
        {
            guard let milliseconds = ISO8601.timeOfDay(word) else {
                throw LanguageErrors.literal("`\(word)` is not a time of day", fix: "write 08:15 or 08:15:30")
            }
            return .localTime(.timeOfDay(milliseconds))
        }
        guard NumberScanner.looksLikeDate(bytes) else { return nil }
        guard let parts = ISO8601.parts(word) else {
            throw LanguageErrors.literal(
                "`\(word)` is not a calendar date", fix: "write 2026-02-06 or 2026-02-06T08:15")
        }
        let days = parts.date.daysSinceEpoch
        guard let milliseconds = parts.millisecondsOfDay else {
            return .localTime(.dateTime(days: days, milliseconds: 0))
        }
        guard let offset = parts.offsetSeconds else {
            return .localTime(.dateTime(days: days, milliseconds: milliseconds))
        }
        var moment = Timestamp(milliseconds: Int64(days * 86_400 - offset) * 1000 + Int64(milliseconds))
        moment.nanoseconds = parts.nanoseconds
        return .value(.date(moment))
    }
}
