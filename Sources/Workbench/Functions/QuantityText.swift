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
