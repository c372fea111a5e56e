import Foundation

/// Coordinates in words: `46° 30' Nord`, `46d30m0s N`, `46.5 с. ш.`, `北緯46度30分`, with figures of any script.
///
/// Words become the letters and signs that `AnglePair` reads; a word that is none leaves the text unread.
enum AngleWords {
    /// Words for directions, without points and blanks.
    private static let directions: [String: Character] = [
        "north": "N", "nord": "N", "norte": "N", "norden": "N", "nbr": "N", "сш": "N", "北緯": "N", "北纬": "N",
        "south": "S", "sud": "S", "süd": "S", "sur": "S", "süden": "S", "sbr": "S", "юш": "S", "南緯": "S",
        "南纬": "S",
        "east": "E", "est": "E", "ost": "E", "este": "E", "osten": "E", "öl": "E", "вд": "E", "東経": "E",
        "东经": "E",
        "west": "W", "ouest": "W", "oeste": "W", "ovest": "W", "westen": "W", "wl": "W", "зд": "W", "西経": "W",
        "西经": "W",
    ]
    /// Words for the parts of an angle.
    private static let units: [String: String] = [
        "degrees": "°", "degree": "°", "deg": "°", "grad": "°", "度": "°", "minutes": "'", "minute": "'",
        "min": "'", "分": "'", "seconds": "\"", "second": "\"", "sec": "\"", "秒": "\"",
    ]
    /// Words before a coordinate.
    private static let labels: Set<String> = [
        "gps", "coordinates", "coordinate", "koordinaten", "coordonnées",
    ]

    /// The text with letters and signs for its words, and with the figures and commas of ASCII.
    static func plain(_ text: String) -> String {
        let text = figures(text)
        // `50 North 100 East` is an address in Utah.
        let isExact = isExact(text)
        var result = ""
        var rest = text[...]
        while let first = rest.first {
            guard first.isLetter else {
                result.append(first)
                rest.removeFirst()
                continue
            }
            // `с. ш.` and `n. Br.` are two words each.
            let two = words(rest, count: 2)
            let one = words(rest, count: 1)
            if isExact, let two, let letter = directions[two.key] {
                result += " \(letter) "
                rest = two.rest
            } else if isExact, let one, let letter = directions[one.key] {
                result += " \(letter) "
                rest = one.rest
            } else if let one, let sign = units[one.key] {
                result += sign
                rest = one.rest
            } else if let one, labels.contains(one.key), result.allSatisfy(\.isWhitespace) {
                rest = one.rest.drop { $0 == ":" }
            } else {
                let word = rest.prefix { $0.isLetter }
                result += word
                rest = rest.dropFirst(word.count)
            }
        }
        return result
    }

    /// Whether a number has decimals, or the sign or the word of a part of an angle.
    private static func isExact(_ text: String) -> Bool {
        if text.contains(where: { "°º˚'′\"″".contains($0) || units[String($0)] != nil }) { return true }
        return text.firstMatch(of: /[0-9][.,][0-9]|[0-9] ?(deg|grad)/) != nil
    }

    /// The first words of a text, joined without their points, and what is behind them.
    private static func words(_ text: Substring, count: Int) -> (key: String, rest: Substring)? {
        var key = ""
        var rest = text
        for number in 0..<count {
            if number > 0 { rest = rest.drop { $0 == " " } }
            let word = rest.prefix { $0.isLetter }
            // Han characters are not parted by blanks.
            let length = word.first.map(isHan) ?? false ? min(word.count, hanLength(word)) : word.count
            guard length > 0 else { return nil }
            key += word.prefix(length).lowercased()
            rest = rest.dropFirst(length)
            if rest.first == "." { rest.removeFirst() }
        }
        return (key, rest)
    }

    private static func hanLength(_ word: Substring) -> Int {
        units[String(word.prefix(1))] == nil ? 2 : 1
    }

    private static func isHan(_ character: Character) -> Bool {
        character.unicodeScalars.first.map { (0x4E00...0x9FFF).contains($0.value) } ?? false
    }

    /// The figures of other scripts and their signs as those of ASCII; a dash before a figure that begins a number is a minus.
    private static func figures(_ text: String) -> String {
        var result = ""
        for (index, character) in zip(text.indices, text) {
            let next = text.index(after: index)
            let isBeforeFigure = next < text.endIndex && text[next].isNumber
            if let scalar = character.unicodeScalars.first, scalar.value > 0x7F,
                scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue
            {
                result += "\(Int(value))"
            } else if character == "٫" {
                result.append(".")
            } else if character == "،" {
                result.append(",")
            } else if character == "–", isBeforeFigure, result.last.map({ " ,;/(".contains($0) }) ?? true {
                result.append("-")
            } else {
                result.append(character)
            }
        }
        return result
    }
}
