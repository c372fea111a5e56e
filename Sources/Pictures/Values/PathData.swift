/// An outline of lines and curves.
public struct PathData: Sendable, Hashable {
    /// One step of the pen.
    public enum Step: Sendable, Hashable {
        /// Lifts the pen and sets it down elsewhere.
        case move(ScenePoint)
        /// A straight line.
        case line(ScenePoint)
        /// A cubic Bézier curve: two control points and the end.
        case curve(ScenePoint, ScenePoint, ScenePoint)
        /// Back to where the pen was set down.
        case close
    }

    /// The steps in order.
    public var steps: [Step]

    /// Makes an outline from steps.
    public init(steps: [Step]) {
        self.steps = steps
    }

    /// Reads the absolute commands `M L H V C Z` of SVG path data; `nil` when anything else is in it.
    public init?(_ text: String) {
        var reader = PathReader(text)
        guard let steps = reader.steps() else { return nil }
        self.steps = steps
    }

    /// The outline scaled by `scale`, with its origin at `origin`.
    public func placed(at origin: ScenePoint, scale: Double) -> PathData {
        func place(_ point: ScenePoint) -> ScenePoint {
            ScenePoint(origin.x + point.x * scale, origin.y + point.y * scale)
        }
        return PathData(
            steps: steps.map { step in
                switch step {
                case .move(let point): .move(place(point))
                case .line(let point): .line(place(point))
                case .curve(let a, let b, let point): .curve(place(a), place(b), place(point))
                case .close: .close
                }
            })
    }

    var isFinite: Bool {
        steps.allSatisfy { step in
            switch step {
            case .move(let point), .line(let point): point.isFinite
            case .curve(let a, let b, let point): a.isFinite && b.isFinite && point.isFinite
            case .close: true
            }
        }
    }
}

/// Parses path data word by word: commands and numbers are separated by spaces.
private struct PathReader {
    private var words: ArraySlice<Substring>
    private var pen = ScenePoint(0, 0)

    init(_ text: String) {
        words = text.split(separator: " ")[...]
    }

    mutating func steps() -> [PathData.Step]? {
        var result: [PathData.Step] = []
        while let command = words.popFirst() {
            guard let step = step(command) else { return nil }
            result.append(step)
        }
        return result
    }

    private mutating func step(_ command: Substring) -> PathData.Step? {
        switch command {
        case "M": return point().map { .move($0) }
        case "L": return point().map { .line($0) }
        case "H": return number().map { .line(moved(ScenePoint($0, pen.y))) }
        case "V": return number().map { .line(moved(ScenePoint(pen.x, $0))) }
        case "C":
            guard let a = point(), let b = point(), let end = point() else { return nil }
            return .curve(a, b, end)
        case "Z": return .close
        default: return nil
        }
    }

    private mutating func number() -> Double? {
        words.popFirst().flatMap { Double($0) }
    }

    private mutating func point() -> ScenePoint? {
        guard let x = number(), let y = number() else { return nil }
        return moved(ScenePoint(x, y))
    }

    private mutating func moved(_ point: ScenePoint) -> ScenePoint {
        pen = point
        return point
    }
}
