/// Two angles, each in degrees or degrees with minutes and seconds, with or without N, S, E, W, or O, which has two meanings.
enum AnglePair {
    private enum Mark {
        case degree, minute, second
    }

    private enum Piece: Equatable {
        case number(Double, hasSign: Bool, mark: Mark?)
        case comma
        case direction(Character)

        var isDirection: Bool { if case .direction = self { true } else { false } }
    }

    /// The parts of one angle.
    private struct Group {
        var numbers: [Double] = []
        var isNegative = false
        var letter: Character?

        /// Degrees; `nil` unless the parts after the first are below 60 and only the last has a fraction. Seconds may be 60: programs
        /// write a rounded 59.999… so.
        var degrees: Double? {
            guard (1...3).contains(numbers.count),
                numbers.dropFirst().allSatisfy({ $0 >= 0 && ($0 < 60 || numbers.count == 3 && $0 == 60) }),
                numbers.count < 3 || numbers[1] < 60,
                numbers.dropLast().allSatisfy({ $0 == $0.rounded() })
            else { return nil }
            let sum = zip(numbers, [1.0, 60, 3600]).reduce(0) { $0 + abs($1.0) / $1.1 }
            return isNegative != (letter == "S" || letter == "W" || letter == "O") ? -sum : sum
        }
    }

    static func read(_ text: String) -> CoordinateText.Reading? {
        let plain = AngleWords.plain(text)
        guard let pieces = pieces(of: withDecimalPoints(withoutHyphens(plain))), var groups = groups(pieces),
            groups.count == 2
        else { return nil }
        func isLatitude(_ group: Group) -> Bool? { group.letter.map { $0 == "N" || $0 == "S" } }
        if isLatitude(groups[0]) == false { groups.swapAt(0, 1) }
        let known = groups.map(isLatitude)
        // `-46.5S` says two things.
        guard !groups.contains(where: { $0.isNegative && $0.letter != nil }) else { return nil }
        guard known == [true, false] || known == [nil, nil], let latitude = groups[0].degrees,
            let longitude = groups[1].degrees
        else { return nil }
        if groups[1].letter == "O" {
            // East in German and Dutch, west in French, Italian, Portuguese and Spanish.
            let west = Coordinate(latitude: latitude, longitude: longitude)
            return west.isValid
                ? .eastOrWest(east: Coordinate(latitude: latitude, longitude: -longitude), west: west) : nil
        }
        let hasMinutes = groups.contains { $0.numbers.count > 1 }
        return CoordinateText.reading(latitude, longitude, hasMinutes ? .sexagesimal : .decimal)
    }

    /// Replaces the hyphens of `47-08-27N 009-31-15E`, and colons, by blanks; without letters they may be signs, or times.
    private static func withoutHyphens(_ text: String) -> String {
        let letters = text.uppercased()
        guard letters.contains(where: { "NS".contains($0) }), letters.contains(where: { "EWO".contains($0) })
        else { return text }
        let characters = Array(text)
        return String(
            characters.indices.map { index in
                let isBetween =
                    index > 0 && index + 1 < characters.count && characters[index - 1].isNumber
                    && characters[index + 1].isNumber
                return "-:".contains(characters[index]) && isBetween ? " " : characters[index]
            })
    }

    /// Replaces decimal commas by points, as in `46,5; 7,9`, if something else separates the numbers, such as a comma with a blank
    /// in `46,5, 7,9`.
    private static func withDecimalPoints(_ text: String) -> String {
        let characters = Array(text)
        let all = characters.indices.filter { characters[$0] == "," }
        let spaced = all.filter { $0 + 1 < characters.count && characters[$0 + 1].isWhitespace }
        let commas = spaced.count == 1 ? all.filter { $0 != spaced[0] } : all
        let areWithin = commas.allSatisfy { index in
            index > 0 && index + 1 < characters.count && characters[index - 1].isNumber
                && characters[index + 1].isNumber
        }
        guard commas.count == 2, areWithin,
            characters[commas[0]...commas[1]].contains(where: { " ;/".contains($0) })
        else { return text }
        return String(
            characters.indices.map { commas.contains($0) ? "." : characters[$0] } as [Character])
    }

    private static func pieces(of text: String) -> [Piece]? {
        var pieces: [Piece] = []
        var rest = text[...]
        // In `46d30m15s` the s is one of seconds.
        var hasLetters = false
        func mark(_ mark: Mark) -> Bool {
            guard case .number(let value, let hasSign, let old)? = pieces.last else { return false }
            // Two single primes are a double one.
            let mark = old == .minute && mark == .minute ? .second : mark
            pieces[pieces.count - 1] = .number(value, hasSign: hasSign, mark: mark)
            return true
        }
        while let character = rest.first {
            if character.isASCII && character.isNumber || "+-−.".contains(character) {
                let number = rest.prefix { $0.isASCII && $0.isNumber || "+-−.".contains($0) }
                rest = rest.dropFirst(number.count)
                let plain = number.replacing("−", with: "-")
                guard let value = Double(plain), value.isFinite else { return nil }
                let hasSign = plain.hasPrefix("-") || plain.hasPrefix("+")
                pieces.append(.number(value, hasSign: hasSign, mark: nil))
                continue
            }
            rest = rest.dropFirst()
            switch character {
            case _ where character.isWhitespace: continue
            case ",", ";", "/": pieces.append(.comma)
            case "d":
                if !mark(.degree) { return nil }
                hasLetters = true
            case "°", "º", "˚": if !mark(.degree) { return nil }
            case "'", "′", "’", "‘", "´", "m": if !mark(.minute) { return nil }
            case "s" where hasLetters && isUnmarkedNumber(pieces.last): if !mark(.second) { return nil }
            case "\"", "″", "”", "“": if !mark(.second) { return nil }
            case "N", "S", "E", "W", "O", "n", "s", "e", "w", "o":
                pieces.append(.direction(Character(character.uppercased())))
            default: return nil
            }
        }
        return pieces
    }

    private static func isUnmarkedNumber(_ piece: Piece?) -> Bool {
        if case .number(_, _, nil)? = piece { true } else { false }
    }

    private static func groups(_ pieces: [Piece]) -> [Group]? {
        let numbers = pieces.count { if case .number = $0 { true } else { false } }
        let hasSigns = pieces.contains {
            if case .number(_, _, let mark) = $0 { mark == .degree } else { $0 == .comma || $0.isDirection }
        }
        // Without letters the numbers are divided evenly.
        let each = hasSigns ? nil : numbers / 2
        if let each, numbers != 2 * each { return nil }
        let lettersFirst = pieces.first?.isDirection ?? false
        var groups: [Group] = []
        var group = Group()
        func close() {
            if !group.numbers.isEmpty || group.letter != nil { groups.append(group) }
            group = Group()
        }
        for piece in pieces {
            switch piece {
            case .number(let value, let hasSign, let mark):
                if !group.numbers.isEmpty, hasSign || mark == .degree || group.numbers.count == each {
                    close()
                }
                if group.numbers.isEmpty { group.isNegative = value < 0 || hasSign && value.sign == .minus }
                group.numbers.append(value)
            case .comma: close()
            case .direction(let letter):
                if lettersFirst { close() }
                guard group.letter == nil, lettersFirst || !group.numbers.isEmpty else { return nil }
                group.letter = letter
                if !lettersFirst { close() }
            }
        }
        close()
        return groups
    }
}
