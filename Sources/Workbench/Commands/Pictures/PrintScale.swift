import Foundation
import Geodesy
import PluginKit

/// The scale of a printed map: metres on the ground for a metre of paper.
struct PrintScale {
    private let ratio: Double

    /// From a room to a continent.
    private static let range = 100.0...50_000_000
    private static let metresPerPoint = 0.0254 / 72

    /// Reads `1:25000`, `1:25'000`, `1:25.000` or `25000`. Throws `E-ARGUMENT-RANGE`.
    init(_ text: String) throws {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        var digits = (parts.last ?? "").filter { !"',’_ \u{A0}\u{202F}".contains($0) }
        let groups = digits.split(separator: ".", omittingEmptySubsequences: false)
        // No scale has decimals: a point before three digits stands for thousands.
        if groups.dropFirst().allSatisfy({ $0.count == 3 }) { digits = groups.joined() }
        guard parts.count == 1 || (parts.count == 2 && parts[0] == "1"), let ratio = Double(digits),
            digits.allSatisfy(\.isNumber)
        else {
            throw CommonErrors.argumentRange(
                "\(text) is not a scale", at: .parameter("scale"), fix: "write it as 1:25000")
        }
        guard Self.range.contains(ratio) else {
            throw CommonErrors.argumentRange(
                "a map has a scale from 1:100 to 1:50000000, not \(text)", at: .parameter("scale"))
        }
        self.ratio = ratio
    }

    /// `1:25,000`
    var words: String {
        let digits = Array(String(Int(ratio)).reversed())
        let groups = stride(from: 0, to: digits.count, by: 3).map {
            String(digits[$0..<min($0 + 3, digits.count)].reversed())
        }
        return "1:" + groups.reversed().joined(separator: ",")
    }

    /// The zoom at which the map has this scale around a place.
    func zoom(at coordinate: Coordinate) -> Double {
        log2(
            WebMercator.metresPerPixel(zoom: 0, latitude: coordinate.latitude) / (ratio * Self.metresPerPoint)
        )
    }
}
