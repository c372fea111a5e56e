import Foundation

/// Any JSON, so that what a file has beyond what is known here is written back as it was.
indirect enum JSONField: Codable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONField])
    case object([String: JSONField])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let items = try? container.decode([JSONField].self) {
            self = .list(items)
        } else {
            self = .object(try container.decode([String: JSONField].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let items): try container.encode(items)
        case .object(let fields): try container.encode(fields)
        }
    }

    var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    var flag: Bool? {
        if case .boolean(let flag) = self { return flag }
        return nil
    }

    /// A number as short as it can be written.
    init(_ number: Double) {
        self = number == number.rounded() && abs(number) < 1e15 ? .integer(Int64(number)) : .number(number)
    }
}

/// What is wrong with a file, in words.
struct FileFault: Error {
    let message: String
}

/// Reads and writes arrays of JSON objects.
enum JSONList {
    static func objects(in data: Data) throws -> [[String: JSONField]] {
        let all: JSONField
        do {
            all = try JSONDecoder().decode(JSONField.self, from: data)
        } catch {
            throw FileFault(message: "it is no JSON")
        }
        guard case .list(let items) = all else { throw FileFault(message: "it is no JSON array") }
        return try items.enumerated().map { index, item in
            guard case .object(let fields) = item else {
                throw FileFault(message: "entry \(index + 1) is no object")
            }
            return fields
        }
    }

    static func data(_ objects: [[String: JSONField]]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(objects)
    }

    /// The identifier and name that every entry has.
    static func identity(_ fields: [String: JSONField], entry: Int) throws -> (id: UUID, name: String) {
        guard let id = fields["id"]?.text.flatMap(UUID.init(uuidString:)) else {
            throw FileFault(message: "`id` of entry \(entry) is no UUID")
        }
        guard let name = fields["name"]?.text else {
            throw FileFault(message: "entry \(entry) has no `name`")
        }
        return (id, name)
    }
}
