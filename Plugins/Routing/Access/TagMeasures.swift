import Core
import Foundation

/// Reads lengths and slopes of tags. A value that is not read is doubtful, never zero.
///
/// Source: OpenStreetMap wiki, "Map features/Units", "Key:width", "Key:incline".
enum TagMeasures {
    /// Keys whose value is a slope in percent; the others are lengths in metres.
    private static let slopes: Set<String> = ["incline", "incline:across"]

    /// Lengths of which more is worse.
    private static let heights: Set<String> = ["depth", "kerb:height", "step_count"]

    /// Metres that are believed of a key.
    private static let most = [
        "width": RoutingSettings.widestWay, "est_width": RoutingSettings.widestWay,
        "maxwidth": RoutingSettings.widestWay, "maxwidth:physical": RoutingSettings.widestWay,
        "kerb:height": RoutingSettings.highestKerb,
    ]

    /// The value of a key: the slope in percent, whatever its direction, or metres. Of several, and of a range, the most
    /// careful: the steepest slope, the deepest ford, the highest kerb, else the least length.
    static func value(_ text: String, of key: String) -> Double? {
        let isSlope = slopes.contains(key)
        let values = text.split(separator: ";").flatMap { part -> [Double?] in
            isSlope ? [percent(String(part))] : ends(part).map(length)
        }
        guard !values.isEmpty, values.allSatisfy({ $0 != nil }) else { return nil }
        let known = values.compactMap(\.self)
        // A number without a unit may be of centimetres.
        if let most = most[key], known.contains(where: { $0 > most }) { return nil }
        return isSlope || heights.contains(key) ? known.max() : known.min()
    }

    /// Both ends of a range such as `0.3-0.8 m`, or the text itself.
    private static func ends(_ text: Substring) -> [String] {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard ends.count == 2, ends.allSatisfy({ $0.first?.isNumber ?? false }) else { return [String(text)] }
        // The unit stands behind both.
        let unit = ends[1].drop { $0.isNumber || $0 == "." || $0 == "," }
        let isPlain = ends[0].allSatisfy { $0.isNumber || $0 == "." || $0 == "," }
        return [isPlain ? ends[0] + unit : ends[0], ends[1]]
    }

    /// Percent of `20%`, `-20 %`, `11°`, `1:12`, `5-10%`; `nil` for `up`, `steep` and the like.
    static func percent(_ text: String) -> Double? {
        let text = text.lowercased().replacing(" ", with: "").replacing(",", with: ".")
        let sides = text.split(separator: ":", omittingEmptySubsequences: false)
        if sides.count == 2, let rise = number(sides[0]), let run = number(sides[1]), run > 0 {
            return abs(rise) / run * 100
        }
        // The steeper end of a range.
        let range = text.drop { $0 == "-" || $0 == "+" }.split(separator: "-")
        guard let last = range.last, range.count <= 2 else { return nil }
        let unit = last.drop { $0.isNumber || $0 == "." }
        guard let amount = number(last.prefix(last.count - unit.count)) else { return nil }
        switch unit {
        case "", "%", "percent": return amount
        case "°", "deg", "degree", "degrees":
            return amount < 90 ? tan(amount * .pi / 180) * 100 : nil
        default: return nil
        }
    }

    /// Metres; a length below zero is none.
    static func length(_ text: String) -> Double? { TagNumber.metres(text).flatMap { $0 < 0 ? nil : $0 } }

    /// Seconds of the `duration` of a ferry: `20` minutes, `1:30` hours, `00:20:00`, `PT1H20M`.
    static func seconds(_ text: String) -> Double? {
        let text = text.trimmingCharacters(in: .whitespaces).uppercased()
        guard !text.contains("-") else { return nil }
        if text.hasPrefix("P") { return ISODuration.seconds(text) }
        if let worded = worded(text) { return worded }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { number($0) }
        guard (1...3).contains(parts.count), parts.allSatisfy({ $0 != nil }) else { return nil }
        let numbers = parts.compactMap(\.self)
        if numbers.count == 1 { return numbers[0] * 60 }
        guard numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
    }

    /// Seconds of `20 min`, `1 h`, `1 h 20 min`, `1h20`; `nil` without a unit.
    private static func worded(_ text: String) -> Double? {
        let units: [String: Double] = [
            "H": 3600, "HR": 3600, "HRS": 3600, "HOUR": 3600, "HOURS": 3600, "M": 60, "MIN": 60, "MINS": 60,
            "MINUTE": 60, "MINUTES": 60, "S": 1, "SEC": 1,
        ]
        var (sum, rest) = (0.0, text[...].drop { $0 == " " })
        var (isWorded, last) = (false, 0.0)
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            rest = rest.dropFirst(digits.count).drop { $0 == " " }
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count).drop { $0 == " " || $0 == "." }
            // The number behind hours is of minutes.
            let isRest = unit.isEmpty && rest.isEmpty && last == 3600
            guard let amount = number(digits), let scale = isRest ? 60 : units[String(unit)] else {
                return nil
            }
            sum += amount * scale
            (isWorded, last) = (true, scale)
        }
        return isWorded ? sum : nil
    }

    /// A plain decimal number that is not negative.
    private static func number(_ text: Substring) -> Double? {
        let digits = text.drop { $0 == "-" || $0 == "+" }
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }) else {
            return nil
        }
        return Double(digits)
    }
}
