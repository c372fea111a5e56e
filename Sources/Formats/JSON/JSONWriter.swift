import Core

/// Formats JSON.
public struct JSONWriter: Sendable {
    /// The layout of the text.
    public enum Style: Sendable, Hashable {
        /// On one line without spaces.
        case compact
        /// Values that fit go on one line; others are broken up.
        case fitted
        /// Byte-identical to Foundation's `prettyPrinted`: the apps' files are compared with their copies.
        case apple(escapesSlashes: Bool)
    }

    /// Maximum columns of a line.
    public static let width = 100
    /// Minimum columns for a value at any depth.
    private static let narrowest = 20
    private static let indent = 2

    private let style: Style

    /// A writer.
    public init(_ style: Style) { self.style = style }

    /// The text of a value.
    public func text(_ tree: JSONTree) -> String {
        var out = ""
        write(tree) { out += $0 }
        return out
    }

    /// Writes a value in pieces. `depth` is its nesting level.
    public func write(_ tree: JSONTree, depth: Int = 0, to put: (String) throws -> Void) rethrows {
        switch style {
        case .compact:
            var out = ""
            _ = append(tree, to: &out, budget: .max)
            return try put(out)
        case .fitted:
            let budget = max(Self.width - depth * Self.indent, Self.narrowest)
            if let line = line(tree, budget: budget) { return try put(line) }
        case .apple: break
        }
        switch tree {
        case .list(let items):
            try block("[", "]", items, depth, put) { try write($0, depth: depth + 1, to: put) }
        case .object(let members):
            try block("{", "}", members, depth, put) { member in
                try put(quoted(member.key) + (style == .fitted ? ": " : " : "))
                try write(member.value, depth: depth + 1, to: put)
            }
        default:
            var out = ""
            _ = append(tree, to: &out, budget: .max)
            try put(out)
        }
    }

    /// The line break and indentation at a depth.
    public func lineStart(_ depth: Int) -> String {
        style == .compact ? "" : "\n" + String(repeating: " ", count: depth * Self.indent)
    }

    private func block<Item>(
        _ open: String, _ close: String, _ items: [Item], _ depth: Int, _ put: (String) throws -> Void,
        _ item: (Item) throws -> Void
    ) rethrows {
        try put(open + (items.isEmpty ? "\n" : ""))
        for (index, element) in items.enumerated() {
            try put((index > 0 ? "," : "") + lineStart(depth + 1))
            try item(element)
        }
        try put(lineStart(depth) + close)
    }

    /// The value on one line; `nil` if it exceeds the budget in bytes.
    public func line(_ tree: JSONTree, budget: Int) -> String? {
        var out = ""
        return append(tree, to: &out, budget: budget) ? out : nil
    }

    private func append(_ tree: JSONTree, to out: inout String, budget: Int) -> Bool {
        let separator = style == .compact ? "," : ", "
        switch tree {
        case .null: out += "null"
        case .boolean(let flag): out += flag ? "true" : "false"
        case .number(let text): out += text
        case .text(let text): out += quoted(text)
        case .list(let items):
            out += "["
            for (index, item) in items.enumerated() {
                if index > 0 { out += separator }
                guard append(item, to: &out, budget: budget) else { return false }
            }
            out += "]"
        case .object(let members):
            out += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { out += separator }
                out += quoted(member.key) + (style == .compact ? ":" : ": ")
                guard append(member.value, to: &out, budget: budget) else { return false }
            }
            out += "}"
        }
        return out.utf8.count <= budget
    }

    // MARK: Strings

    /// A string in double quotes. Control characters and those that turn the direction of text are written by their numbers, except in
    /// the apps' files.
    public static func quoted(_ text: String) -> String { JSONWriter(.compact).quoted(text) }

    private func quoted(_ text: String) -> String {
        let (isApple, escapesSlashes) =
            switch style {
            case .apple(let escapesSlashes): (true, escapesSlashes)
            default: (false, false)
            }
        let isPlain = text.utf8.allSatisfy {
            $0 >= 32 && $0 < 127 && $0 != 34 && $0 != 92 && (!escapesSlashes || $0 != 47)
        }
        if isPlain { return "\"" + text + "\"" }
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                out += "\\"
                out.unicodeScalars.append(scalar)
            case "/" where escapesSlashes: out += "\\/"
            case "\u{8}" where isApple: out += "\\b"
            case "\u{C}" where isApple: out += "\\f"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case _ where TerminalText.isHarmful(scalar):
                if isApple, scalar > "\u{1F}" {
                    out.unicodeScalars.append(scalar)
                } else {
                    let hex = String(scalar.value, radix: 16)
                    out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
                }
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
