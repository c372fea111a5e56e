/// Durations in the notation of ISO 8601: `PT1H30M`, `P1DT2H`, `P2W`. Years and months have no fixed length and are not read.
public enum ISODuration {
    /// The parts before and behind the `T`, in their order, with their seconds.
    private static let days: [(letter: Character, seconds: Double)] = [("W", 604_800), ("D", 86_400)]
    private static let times: [(letter: Character, seconds: Double)] = [("H", 3600), ("M", 60), ("S", 1)]

    /// The seconds of a text; `nil` for anything else, and for more than a number holds. The last part can have a decimal point
    /// or comma.
    public static func seconds(_ text: some StringProtocol) -> Double? {
        var rest = Substring(text)
        let sign = rest.first == "-" ? -1.0 : 1
        if sign < 0 { rest = rest.dropFirst() }
        guard rest.first == "P", rest.count > 1 else { return nil }
        let halves = rest.dropFirst().split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count <= 2, let before = sum(halves[0], days, isEnd: halves.count == 1) else {
            return nil
        }
        guard halves.count == 2 else { return sign * before }
        guard !halves[1].isEmpty, let behind = sum(halves[1], times, isEnd: true) else { return nil }
        return sign * (before + behind)
    }

    /// The sum of parts, each at most once and in order; only the last one of the end may be a decimal.
    private static func sum(
        _ text: Substring, _ parts: [(letter: Character, seconds: Double)], isEnd: Bool
    ) -> Double? {
        var (sum, rest, left) = (0.0, text, parts[...])
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
            rest = rest.dropFirst(digits.count)
            let isLast = isEnd && rest.count == 1
            guard let letter = rest.popFirst(), let index = left.firstIndex(where: { $0.letter == letter }),
                digits.first?.isNumber == true, isLast || digits.allSatisfy(\.isNumber),
                let amount = Double(digits.replacing(",", with: "."))
            else { return nil }
            sum += amount * left[index].seconds
            left = left[(index + 1)...]
        }
        return sum.isFinite ? sum : nil
    }
}
