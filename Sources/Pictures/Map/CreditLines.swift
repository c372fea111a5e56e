import Foundation

/// The attribution of a picture, in lines that fit: a licence requires it in full.
public struct CreditLines: Sendable, Hashable {
    /// From the top down.
    public let lines: [String]
    /// Font size in points.
    public let size: Double

    private static let separator = " · "
    private static let spacing = 1.25

    /// Breaks an attribution between its parts, and reduces the font size if a single part is too wide.
    public init(_ attribution: String, width: Double, size: Double) {
        func wide(_ text: String) -> Double { TextShape.estimatedWidth(of: text, size: size) }
        var lines: [String] = []
        for part in attribution.components(separatedBy: Self.separator) where !part.isEmpty {
            if let last = lines.last, wide(last + Self.separator + part) <= width {
                lines[lines.count - 1] = last + Self.separator + part
            } else {
                lines.append(part)
            }
        }
        self.lines = lines
        self.size = size * min(1, width / max(1, lines.map(wide).max() ?? 1))
    }

    /// Points from one baseline to the next.
    public var lineHeight: Double { size * Self.spacing }
    /// Points from the top of the first line to below the last.
    public var height: Double { lineHeight * Double(lines.count) }
    /// Width of the widest line in points.
    public var width: Double { lines.map { TextShape.estimatedWidth(of: $0, size: size) }.max() ?? 0 }

    /// The lines as texts, the last on a baseline.
    public func texts(at last: ScenePoint, anchor: TextAnchor, color: Color, halo: Color?) -> [TextShape] {
        lines.enumerated().map { index, line in
            TextShape(
                line, at: last.moved(0, -lineHeight * Double(lines.count - 1 - index)), size: size,
                anchor: anchor, color: color, halo: halo)
        }
    }
}
