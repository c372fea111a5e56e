/// Times with a day in other notations than ISO 8601, as programs write them for people: `2026 6 6 8:00:00`, `6-Jun-2026 08:00:00 PM`,
/// `Sat, 06 Jun 2026 08:00:00 GMT`, `Sat Jun 06 08:00:00 CEST 2026`, `20260606T080000Z`, and the midnight `24:00:00` of ISO 8601.
///
/// Dates of three numbers are read with the year first; where day and month could be exchanged, nothing is.
package enum TimeNotation {
    /// Reads a time; without a zone it is UTC. `nil` for anything else.
    package static func read(_ text: String) -> (time: Timestamp, hasZone: Bool)? {
        guard text.utf8.count <= longest else { return nil }
        var rest = tokens(withColons(withoutZoneName(text)))[...]
        var day = takeDay(&rest)
        rest = rest.drop { $0 == .sign("T") || $0 == .word("t") || $0.isBlank }
        guard let clock = takeClock(&rest) else { return nil }
        let half = takeHalf(&rest)
        let zone = takeZone(&rest)
        // The C library writes the year last.
        if day.year == nil, case .number(let year)? = rest.drop(while: \.isBlank).first, year.count == 4 {
            day.year = Int(year)
            rest = rest.drop(while: \.isBlank).dropFirst()
        }
        guard rest.allSatisfy(\.isBlank), let date = day.date, let seconds = clock.seconds(half) else {
            return nil
        }
        if case .unknown = zone { return nil }
        var offset: Int?
        if case .offset(let known) = zone { offset = known }
        let moment = Int64(date.daysSinceEpoch) * 86_400 + Int64(seconds - (offset ?? 0))
        return (Timestamp(milliseconds: moment * 1000 + Int64(clock.milliseconds)), offset != nil)
    }

    /// Bytes of the longest notation.
    private static let longest = 60

    /// The text without the name of a zone in brackets behind an offset (RFC 9557), which says the same.
    private static func withoutZoneName(_ text: String) -> String {
        guard text.hasSuffix("]"), let open = text.firstIndex(of: "[") else { return text }
        let head = String(text[..<open])
        let hasOffset = head.hasSuffix("Z") || head.suffix(6).contains { $0 == "+" || $0 == "-" }
        return hasOffset ? head : text
    }

    /// A time of day written with points behind a `T`, as in `T08.00.00`, with colons.
    private static func withColons(_ text: String) -> String {
        guard let mark = text.firstIndex(of: "T") else { return text }
        let clock = text[text.index(after: mark)...]
        let digits = Array(clock.prefix(8))
        guard digits.count == 8, digits[2] == ".", digits[5] == ".",
            [0, 1, 3, 4, 6, 7].allSatisfy({ digits[$0].isASCII && digits[$0].isNumber })
        else { return text }
        return "\(text[...mark])\(clock.prefix(8).replacing(".", with: ":"))\(clock.dropFirst(8))"
    }

    // MARK: Tokens

    private enum Token: Equatable {
        case number(String)
        case word(String)
        case sign(Character)

        var isBlank: Bool { self == .sign(" ") || self == .sign("\t") || self == .sign(",") }
    }

    private static func tokens(_ text: String) -> [Token] {
        var found: [Token] = []
        for character in text {
            if character.isASCII, character.isNumber {
                if case .number(let digits)? = found.last {
                    found[found.count - 1] = .number(digits + String(character))
                } else {
                    found.append(.number(String(character)))
                }
            } else if character.isLetter {
                let letter = character.lowercased()
                if case .word(let letters)? = found.last {
                    found[found.count - 1] = .word(letters + letter)
                } else {
                    found.append(.word(letter))
                }
            } else {
                found.append(.sign(character))
            }
        }
        return found
    }

    // MARK: The day

    private struct Day {
        var year: Int?
        var month: Int?
        var day: Int?

        var date: CivilDate? {
            guard let year, let month, let day else { return nil }
            return CivilDate(year: year, month: month, day: day)
        }
    }

    /// Takes the tokens up to the clock: the last number before a colon is its hour.
    private static func takeDay(_ rest: inout ArraySlice<Token>) -> Day {
        if case .number(let digits)? = rest.first, digits.count == 8 {
            rest.removeFirst()
            return Day(
                year: Int(digits.prefix(4)), month: Int(digits.dropFirst(4).prefix(2)),
                day: Int(digits.suffix(2)))
        }
        let colon = rest.firstIndex(of: .sign(":")) ?? rest.endIndex
        let head = rest[..<colon].dropLast()
        rest = rest[head.endIndex...]
        var numbers: [String] = []
        var month: Int?
        var isMonthFirst = false
        for token in head {
            switch token {
            case .number(let digits): numbers.append(digits)
            case .word(let word):
                if let known = months.firstIndex(where: { word.hasPrefix($0) }) {
                    isMonthFirst = numbers.isEmpty
                    month = known + 1
                } else if word != "t", !weekdays.contains(String(word.prefix(3))) {
                    return Day()
                }
            case .sign(let sign): if !" -/.,\t".contains(sign) { return Day() }
            }
        }
        let values = numbers.compactMap { Int($0) }
        if let month {
            switch (values.count, numbers.last?.count) {
            case (2, 4): return Day(year: values[1], month: month, day: values[0])
            case (2, _) where numbers[0].count == 4: return Day(year: values[0], month: month, day: values[1])
            case (1, 1), (1, 2): return isMonthFirst ? Day(month: month, day: values[0]) : Day()
            default: return Day()
            }
        }
        guard values.count == 3, numbers[0].count == 4, numbers[1].count <= 2, numbers[2].count <= 2 else {
            return Day()
        }
        return Day(year: values[0], month: values[1], day: values[2])
    }

    private static let months = CalendarNames.monthKeys
    private static let weekdays = Set(CalendarNames.weekdayKeys)

    // MARK: The clock

    private struct Clock {
        var hour: Int
        var minute: Int
        var second = 0
        var milliseconds = 0

        /// Seconds since midnight, with the half of the day of a clock that counts twice to 12.
        func seconds(_ half: String?) -> Int? {
            var hour = hour
            if let half {
                guard (1...12).contains(hour) else { return nil }
                hour = hour % 12 + (half == "pm" ? 12 : 0)
            }
            let isMidnight = hour == 24 && minute == 0 && second == 0
            guard hour < 24 || isMidnight, minute < 60, second <= 60 else { return nil }
            return (hour * 60 + minute) * 60 + second
        }
    }

    /// `8:00`, `08:00:00.5`, `08:00:00:500` or `080000`.
    private static func takeClock(_ rest: inout ArraySlice<Token>) -> Clock? {
        guard case .number(let first)? = rest.first else { return nil }
        rest.removeFirst()
        if first.count == 6 {
            let pairs = [first.prefix(2), first.dropFirst(2).prefix(2), first.suffix(2)].compactMap {
                Int($0)
            }
            return Clock(
                hour: pairs[0], minute: pairs[1], second: pairs[2], milliseconds: takeFraction(&rest))
        }
        guard first.count <= 2, let hour = Int(first), let minute = takeNumber(&rest, after: ":") else {
            return nil
        }
        var clock = Clock(hour: hour, minute: minute)
        if let second = takeNumber(&rest, after: ":") {
            clock.second = second
            clock.milliseconds = takeFraction(&rest)
        }
        return clock
    }

    /// A number of one or two digits behind a sign.
    private static func takeNumber(_ rest: inout ArraySlice<Token>, after sign: Character) -> Int? {
        guard rest.count > 1, rest.first == .sign(sign), case .number(let digits) = rest.dropFirst().first,
            digits.count <= 2
        else { return nil }
        rest.removeFirst(2)
        return Int(digits)
    }

    private static func takeFraction(_ rest: inout ArraySlice<Token>) -> Int {
        guard rest.count > 1, case .sign(let sign)? = rest.first, ".,:".contains(sign),
            case .number(let digits) = rest.dropFirst().first
        else { return 0 }
        rest.removeFirst(2)
        return Int((digits + "00").prefix(3)) ?? 0
    }

    private static func takeHalf(_ rest: inout ArraySlice<Token>) -> String? {
        let inner = rest.drop(while: \.isBlank)
        guard case .word(let word)? = inner.first, word == "am" || word == "pm" else { return nil }
        rest = inner.dropFirst()
        return word
    }

    // MARK: The zone

    private enum Zone {
        case none
        case unknown
        /// Seconds east of Greenwich.
        case offset(Int)
    }

    /// Hours east of Greenwich of the zones that RFC 822 names, and of those of Europe, whose names no others have.
    private static let zones: [String: Int] = [
        "z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 1, "cet": 1, "cest": 2, "mez": 1, "mesz": 2,
        "eet": 2, "eest": 3, "msk": 3, "est": -5, "edt": -4, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8,
        "pdt": -7,
    ]

    private static func takeZone(_ rest: inout ArraySlice<Token>) -> Zone {
        var inner = rest.drop(while: \.isBlank)
        var hours: Int?
        if case .word(let word)? = inner.first {
            guard let known = zones[word] else { return .unknown }
            hours = known
            inner.removeFirst()
        }
        let isBare = hours == nil || hours == 0
        if isBare, inner.count > 1, case .sign(let sign)? = inner.first, sign == "+" || sign == "-",
            case .number(let digits) = inner.dropFirst().first, [1, 2, 4].contains(digits.count),
            let number = Int(digits)
        {
            inner.removeFirst(2)
            var minutes = digits.count == 4 ? number / 100 * 60 + number % 100 : number * 60
            if digits.count <= 2, let further = takeNumber(&inner, after: ":") { minutes += further }
            // `+00:00Z` says UTC twice.
            if minutes == 0, inner.first == .word("z") { inner.removeFirst() }
            rest = inner
            return .offset((sign == "-" ? -60 : 60) * minutes)
        }
        guard let hours else { return .none }
        rest = inner
        return .offset(hours * 3600)
    }
}
