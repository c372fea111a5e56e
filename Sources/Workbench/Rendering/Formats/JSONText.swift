/// Lays out JSON: what fits on a line stands on one line, what does not is broken up.
struct JSONText {
    /// Columns of a line.
    static let width = 100
    private static let indent = 2

    /// Whether everything is on one line without blanks.
    let compact: Bool

    func write(_ node: JSONNode, depth: Int = 0, to sink: TextSink) throws {
        if compact {
            var out = ""
            _ = append(node, to: &out, budget: .max)
            return try sink.write(out)
        }
        let column = depth * Self.indent
        if let line = line(node, budget: max(Self.width - column, 20)) { return try sink.write(line) }
        switch node {
        case .array(let items):
            try block("[", "]", items.count, depth, sink) { try write(items[$0], depth: depth + 1, to: sink) }
        case .object(let members):
            try block("{", "}", members.count, depth, sink) { index in
                try sink.write(Self.quoted(members[index].name) + ": ")
                try write(members[index].value, depth: depth + 1, to: sink)
            }
        default:
            var out = ""
            _ = append(node, to: &out, budget: .max)
            try sink.write(out)
        }
    }

    /// What begins a line at a depth.
    func lineStart(_ depth: Int) -> String {
        compact ? "" : "\n" + String(repeating: " ", count: depth * Self.indent)
    }

    private func block(
        _ open: String, _ close: String, _ count: Int, _ depth: Int, _ sink: TextSink,
        _ item: (Int) throws -> Void
    ) throws {
        try sink.write(open)
        for index in 0..<count {
            try sink.write((index > 0 ? "," : "") + lineStart(depth + 1))
            try item(index)
        }
        try sink.write(lineStart(depth) + close)
    }

    /// The node on one line; `nil` when it does not fit.
    func line(_ node: JSONNode, budget: Int) -> String? {
        var out = ""
        return append(node, to: &out, budget: budget) ? out : nil
    }

    private func append(_ node: JSONNode, to out: inout String, budget: Int) -> Bool {
        let separator = compact ? "," : ", "
        switch node {
        case .null: out += "null"
        case .boolean(let flag): out += flag ? "true" : "false"
        case .number(let text): out += text
        case .string(let text): out += Self.quoted(text)
        case .array(let items):
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
                out += Self.quoted(member.name) + (compact ? ":" : ": ")
                guard append(member.value, to: &out, budget: budget) else { return false }
            }
            out += "}"
        }
        return out.utf8.count <= budget
    }

    /// A string in double quotes; control characters are escaped, so that text shows what it holds.
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 >= 32 && $0 < 127 && $0 != 34 && $0 != 92 }
        if isPlain { return "\"" + text + "\"" }
        var out = String.UnicodeScalarView()
        out.append("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": out += ["\\", scalar]
            case "\n": out += ["\\", "n"]
            case "\r": out += ["\\", "r"]
            case "\t": out += ["\\", "t"]
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
                let hex = String(scalar.value, radix: 16)
                out += ("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).unicodeScalars
            default: out.append(scalar)
            }
        }
        out.append("\"")
        return String(out)
    }
}
