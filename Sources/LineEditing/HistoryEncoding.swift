/// The encoding of an entry in the history file: one line, with a newline written `\n` and a backslash `\\`.
enum HistoryEncoding {
    static func encode(_ entry: String) -> String {
        var result = ""
        for scalar in entry.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\0": continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    static func decode(_ line: some StringProtocol) -> String {
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in line.unicodeScalars {
            if isEscaped {
                isEscaped = false
                switch scalar {
                case "n": result.append("\n")
                case "r": result.append("\r")
                default: result.append(scalar)
                }
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Whether an entry is kept: not if it is empty or begins with a space.
    static func isKept(_ entry: String) -> Bool {
        guard let first = entry.unicodeScalars.first, first != " " else { return false }
        return !entry.allSatisfy(\.isWhitespace)
    }
}
