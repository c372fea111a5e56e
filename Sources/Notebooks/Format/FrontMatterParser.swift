import Core
import Foundation
import Yams

/// Parses the YAML between `---` lines at the start of a notebook.
struct FrontMatterParser {
    let limits: NotebookLimits

    /// The keys, in the order in which messages list them.
    static let keys = [
        "seed", "clock", "timezone", "width", "units", "data", "requires", "plugins", "network",
        "timeout", "lesson",
    ]

    /// The indexes of the front matter's lines with both their fences, or `nil` without front matter.
    static func extent(in lines: [SourceText.Line]) throws -> Range<Int>? {
        guard let first = lines.first, first.text.trimmedAtEnd == "---" else { return nil }
        let end = lines.dropFirst().firstIndex { ["---", "..."].contains($0.text.trimmedAtEnd) }
        guard let end else {
            throw NotebookError(
                .frontMatter, line: 1, "the front matter is not closed",
                suggestion: "end it with a line of `---`")
        }
        return 0..<(end + 1)
    }

    /// The settings of the lines, fences included.
    func settings(_ lines: ArraySlice<SourceText.Line>) throws -> NotebookSettings {
        let yaml = lines.dropFirst().dropLast().map(\.text).joined(separator: "\n")
        try refuseExcess(yaml)
        guard let node = try compose(yaml) else { return NotebookSettings() }
        guard case .mapping(let mapping) = node else {
            throw error(node, "the front matter is not a list of `key: value`")
        }
        var settings = NotebookSettings()
        var clock: Node?
        for (key, value) in mapping {
            guard let name = key.scalar?.string else {
                throw error(key, "a key of the front matter is not a word")
            }
            if name == "clock" { clock = value } else { try read(name, key, value, into: &settings) }
        }
        if let clock { settings.clock = try date(clock, timezone: settings.timezone) }
        return settings
    }

    /// Nested aliases can expand to more text than fits in memory; front matter needs none.
    private func refuseExcess(_ yaml: String) throws {
        let aliases = yaml.utf8.count { $0 == UInt8(ascii: "*") }
        guard yaml.utf8.count <= limits.frontMatterBytes, aliases <= limits.frontMatterAliases else {
            throw NotebookError(
                .frontMatter, line: 1, "the front matter is too large or has too many aliases")
        }
    }

    private func compose(_ yaml: String) throws -> Node? {
        do {
            return try Yams.compose(yaml: yaml)
        } catch let problem as YamlError {
            throw Self.error(of: problem, yaml)
        } catch {
            throw NotebookError(.frontMatter, line: 1, "the front matter is not YAML: \(error)")
        }
    }

    private static func error(of problem: YamlError, _ yaml: String) -> NotebookError {
        switch problem {
        case .scanner(_, let text, let mark, _), .parser(_, let text, let mark, _),
            .composer(_, let text, let mark, _):
            return NotebookError(.frontMatter, line: mark.line + 1, "the front matter is not YAML: \(text)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            let names = duplicates.map { "`\($0)`" }.joined(separator: ", ")
            // The YAML parser reports the start of the mapping; report the second key instead.
            let lines = yaml.split(separator: "\n", omittingEmptySubsequences: false)
            let second = lines.lastIndex { line in duplicates.contains { line.hasPrefix("\($0):") } }
            return NotebookError(
                .frontMatter, line: (second.map { $0 + 1 } ?? context.mark.line) + 1,
                "duplicate key \(names) in the front matter")
        default:
            return NotebookError(.frontMatter, line: 1, "the front matter is not YAML")
        }
    }

    private func read(_ name: String, _ key: Node, _ value: Node, into settings: inout NotebookSettings)
        throws
    {
        switch name {
        case "seed": settings.seed = try number(value, name, UInt64.init, "a whole number such as 42")
        case "width": settings.width = try width(value)
        case "lesson": settings.lesson = try lesson(value)
        case "timezone": settings.timezone = try timezone(value)
        case "units": settings.units = try units(value)
        case "timeout": settings.timeout = try timeout(value)
        case "requires": settings.requires = try list(value).map { try text($0, "the name of a plugin") }
        case "plugins":
            settings.plugins = try list(value).map { try text($0, "the folder or name of a plugin") }
        case "network": settings.usesNetwork = try flag(value, name)
        case "data": settings.data = try list(value).map(dataFile)
        default:
            throw error(
                key, "unknown front matter key `\(name)`",
                suggestion: Suggestion.sentence(for: name, among: Self.keys))
        }
    }
}

// MARK: - Values

extension FrontMatterParser {
    private func number<T>(_ node: Node, _ name: String, _ make: (String) -> T?, _ wanted: String) throws -> T
    {
        guard let value = make(try text(node, wanted)) else {
            throw error(node, "`\(name)` must be \(wanted), not `\(node.scalar?.string ?? "")`")
        }
        return value
    }

    private func flag(_ node: Node, _ name: String) throws -> Bool {
        guard let value = node.bool else {
            throw error(node, "`\(name)` must be true or false, not `\(node.scalar?.string ?? "")`")
        }
        return value
    }

    private func width(_ node: Node) throws -> Int {
        let wanted = "a number of columns from 20 to 1000"
        let width = try number(node, "width", { Int($0) }, wanted)
        guard (20...1000).contains(width) else {
            throw error(node, "`width` must be \(wanted), not \(width)")
        }
        return width
    }

    private func lesson(_ node: Node) throws -> Int {
        let wanted = "a whole number from 1"
        let number = try number(node, "lesson", { Int($0) }, wanted)
        guard number > 0 else { throw error(node, "`lesson` must be \(wanted), not \(number)") }
        return number
    }

    private func timezone(_ node: Node) throws -> String {
        let name = try text(node, "the name of a time zone")
        guard TimeZone(databaseName: name) != nil else {
            throw error(
                node, "`\(name)` is not a time zone", suggestion: "write one such as `Europe/Berlin` or `UTC`"
            )
        }
        return name
    }

    private func units(_ node: Node) throws -> NotebookSettings.Units {
        let name = try text(node, "`metric` or `imperial`")
        guard let units = NotebookSettings.Units(rawValue: name) else {
            throw error(
                node, "`\(name)` is not a system of units",
                suggestion: Suggestion.sentence(
                    for: name, among: NotebookSettings.Units.allCases.map(\.rawValue)))
        }
        return units
    }

    private func timeout(_ node: Node) throws -> Duration {
        let written = try text(node, "a duration such as `30s`")
        guard let quantity = WrittenQuantity(written), quantity.dimension == .of(.duration),
            (0.001...86_400).contains(quantity.value)
        else {
            throw error(
                node, "`\(written)` is not a timeout", suggestion: "write a duration such as `30s` or `2min`")
        }
        return .milliseconds(Int64((quantity.value * 1000).rounded()))
    }

    private func date(_ node: Node, timezone: String) throws -> Date {
        let written = try text(node, "a time such as 2026-02-06T08:00:00Z")
        guard let date = ClockText.date(written, timezone: timezone) else {
            throw error(
                node, "`\(written)` is not a time", suggestion: "write one such as `2026-02-06T08:00:00Z`")
        }
        return date
    }

    private func dataFile(_ node: Node) throws -> NotebookSettings.DataFile {
        if node.scalar != nil { return try dataFile(named: text(node, "a file name"), node) }
        guard case .mapping(let mapping) = node else {
            throw error(node, "an entry of `data` must be a file name or {file: NAME, sha256: HASH}")
        }
        var file: NotebookSettings.DataFile?
        var hash: String?
        for (key, value) in mapping {
            switch key.scalar?.string {
            case "file": file = try dataFile(named: text(value, "a file name"), value)
            case "sha256": hash = try self.hash(value)
            default:
                throw error(
                    key, "`\(key.scalar?.string ?? "?")` is not a key of a data file",
                    suggestion: Suggestion.sentence(for: key.scalar?.string ?? "", among: ["file", "sha256"]))
            }
        }
        guard var file else { throw error(node, "an entry of `data` has no `file`") }
        file.sha256 = hash
        return file
    }

    private func dataFile(named name: String, _ node: Node) throws -> NotebookSettings.DataFile {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.isEmpty, !name.utf8.contains(0), !name.startsBytewise(with: "/"), !parts.contains("..")
        else {
            throw NotebookError(
                .data, line: line(node), "the data file `\(name)` is outside the notebook's folder",
                suggestion: "name it relative to the notebook, or pass its folder with `--data`")
        }
        var file = NotebookSettings.DataFile(file: name)
        file.line = line(node)
        return file
    }

    private func hash(_ node: Node) throws -> String {
        let hash = try text(node, "a SHA-256").lowercased()
        guard hash.utf8.count == 64, hash.allSatisfy(\.isHexDigit) else {
            throw error(node, "`sha256` must be 64 hexadecimal digits")
        }
        return hash
    }

    private func list(_ node: Node) throws -> [Node] {
        if case .sequence(let sequence) = node { return Array(sequence) }
        return [node]
    }

    private func text(_ node: Node, _ wanted: String) throws -> String {
        guard let scalar = node.scalar else { throw error(node, "this must be \(wanted)") }
        return scalar.string
    }

    private func line(_ node: Node) -> Int { (node.mark?.line ?? 0) + 1 }

    private func error(_ node: Node, _ message: String, suggestion: String? = nil) -> NotebookError {
        NotebookError(.frontMatter, line: line(node), message, suggestion: suggestion)
    }
}
