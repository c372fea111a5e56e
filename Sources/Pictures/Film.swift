import Geodesy

/// A stepped picture as compact tables, for up to ten thousand steps: the common content, and for each step
/// the marks that change.
public struct Film: Sendable {
    /// A piece of a mark.
    public enum Part: Sendable {
        /// A line: indexes into `lineLooks` and `lines`.
        case line(look: Int, line: Int)
        /// A point: an index into `pointLooks`, its position, its label.
        case point(look: Int, at: ScenePoint, label: String)
    }

    /// A change of a mark: an index into `keys`, and its new appearance; without parts it is removed.
    public struct Change: Sendable {
        /// The mark.
        public let key: Int
        /// The mark it was reached from.
        public let parent: Int?
        /// Its name and key in the heap.
        public let queue: (name: String, key: Double)?
        /// The parts drawn.
        public let parts: [Part]
    }

    /// The changes of a step.
    public struct Frame: Sendable {
        /// Whether all marks are removed first.
        public var clears = false
        /// The marks that change.
        public var changes: [Change] = []
        /// The marks whose chains are shown.
        public var present: [Int] = []
    }

    /// The content of every step, with the legend below.
    public let ground: Scene
    /// The names of marks.
    public private(set) var keys: [String] = []
    /// Lines as points of the picture, one list for each run.
    public private(set) var lines: [[[ScenePoint]]] = []
    /// The styles of lines.
    public private(set) var lineLooks: [MapLineStyle] = []
    /// The styles of points, without labels.
    public private(set) var pointLooks: [MapPointStyle] = []
    /// The steps.
    public private(set) var frames: [Frame] = []
    /// The style of chains.
    public let chain: MapLineStyle

    private var keyIndex: [String: Int] = [:]
    private var lineIndex: [[Coordinate]: Int] = [:]
    private var lineLookIndex: [MapLineStyle: Int] = [:]
    private var pointLookIndex: [MapPointStyle: Int] = [:]

    /// Makes the film of a picture; `nil` if it has no coordinates. `check` is called for each step, and can
    /// stop the work by throwing.
    public init?(
        of picture: any SteppedPicture, size: SceneSize = MapView.defaultSize, title: String = "",
        on base: (MapView, [MapFeature]) throws -> any MapBacking = { _, _ in PlainBacking() },
        check: () throws -> Void = {}
    ) throws {
        let (ground, frames) = (try picture.ground, try picture.frames)
        let marks = frames.lazy.flatMap { $0.changes.lazy.flatMap(\.features) }
        guard
            let view = MapView(fitting: marks.flatMap(\.coordinates), size: size)
                ?? MapView(fitting: ground.lazy.flatMap(\.coordinates), size: size)
        else { return nil }
        let base = try base(view, ground)
        let features = base.features(ground)
        let map = MapScene(
            view: view, features: features,
            furniture: MapFurniture(title: title, attribution: base.attribution))
        var scene = try map.scene(check: check) { try base.drawing(of: view, $0) }
        MapKey(features + Self.samples(frames, chain: picture.chainStyle)).add(below: &scene)
        self.ground = scene
        chain = picture.chainStyle
        for frame in frames {
            try check()
            take(frame, view)
        }
    }

    /// One feature for each style, for the legend.
    private static func samples(_ frames: [PictureFrame], chain: MapLineStyle) -> [MapFeature] {
        var seen: Set<String> = []
        var samples: [MapFeature] = []
        for feature in frames.lazy.flatMap({ $0.changes.lazy.flatMap(\.features) }) {
            switch feature {
            case .line(_, let style) where seen.insert("line " + style.label).inserted:
                samples.append(feature)
            case .point(_, let style) where seen.insert("point " + (style.legend ?? "")).inserted:
                samples.append(feature)
            default: break
            }
        }
        return samples + [.line([], chain)]
    }

    private mutating func take(_ frame: PictureFrame, _ view: MapView) {
        var taken = Frame()
        for change in frame.changes {
            guard change.key != MarkChange.clearing.key else {
                taken.clears = true
                continue
            }
            let parts = change.features.compactMap { part($0, view) }
            taken.changes.append(
                Change(
                    key: key(change.key), parent: change.parent.map { key($0) }, queue: change.queue,
                    parts: parts))
        }
        taken.present = frame.present.map { key($0) }
        frames.append(taken)
    }

    private mutating func part(_ feature: MapFeature, _ view: MapView) -> Part? {
        switch feature {
        case .line(let line, let style):
            let look = Self.index(of: style, in: &lineLooks, &lineLookIndex)
            if let known = lineIndex[line] { return .line(look: look, line: known) }
            lineIndex[line] = lines.count
            lines.append(view.runs(of: line))
            return .line(look: look, line: lines.count - 1)
        case .point(let place, var style):
            let label = style.label
            style.label = ""
            guard place.isValid else { return nil }
            let look = Self.index(of: style, in: &pointLooks, &pointLookIndex)
            return .point(look: look, at: view.point(for: place), label: label)
        default: return nil
        }
    }

    private mutating func key(_ name: String) -> Int { Self.index(of: name, in: &keys, &keyIndex) }

    private static func index<T: Hashable>(of value: T, in list: inout [T], _ known: inout [T: Int]) -> Int {
        if let index = known[value] { return index }
        known[value] = list.count
        list.append(value)
        return list.count - 1
    }
}
