import Core

/// What is wrong with a JSON text, and where.
public struct JSONFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of rule is broken.
    public enum Kind: Sendable, Hashable {
        /// The bytes are not UTF-8.
        case encoding
        /// The text is not JSON.
        case syntax
        /// Values are nested too deeply.
        case depth
        /// The text is too long.
        case size
        /// The text is JSON, but not what the reader expects.
        case content
        /// A value is out of its range.
        case value
        /// The reader was told to stop.
        case stopped
    }

    /// A step of a path.
    enum Step: Sendable, Hashable {
        case key(String)
        case index(Int)
    }

    /// Keys in a path are shown up to so many characters.
    private static let longestKey = 60

    /// What kind of rule is broken.
    public let kind: Kind
    /// What is wrong, without its location.
    public let message: String
    /// Where in the text; `nil` for faults of content that are not located yet.
    public private(set) var position: TextPosition?
    /// What to do about it, where that is known.
    public let fix: String?
    /// The steps to the value, the innermost first.
    private(set) var steps: [Step] = []

    init(_ kind: Kind, _ message: String, _ position: TextPosition? = nil, fix: String? = nil) {
        self.kind = kind
        self.message = message
        self.position = position
        self.fix = fix
    }

    /// A value that is not what its reader expects.
    public init(_ message: String) { self.init(.content, message) }

    /// A value that is out of its range.
    public init(value message: String) { self.init(.value, message) }

    /// The path of the value from the root `$`, such as `$.features[3].geometry`.
    public var path: String {
        steps.reversed().reduce(into: "$") { path, step in
            switch step {
            case .index(let index): path += "[\(index)]"
            case .key(let key):
                let isPlain =
                    key.first?.isNumber == false && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
                let shown = key.count > Self.longestKey ? key.prefix(Self.longestKey) + "…" : key[...]
                path += isPlain ? ".\(shown)" : "[\(JSONWriter.quoted(String(shown)))]"
            }
        }
    }

    /// The path and what is wrong.
    public var explanation: String { steps.isEmpty ? message : "\(path): \(message)" }

    /// Line, column, path and what is wrong.
    public var description: String {
        (position.map { "line \($0.line), column \($0.column): " } ?? "") + explanation
    }

    /// The same fault of a value under a key.
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
