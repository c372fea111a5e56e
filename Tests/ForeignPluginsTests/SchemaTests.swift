import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import ForeignPlugins

/// Recorded conversations conform to the shipped schema; messages that violate it do not.
@Suite(.timeLimit(.minutes(10)))
struct SchemaTests {
    private func validator() throws -> SchemaValidator {
        try SchemaValidator(Data(PackageResources.messages_schema_json))
    }

    /// A conversation with a plugin, both directions, as lines.
    private func recorded(_ program: String, _ name: String, _ entries: [String]) async throws -> [String] {
        let session = try ForeignSession()
        let (there, back) = (session.url("there").path, session.url("back").path)
        try session.write(
            name, name: name,
            command: ["sh", "-c", "tee -a '\(there)' | \(program) | tee -a '\(back)'"])
        try await session.test.value("plugin trust ./\(name)")
        try await session.test.value("plugin load ./\(name)")
        for entry in entries { await session.test.run(entry) }
        await session.test.session.close()
        return try [there, back].flatMap {
            try String(contentsOfFile: $0, encoding: .utf8).split(separator: "\n").map(String.init)
        }
    }

    @Test func conversationsHoldToIt() async throws {
        let examples = RealData.project.appendingPathComponent("Notebooks/plugins").path
        var lines = try await recorded(
            "'\(ForeignSession.program("hostile-plugin"))' good", "hostile",
            [
                "2.5km | hostile do", "range 1 3 | hostile do", "46.5,7.9 | hostile do",
                "'{\"$x\":1}' | from json | hostile do",
            ])
        lines += try await recorded(
            "bash '\(examples)/words/main.sh'", "words", ["words count 'a b'", "words count ''"])
        if ExampleTests.hasPython {
            lines += try await recorded(
                "python3 '\(examples)/sun/main.py'", "sun",
                ["sun times 51,0", "sun times 80,0 --date 2026-06-21", "trace sun year 46.5,7.9 --step 100"])
        }
        #expect(lines.count > 15)
        let validator = try validator()
        for line in lines {
            let faults = validator.faults(in: try JSONSerialization.jsonObject(with: Data(line.utf8)))
            #expect(faults.isEmpty, "\(line.prefix(300)): \(faults)")
        }
    }

    /// The conversation on the page conforms, too.
    @Test func thePageHoldsToIt() throws {
        let page = RealData.project.appendingPathComponent("Sources/ForeignPlugins/README.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("    > {") || $0.hasPrefix("    < {") }.map { $0.dropFirst(6) }
        #expect(lines.count > 8)
        let validator = try validator()
        for line in lines {
            let faults = validator.faults(in: try JSONSerialization.jsonObject(with: Data(line.utf8)))
            #expect(faults.isEmpty, "\(line): \(faults)")
        }
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","id":1,"method":"run","params":{}}"#,
        #"{"jsonrpc":"1.0","id":1,"result":{"value":1}}"#,
        #"{"jsonrpc":"2.0","id":1}"#, #"{"jsonrpc":"2.0","id":1,"result":{"value":{"$nonsense":1}}}"#,
        #"{"jsonrpc":"2.0","id":1,"result":{"value":{"$quantity":[1]}}}"#, "[]",
        #"{"jsonrpc":"2.0","method":"progress","params":{"id":1}}"#,
    ])
    func messagesThatBreakItDoNot(_ line: String) throws {
        let faults = try validator().faults(in: try JSONSerialization.jsonObject(with: Data(line.utf8)))
        #expect(!faults.isEmpty)
    }
}

/// The part of JSON Schema (draft 2020-12) that the schema of the messages uses.
struct SchemaValidator {
    private let root: [String: Any]

    init(_ data: Data) throws {
        root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// The violations of a value; empty if it conforms to the schema.
    func faults(in value: Any) -> [String] { faults(value, root, "") }

    private func faults(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
        var found: [String] = []
        if let reference = schema["$ref"] as? String, let name = reference.split(separator: "/").last,
            let target = (root["$defs"] as? [String: Any])?[String(name)] as? [String: Any]
        {
            found += faults(value, target, path)
        }
        if let constant = schema["const"], !same(constant, value) {
            found.append("\(path): is not \(constant)")
        }
        if let all = schema["enum"] as? [Any], !all.contains(where: { same($0, value) }) {
            found.append("\(path): is none of \(all)")
        }
        if let type = schema["type"] {
            let types = (type as? [String]) ?? [type as? String ?? ""]
            if !types.contains(where: { isOf($0, value) }) { found.append("\(path): is no \(types)") }
        }
        for (key, isOne) in [("anyOf", false), ("oneOf", true)] {
            guard let options = schema[key] as? [[String: Any]] else { continue }
            let fitting = options.filter { faults(value, $0, path).isEmpty }.count
            if fitting == 0 || (isOne && fitting > 1) { found.append("\(path): \(fitting) options fit") }
        }
        if let not = schema["not"] as? [String: Any], faults(value, not, path).isEmpty {
            found.append("\(path): is what it must not be")
        }
        if let text = value as? String, let pattern = schema["pattern"] as? String,
            text.range(of: pattern, options: .regularExpression) == nil
        {
            found.append("\(path): does not match \(pattern)")
        }
        if let text = value as? String {
            if text.count < schema["minLength"] as? Int ?? 0
                || text.count > schema["maxLength"] as? Int ?? .max
            {
                found.append("\(path): has \(text.count) characters")
            }
        }
        if let number = value as? NSNumber, isOf("number", value) {
            if let least = schema["minimum"] as? Double, number.doubleValue < least {
                found.append("\(path): is small")
            }
            if let most = schema["maximum"] as? Double, number.doubleValue > most {
                found.append("\(path): is large")
            }
        }
        if let items = value as? [Any] { found += listFaults(items, schema, path) }
        if let object = value as? [String: Any] { found += objectFaults(object, schema, path) }
        return found
    }

    private func listFaults(_ items: [Any], _ schema: [String: Any], _ path: String) -> [String] {
        var found: [String] = []
        if items.count < schema["minItems"] as? Int ?? 0 || items.count > schema["maxItems"] as? Int ?? .max {
            found.append("\(path): has \(items.count) items")
        }
        let first = schema["prefixItems"] as? [[String: Any]] ?? []
        for (index, item) in items.enumerated() {
            if index < first.count {
                found += faults(item, first[index], "\(path)[\(index)]")
            } else if let each = schema["items"] as? [String: Any] {
                found += faults(item, each, "\(path)[\(index)]")
            }
        }
        return found
    }

    private func objectFaults(_ object: [String: Any], _ schema: [String: Any], _ path: String) -> [String] {
        var found: [String] = []
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        for key in schema["required"] as? [String] ?? [] where object[key] == nil {
            found.append("\(path): has no \(key)")
        }
        if object.count < schema["minProperties"] as? Int ?? 0
            || object.count > schema["maxProperties"] as? Int ?? .max
        {
            found.append("\(path): has \(object.count) keys")
        }
        for (key, value) in object {
            if let names = schema["propertyNames"] as? [String: Any] {
                found += faults(key, names, "\(path).\(key)")
            }
            if let known = properties[key] {
                found += faults(value, known, "\(path).\(key)")
            } else if let others = schema["additionalProperties"] as? [String: Any] {
                found += faults(value, others, "\(path).\(key)")
            } else if schema["additionalProperties"] as? Bool == false {
                found.append("\(path): has \(key)")
            }
        }
        return found
    }

    private func isOf(_ type: String, _ value: Any) -> Bool {
        let isFlag = (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
        switch type {
        case "null": return value is NSNull
        case "boolean": return isFlag
        case "number": return value is NSNumber && !isFlag
        case "integer":
            return !isFlag && (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
        case "string": return value is String
        case "array": return value is [Any]
        case "object": return value is [String: Any]
        default: return false
        }
    }

    private func same(_ left: Any, _ right: Any) -> Bool { (left as? NSObject) == (right as? NSObject) }
}
