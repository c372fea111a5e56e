import Core
import Foundation
import Pictures

/// A trace as text, for a player.
public struct PlayedTrace: Sendable {
    /// A step.
    public struct Step: Sendable {
        /// Its number in the trace, from 1.
        public var number: Int
        /// Its kind.
        public var kind: String
        /// The values of the decision, in order.
        public var values: [(name: String, text: String)]
        /// The reason of the decision.
        public var why: String

        /// A step.
        public init(number: Int, kind: String, values: [(name: String, text: String)], why: String) {
            self.number = number
            self.kind = kind
            self.values = values
            self.why = why
        }
    }

    /// The pictures of consecutive steps.
    public enum Scene: Sendable {
        /// A picture whose marks change.
        case film(Film)
        /// A picture for each step; steps without one have `nil`.
        case pictures([Pictures.Scene?])
    }

    /// The pipeline that was run.
    public var text: String
    /// The steps.
    public var steps: [Step]
    /// The pictures, each with the index of the step it begins at.
    public var scenes: [(first: Int, scene: Scene)]

    /// A trace.
    public init(text: String, steps: [Step], scenes: [(first: Int, scene: Scene)]) {
        self.text = text
        self.steps = steps
        self.scenes = scenes
    }

    /// The index of the first step at which two traces differ by kind, values or reason; `nil` when they are the same.
    /// With `names` only the kind and these values count.
    public func firstDifference(from other: PlayedTrace, on names: [String] = []) -> Int? {
        let common = min(steps.count, other.steps.count)
        let first = (0..<common).first { !Self.isSame(steps[$0], other.steps[$0], on: names) }
        return first ?? (steps.count == other.steps.count ? nil : common)
    }

    private static func isSame(_ left: Step, _ right: Step, on names: [String]) -> Bool {
        func shown(_ step: Step) -> [String] {
            names.isEmpty
                ? step.values.flatMap { [$0.name, $0.text] } + [step.why]
                : names.map { name in step.values.first { $0.name == name }?.text ?? "" }
        }
        return left.kind == right.kind && shown(left) == shown(right)
    }
}

/// A player of one trace, or of two side by side, as a separate page or part of one.
public enum PlayerPage {
    /// The page: one file that needs no network.
    public static func page(title: String, traces: [PlayedTrace], differs: Int?) -> String {
        WebPage(
            title: title,
            body: "<h1>\(Markup.html(title))</h1>\n" + part(traces: traces, differs: differs),
            plays: true
        ).text
    }

    /// The JSON from which the script builds a player. A page that later adds an element of class
    /// `rutter-player` with it notifies the script by the event `rutter-player` of its document.
    public static func data(traces: [PlayedTrace], differs: Int?) -> String {
        PlayerData.json(traces: traces, differs: differs)
    }

    /// The player alone. The page around it needs the script and the style of `WebPage`.
    public static func part(traces: [PlayedTrace], differs: Int?) -> String {
        let data = data(traces: traces, differs: differs)
        return """
            <div class="rutter-player">
            <script type="application/json">\(HTMLText.inScript(data))</script>
            <noscript><p>The player needs JavaScript. The trace has \(traces.first?.steps.count ?? 0) steps.</p></noscript>
            </div>

            """
    }
}
