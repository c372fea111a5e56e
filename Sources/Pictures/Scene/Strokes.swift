import Core

/// How a line is drawn.
public struct Stroke: Sendable, Hashable {
    /// The colour.
    public var color: Color
    /// Points across.
    public var width: Double
    /// Alternating lengths of dashes and gaps, in points; empty for a line without gaps.
    public var dash: [Double]
    /// 0 invisible … 1 opaque.
    public var opacity: Double

    /// Makes a stroke.
    public init(_ color: Color, width: Double = 1, dash: [Double] = [], opacity: Double = 1) {
        self.color = color
        self.width = width
        self.dash = dash
        self.opacity = opacity
    }
}

/// How an area is filled.
public struct Fill: Sendable, Hashable {
    /// The colour.
    public var color: Color
    /// 0 invisible … 1 opaque.
    public var opacity: Double

    /// Makes a filling.
    public init(_ color: Color, opacity: Double = 1) {
        self.color = color
        self.opacity = opacity
    }
}

/// Which part of a text is at its anchor.
public enum TextAnchor: String, Sendable, Hashable, CaseIterable {
    /// The text begins there.
    case start
    /// The text is centred there.
    case middle
    /// The text ends there.
    case end
}

/// The weight of letters.
public enum TextWeight: String, Sendable, Hashable, CaseIterable {
    /// For reading.
    case normal
    /// For titles.
    case bold
}

/// A line of text, positioned by its baseline.
public struct TextShape: Sendable, Hashable {
    /// The words, in one line, without characters that a picture cannot show as they are.
    public let string: String
    /// The anchor on the baseline.
    public var at: ScenePoint
    /// Font size in points.
    public var size: Double
    /// Which part of the text is at `at`.
    public var anchor: TextAnchor
    /// The colour of the letters.
    public var color: Color
    /// The weight of the letters.
    public var weight: TextWeight
    /// A rim around the letters that keeps them legible on a map.
    public var halo: Color?
    /// Degrees clockwise around `at`.
    public var rotation: Double

    /// Makes a line of text.
    public init(
        _ string: String, at: ScenePoint, size: Double = PictureSettings.labelSize,
        anchor: TextAnchor = .start,
        color: Color = .ink, weight: TextWeight = .normal, halo: Color? = nil, rotation: Double = 0
    ) {
        self.string = PictureText.shown(string)
        self.at = at
        self.size = size
        self.anchor = anchor
        self.color = color
        self.weight = weight
        self.halo = halo
        self.rotation = rotation
    }

    /// The estimated width for layout without a font, in points.
    public static func estimatedWidth(of string: String, size: Double) -> Double {
        Double(DisplayWidth.of(string)) * size * PictureSettings.characterWidth
    }
}
