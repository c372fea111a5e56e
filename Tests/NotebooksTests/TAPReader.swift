import Testing
import Yams

/// Reads TAP 14 strictly, as far as the report uses it: the oracle of its test.
struct TAPReader {
    struct Point {
        var isOK: Bool
        var description: String
        var directive: String
        var diagnostic: [String: String] = [:]
        var children: [Point] = []
    }

    struct Problem: Error { let line: String }

    private var lines: ArraySlice<String>

    static func points(_ text: String) throws -> [Point] {
        var reader = TAPReader(
            lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...])
        guard reader.lines.popFirst() == "TAP version 14" else { throw Problem(line: "version") }
        let points = try reader.block(indentation: "")
        guard let rest = reader.lines.first else { return points }
        throw Problem(line: rest)
    }

    private mutating func block(indentation: String) throws -> [Point] {
        guard let plan = lines.popFirst(), let count = Int(plan.dropFirst(indentation.count + 3)),
            plan == "\(indentation)1..\(count)"
        else { throw Problem(line: "plan") }
        var points: [Point] = []
        while points.count < count {
            var children: [Point] = []
            if let line = lines.first, line.hasPrefix(indentation + "# Subtest: ") {
                lines = lines.dropFirst()
                children = try block(indentation: indentation + "    ")
            }
            var point = try self.point(indentation, number: points.count + 1)
            point.children = children
            points.append(point)
        }
        return points
    }

    private mutating func point(_ indentation: String, number: Int) throws -> Point {
        guard let line = lines.popFirst(), line.hasPrefix(indentation) else { throw Problem(line: "point") }
        let text = line.dropFirst(indentation.count)
        let isOK = text.hasPrefix("ok \(number) - ")
        guard isOK || text.hasPrefix("not ok \(number) - ") else { throw Problem(line: line) }
        let (description, directive) = Self.unescaped(text.drop { $0 != "-" }.dropFirst(2))
        var point = Point(isOK: isOK, description: description, directive: directive)
        guard lines.first == indentation + "  ---" else { return point }
        lines = lines.dropFirst()
        var yaml: [String] = []
        while let line = lines.popFirst(), line != indentation + "  ..." {
            guard line.hasPrefix(indentation + "  ") else { throw Problem(line: line) }
            yaml.append(String(line.dropFirst(indentation.count + 2)))
        }
        for (key, value) in try Yams.compose(yaml: yaml.joined(separator: "\n"))?.mapping ?? [:] {
            point.diagnostic[key.string ?? ""] = value.string
        }
        return point
    }

    /// A description ends at a `#` that has no backslash.
    private static func unescaped(_ text: Substring) -> (String, String) {
        var description = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.popFirst() {
                description.append(next)
            } else if character == "#" {
                return (String(description.dropLast()), String(rest.dropFirst()))
            } else {
                description.append(character)
            }
        }
        return (description, "")
    }
}
