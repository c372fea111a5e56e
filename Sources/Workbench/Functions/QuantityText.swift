import Foundation
import PluginKit

/// Quantities as people write them: `5 km`, `4809ft`, `1:30 h`, `5:30 min/km`, `5'30"/km`.
enum QuantityText {
    /// The quantity of a text; `nil` for anything else.
    static func read(_ text: String) -> Quantity? {
        var compact = text.filter { !$0.isWhitespace }
        if let pace = compact.wholeMatch(of: /(\d+)['′](\d\d)(?:"|″|'')(\/(?:km|mi|mile))/) {
            compact = "\(pace.output.1):\(pace.output.2)\(pace.output.3)"
        }
        if let clock = clock(compact) { return clock }
        guard let first = compact.utf8.first, first <= 57, let last = compact.last, !last.isNumber,
            case .quantity(let quantity)? = try? LiteralParser.single(compact)
        else { return nil }
        return quantity
    }

    /// A text that says by the place of its use that it is a quantity: also hours, minutes and seconds without a unit,
    /// `00:55:12`. In a column such texts may be times of day.
    static func readTimer(_ text: String) -> Quantity? {
        if let quantity = read(text) { return quantity }
        let parts = text.trimmingCharacters(in: .whitespaces).split(
            separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = Int(parts[0]), hours >= 0, let minutes = Int(parts[1]),
            let seconds = Double(parts[2]), parts[1].count == 2,
            parts[2].prefix(while: \.isNumber).count == 2,
            (0..<60).contains(minutes), (0..<60).contains(seconds)
        else { return nil }
        return Quantity(Double(hours) * 3600 + Double(minutes) * 60 + seconds, .duration)
    }

    /// Hours and minutes of `1:30h`.
    private static func clock(_ text: String) -> Quantity? {
        guard text.hasSuffix("h") else { return nil }
        let parts = text.dropLast().split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 2, let hours = Int(parts[0]), let minutes = Int(parts[1]),
            hours >= 0, (0..<60).contains(minutes)
        else { return nil }
        return Quantity(Double(hours * 3600 + minutes * 60), .duration)
    }
}
