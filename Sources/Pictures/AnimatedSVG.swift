/// Stepped pictures as one animated SVG for slides. Animated with CSS only, without a script, so that it also
/// plays inside an image element.
public enum AnimatedSVG {
    /// Maximum number of steps; browsers play longer animations poorly.
    public static let steps = 600

    /// A film as a looping SVG. A step takes a number of seconds; the last stays three times as long.
    public static func render(_ film: Film, secondsPerStep: Double) -> String {
        var shown: [Int: (since: Int, elements: [SceneElement])] = [:]
        var intervals: [Interval] = []
        func close(_ key: Int, at step: Int) {
            guard let mark = shown.removeValue(forKey: key), mark.since < step else { return }
            // A line lies below the points of other marks.
            for pile in Dictionary(grouping: mark.elements, by: \.z).sorted(by: { $0.key < $1.key }) {
                intervals.append(Interval(first: mark.since, end: step, elements: pile.value))
            }
        }
        var marks: [Int: Film.Change] = [:]
        for (step, frame) in film.frames.enumerated() {
            if frame.clears {
                for key in shown.keys.sorted() { close(key, at: step) }
                marks = [:]
            }
            for change in frame.changes {
                close(change.key, at: step)
                marks[change.key] = change.parts.isEmpty ? nil : change
                guard !change.parts.isEmpty else { continue }
                shown[change.key] = (step, change.parts.flatMap { film.elements($0) })
            }
            let chain = film.chain(from: frame.present, marks)
            if !chain.isEmpty { intervals.append(Interval(first: step, end: step + 1, elements: chain)) }
        }
        let count = film.frames.count
        for key in shown.keys.sorted() { close(key, at: count) }
        return Timeline(steps: count, secondsPerStep: secondsPerStep).render(film.ground, intervals)
    }

    /// Pictures one after another.
    public static func render(_ scenes: [Scene], secondsPerStep: Double) -> String {
        guard let first = scenes.first else { return "" }
        let size = SceneSize(
            width: scenes.map(\.size.width).max() ?? 0, height: scenes.map(\.size.height).max() ?? 0)
        let intervals = scenes.enumerated().map { index, scene in
            Interval(first: index, end: index + 1, elements: scene.ordered)
        }
        return Timeline(steps: scenes.count, secondsPerStep: secondsPerStep)
            .render(Scene(size: size, background: first.background, title: first.title), intervals)
    }

    /// Elements and the steps at which they are visible.
    struct Interval {
        let first: Int
        let end: Int
        let elements: [SceneElement]
    }

    /// The times of steps.
    private struct Timeline {
        let steps: Int
        let secondsPerStep: Double
        private static let lastLasts = 3.0

        private var duration: Double { (Double(steps) - 1 + Self.lastLasts) * secondsPerStep }

        func render(_ ground: Scene, _ intervals: [Interval]) -> String {
            var rules: [String] = []
            var names: [String: String] = [:]
            var groups = ""
            let layers = Dictionary(
                grouping: intervals.enumerated(), by: { $0.element.elements.map(\.z).max() ?? 0 })
            for interval in layers.sorted(by: { $0.key < $1.key }).flatMap({ $0.value.map(\.element) }) {
                let span = "\(interval.first)-\(interval.end)"
                if interval.first > 0 || interval.end < steps, names[span] == nil {
                    names[span] = "s\(names.count)"
                    rules.append(rule(names[span] ?? "", interval))
                }
                let look = names[span].map { " class=\"\($0)\"" } ?? ""
                groups += "  <g\(look)>\n\(SceneSVG.fragment(interval.elements))  </g>\n"
            }
            let style = "  <style>\n\(rules.joined())  </style>\n"
            return SceneSVG.render(ground, including: style + groups)
        }

        private func rule(_ name: String, _ interval: Interval) -> String {
            func share(_ step: Int) -> String {
                step >= steps
                    ? "100" : NumberText.decimal(Double(step) * secondsPerStep / duration * 100, places: 4)
            }
            let (from, to) = (share(interval.first), share(interval.end))
            let before = interval.first > 0 ? "0%{visibility:hidden}" : ""
            let after = interval.end < steps ? "\(to)%{visibility:hidden}" : ""
            let time = SVGText.number(duration)
            return """
                    @keyframes \(name){\(before)\(from)%{visibility:visible}\(after)}
                    .\(name){visibility:hidden;animation:\(name) \(time)s step-end infinite}

                """
        }
    }
}

extension Film {
    /// The drawing of a part.
    func elements(_ part: Part) -> [SceneElement] {
        switch part {
        case .line(let look, let line):
            lines[line].map {
                SceneElement(shape: .polyline($0, lineLooks[look].stroke), z: lineLooks[look].layer)
            }
        case .point(let look, let at, let label):
            [SceneElement(shape: pointLooks[look].drawn(at: at), z: pointLooks[look].layer)]
                + (label.isEmpty
                    ? [] : [SceneElement(shape: .text(Self.label(label, at)), z: pointLooks[look].layer)])
        }
    }

    private static func label(_ text: String, _ at: ScenePoint) -> TextShape {
        TextShape(text, at: at.moved(9, -6), halo: .white)
    }

    /// The chains of marks, as they are after a step.
    func chain(from present: [Int], _ marks: [Int: Change]) -> [SceneElement] {
        var elements: [SceneElement] = []
        var passed: Set<Int> = []
        for start in present {
            var key: Int? = start
            while let name = key, passed.insert(name).inserted, let mark = marks[name] {
                for case .line(_, let line) in mark.parts {
                    elements += lines[line].map {
                        SceneElement(shape: .polyline($0, chain.stroke), z: chain.layer)
                    }
                }
                key = mark.parent
            }
        }
        return elements
    }

    /// The complete pictures after the given steps.
    public func scenes(_ steps: some Sequence<Int>, check: () throws -> Void = {}) rethrows -> [Scene] {
        var marks: [Int: (order: Int, change: Change)] = [:]
        var order = 0
        var scenes: [Scene] = []
        let wanted = Set(steps)
        for (step, frame) in frames.enumerated() {
            try check()
            if frame.clears { marks = [:] }
            for change in frame.changes {
                marks[change.key] = change.parts.isEmpty ? nil : (order, change)
                order += 1
            }
            guard wanted.contains(step) else { continue }
            var scene = ground
            for mark in marks.values.sorted(by: { $0.order < $1.order }) {
                for part in mark.change.parts { for element in elements(part) { scene.add(element) } }
            }
            for element in chain(from: frame.present, marks.mapValues(\.change)) { scene.add(element) }
            scenes.append(scene)
        }
        return scenes
    }
}
