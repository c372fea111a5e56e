import Core
import Foundation

/// The character that shows the dots of a cell.
enum DotCharacters {
    static func braille(_ dots: UInt8) -> Character {
        guard dots != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(dots)) else { return " " }
        return Character(scalar)
    }

    /// The ASCII character nearest in shape. The rules follow how a thin line crosses a cell.
    static func ascii(_ dots: UInt8) -> Character {
        let left = (0..<4).filter { dots & DotGrid.bit(x: 0, y: $0) != 0 }
        let right = (0..<4).filter { dots & DotGrid.bit(x: 1, y: $0) != 0 }
        let all = left + right
        guard let top = all.min(), let bottom = all.max() else { return " " }
        if all.count >= 7 { return "#" }
        let isOneColumn = left.isEmpty || right.isEmpty
        switch bottom - top {
        case 0: return flat(row: top, isSingle: isOneColumn)
        case 1: return isOneColumn ? upright(top) : all.count == 4 ? "=" : top == 2 ? "_" : "-"
        default: return isOneColumn ? "|" : slanted(left, right)
        }
    }

    private static func flat(row: Int, isSingle: Bool) -> Character {
        if isSingle { return row < 2 ? "'" : "." }
        return row == 3 ? "_" : "-"
    }

    private static func upright(_ top: Int) -> Character {
        top == 0 ? "'" : top == 2 ? "." : "|"
    }

    private static func slanted(_ left: [Int], _ right: [Int]) -> Character {
        let slope = mean(left) - mean(right)
        if slope > 0.6 { return "/" }
        if slope < -0.6 { return "\\" }
        return left.count + right.count >= 6 ? "#" : "+"
    }

    private static func mean(_ rows: [Int]) -> Double {
        Double(rows.reduce(0, +)) / Double(max(1, rows.count))
    }
}

/// Text in ASCII.
enum PlainText {
    /// The text without accents; a character without an ASCII form becomes one `?` per cell.
    static func of(_ text: String) -> String {
        var result = ""
        for character in text {
            if character.isASCII {
                result.append(character)
            } else if let spelled = spellings[character] {
                result += spelled
            } else {
                result += folded(character)
            }
        }
        return result
    }

    private static func folded(_ character: Character) -> String {
        let base = String(character).decomposedStringWithCanonicalMapping.unicodeScalars.filter(\.isASCII)
        if !base.isEmpty { return String(String.UnicodeScalarView(base)) }
        return String(repeating: "?", count: DisplayWidth.of(character))
    }

    private static let spellings: [Character: String] = [
        "ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "AE",
        "œ": "oe",
        "Œ": "OE", "ı": "i", "þ": "th", "Þ": "Th", "ð": "d", "Ð": "D", "°": "", "–": "-", "—": "-", "−": "-",
        "‘": "'", "’": "'", "“": "\"", "”": "\"", "…": "...", "·": ".", "×": "x", "→": "->", "←": "<-",
        "©": "(c)",
        "²": "2", "³": "3", "½": "1/2", "≈": "~", "≤": "<=", "≥": ">=", "\u{A0}": " ",
    ]
}
