import Geodesy

/// The lines of coordinates on a map.
public enum MapGrid: String, Sendable, Hashable, CaseIterable {
    /// Meridians and parallels at round degrees.
    case degrees
    /// Lines of UTM, with their kilometres.
    case utm
    /// The same lines with the letters and digits of MGRS.
    case mgrs
}

/// Draws a grid.
struct GridDrawing {
    private let grid: MapGrid
    private let view: MapView
    private let blocked: [SceneRect]

    /// Labels are not written in `blocked`.
    init(_ grid: MapGrid, view: MapView, blocked: [SceneRect] = []) {
        (self.grid, self.view, self.blocked) = (grid, view, blocked)
    }

    func add(to scene: inout Scene) {
        switch grid {
        case .degrees: Graticule(view: view, blocked: blocked).add(to: &scene)
        case .utm, .mgrs: MetricGrid(view: view, isMGRS: grid == .mgrs, blocked: blocked).add(to: &scene)
        }
    }

    /// Why it has no lines; `nil` if it has some.
    var lack: String? {
        switch grid {
        case .degrees: nil
        case .utm, .mgrs: MetricGrid(view: view, isMGRS: grid == .mgrs).lack
        }
    }

    /// The space of its labels.
    var labels: [SceneRect] {
        var scratch = Scene(size: view.size)
        add(to: &scratch)
        return scratch.elements.compactMap { element in
            guard case .text(let text) = element.shape else { return nil }
            return Self.box(of: text)
        }
    }

    static func box(of text: TextShape) -> SceneRect {
        let width = TextShape.estimatedWidth(of: text.string, size: text.size)
        let left =
            switch text.anchor {
            case .start: text.at.x
            case .middle: text.at.x - width / 2
            case .end: text.at.x - width
            }
        return SceneRect(x: left, y: text.at.y - text.size, width: width, height: text.size)
    }
}
