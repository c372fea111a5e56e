import Core

/// An error in a JSON text, with its location.
public struct JSONFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of violated rule.
    public enum Kind: Sendable, Hashable {
        /// The bytes are not UTF-8.
        case encoding
        /// The text is not JSON.
        case syntax
        /// Values are nested too deep.
        case depth
        /// The text is too long.
        case size
        /// The text is JSON, but not what the reader expects.
        case content
        /// A value is out of its range.
        case value
        /// The reader was cancelled.
        case stopped
    }

    /// A step of a path.
    enum Step: Sendable, Hashable {
        case key(String)
        case index(Int)
    }

    /// Maximum characters of a key shown in a path.
    private static let longestKey = 60

    /// The kind of violated rule.
    public let kind: Kind
    /// The problem, without its location.
    public let message: String
    /// The position in the text; `nil` for faults of content that are not located yet.
    public private(set) var position: TextPosition?
    /// The fix, if known.
    public let fix: String?
    /// The steps to the value, the innermost first.
    private(set) var steps: [Step] = []

    init(_ kind: Kind, _ message: String, _ position: TextPosition? = nil, fix: String? = nil) {
        self.kind = kind
        self.message = message
        self.position = position
        self.fix = fix
    }

    /// A value that its reader does not expect.
    public init(_ message: String) { self.init(.content, message) }

    /// A value out of its range.
    public init(value message: String) { self.init(.value, message) }

    /// The path of the value from the root `$`, such as `$.features[3].geometry`.
    public var path: String {
        shownSteps.reduce(into: "$") { path, step in
            switch step {
            case nil: path += "…"
            case .index(let index)?: path += "[\(index)]"
            case .key(let key)?:
                let isPlain =
                    key.first?.isNumber == false && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
                let shown = key.count > Self.longestKey ? key.prefix(Self.longestKey) + "…" : key[...]
                path += isPlain ? ".\(shown)" : "[\(JSONWriter.quoted(String(shown)))]"
            }
        }
    }

    /// Steps that a path shows at its beginning and at its end.
    private static let shownSteps = 8

    /// The steps from the root; `nil` for those in the middle of a path that is too long to be read.
    private var shownSteps: [Step?] {
        let all = steps.reversed().map(Step?.some)
        guard all.count > 2 * Self.shownSteps else { return all }
        return all.prefix(Self.shownSteps) + [nil] + all.suffix(Self.shownSteps)
    }

    /// The path and the problem.
    public var explanation: String { steps.isEmpty ? message : "\(path): \(message)" }

    /// Line, column, path and problem.
    public var description: String {
        (position.map { "line \($0.line), column \($0.column): " } ?? "") + explanation
    }

    /// The fault extended by an enclosing key.
    public func inside(key: String) -> JSONFault { inside(.key(key)) }

    func inside(_ step: Step) -> JSONFault {
        var copy = self
        copy.steps.append(step)
        return copy
    }

    /// The same fault with the position of its value in the text.
    func located(in bytes: UnsafeBufferPointer<UInt8>) -> JSONFault {
        guard position == nil else { return self }
        var copy = self
        var parser = JSONParser(bytes)
        copy.position = TextPosition(of: parser.offset(of: steps.reversed()), in: bytes)
        return copy
    }

    /// An error of a kind, at the position in a file.
    public func error(_ kind: ErrorKind, file: String, fix: String? = nil) -> RutterError {
        kind(
            explanation, at: .file(path: file, line: position?.line, column: position?.column),
            fix: fix ?? self.fix)
    }
}
