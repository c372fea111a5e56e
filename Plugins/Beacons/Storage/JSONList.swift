import Foundation
import TrailStores

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
