/// Cuts the text of `opening_hours` into groups, rules and words.
enum OpeningHoursWords {
    /// Small letters, plain dashes, no spaces around dashes and within brackets, except in comments.
    static func plain(_ text: String) -> String {
        var (out, isComment, depth) = ("", false, 0)
        for letter in text.lowercased() {
            if letter == "\"" { isComment.toggle() }
            if isComment {
                out.append(letter)
                continue
            }
            if letter == "(" || letter == "[" { depth += 1 }
            if letter == ")" || letter == "]" { depth -= 1 }
            switch letter {
            case "–", "—", "−": out.append("-")
            case " " where depth > 0: continue
            default: out.append(letter)
            }
        }
        // Of `easter - 2 days` and `mar 1 - oct 31` only the latter is a range.
        return isComment ? out : out.replacing(" - ", with: "-").replacing("- ", with: "-")
    }

    /// The parts between separators that are not in a comment.
    static func split(_ text: String, at separator: String) -> [String] {
        var (parts, isComment) = ([""], false)
        var rest = text[...]
        while let letter = rest.first {
            if letter == "\"" { isComment.toggle() }
            if !isComment, rest.hasPrefix(separator) {
                parts.append("")
                rest = rest.dropFirst(separator.count)
            } else {
                parts[parts.count - 1].append(letter)
                rest = rest.dropFirst()
            }
        }
        return parts
    }

    struct Word {
        var text: String
        /// Whether a comma, not only a space, stands before it.
        var isListed: Bool
    }

    /// The words between spaces and commas, except for commas in brackets; a comment is one word.
    static func words(_ text: String) -> [Word] {
        var words: [Word] = []
        var (word, isListed, depth, isComment) = ("", false, 0, false)
        func close() {
            guard !word.isEmpty else { return }
            let isLabel = word.hasSuffix(":") && !word.hasPrefix("\"")
            words.append(Word(text: isLabel ? String(word.dropLast()) : word, isListed: isListed))
            (word, isListed) = ("", false)
        }
        for letter in text {
            if letter == "\"" {
                if !isComment { close() }
                isComment.toggle()
                word.append(letter)
                if !isComment { close() }
                continue
            }
            if isComment {
                word.append(letter)
                continue
            }
            if letter == "[" || letter == "(" { depth += 1 }
            if letter == "]" || letter == ")" { depth -= 1 }
            if depth == 0, letter == "," || letter.isWhitespace {
                close()
                if letter == "," { isListed = true }
            } else {
                word.append(letter)
            }
        }
        close()
        return words
    }
}
