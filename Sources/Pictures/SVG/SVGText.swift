import Core

/// Formats values for SVG.
enum SVGText {
    /// A number with the decimals of the settings.
    static func number(_ value: Double) -> String {
        NumberText.decimal(value, places: PictureSettings.svgDecimals)
    }

    /// A point as `x,y`.
    static func point(_ point: ScenePoint) -> String {
        number(point.x) + "," + number(point.y)
    }

    /// Text between tags or in an attribute, in one line.
    static func escaped(_ text: String) -> String { Markup.xml(PictureText.shown(text)) }

    /// The steps of an outline as path data.
    static func pathData(_ path: PathData) -> String {
        path.steps.map { step in
            switch step {
            case .move(let to): "M" + point(to)
            case .line(let to): "L" + point(to)
            case .curve(let a, let b, let to): "C" + [a, b, to].map(point).joined(separator: " ")
            case .close: "Z"
            }
        }.joined()
    }
}
