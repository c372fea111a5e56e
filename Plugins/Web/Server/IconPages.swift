import Formats
import Pictures

/// The icons of pins and sections as SVG path data, by name.
enum IconPages {
    static let text: String = JSONTree.object(
        IconGlyph.all.map { JSONTree.Member($0.name, .text(path($0.path))) }
            + SectionIcons.paths.map { JSONTree.Member("section " + $0.name, .text($0.path)) }
    ).compactText

    private static func path(_ data: PathData) -> String {
        data.steps.map { step in
            switch step {
            case .move(let point): "M" + text(point)
            case .line(let point): "L" + text(point)
            case .curve(let a, let b, let end): "C" + [a, b, end].map(text).joined(separator: " ")
            case .close: "Z"
            }
        }.joined()
    }

    private static func text(_ point: ScenePoint) -> String {
        [point.x, point.y].map { JSONTree(($0 * 100).rounded() / 100).compactText }.joined(separator: " ")
    }
}
