import Formats
import PluginKit

/// A message of a plugin: JSON-RPC 2.0, one object a line.
enum PluginMessage {
    /// An answer to a request of the host.
    case answer(id: Int, Result<JSONTree, Refusal>)
    /// A request to the host.
    case request(id: JSONTree, method: String, params: JSONTree)
    /// A notification.
    case notification(method: String, params: JSONTree)

    /// An error that a plugin answers with.
    struct Refusal: Error {
        /// The code, such as `E-SUN-DATE`; `nil` if it has another form.
        let code: String?
        let message: String
        let fix: String?
        /// The parameter whose word is wrong.
        let argument: String?
        /// Which of its values, from 0, where it repeats.
        var item: Int?
        /// The characters of the value that are wrong; all if unspecified.
        var characters: Range<Int>?

        /// The location to underline in the user's line.
        var place: RutterError.Place {
            guard let argument else { return .none }
            if item == nil, characters == nil { return .parameter(argument) }
            return .part(of: argument, item: item ?? 0, characters: characters)
        }
    }

    /// Reads a line. Throws `JSONFault` for an invalid message.
    init(_ line: [UInt8]) throws(JSONFault) {
        let tree = try JSONTree(parsing: line)
        guard tree.members != nil else { throw JSONFault("a message is an object") }
        let id = tree["id"].flatMap { $0 == .null ? nil : $0 }
        if let method = tree["method"] {
            let name = try String(json: method)
            let params = tree["params"] ?? .object([])
            self =
                id.map { .request(id: $0, method: name, params: params) }
                ?? .notification(method: name, params: params)
            return
        }
        guard let id else { throw JSONFault("the message has neither `method` nor `id`") }
        let number = try Int(json: id)
        if let error = tree["error"], error != .null {
            self = .answer(id: number, .failure(try Self.refusal(error)))
        } else if let result = tree["result"] {
            self = .answer(id: number, .success(result))
        } else {
            throw JSONFault("the answer has neither `result` nor `error`")
        }
    }

    /// The plugin's details are beside the message, or in `data` if `code` is JSON-RPC's number.
    private static func refusal(_ tree: JSONTree) throws(JSONFault) -> Refusal {
        let facts = tree["data"]?.members == nil ? tree : tree["data"] ?? tree
        return Refusal(
            code: (facts["code"] ?? tree["code"])?.text,
            message: try tree.readIfPresent("message") ?? "no reason given",
            fix: facts["fix"]?.text, argument: facts["argument"]?.text,
            item: try facts.readIfPresent("item"), characters: try characters(facts))
    }

    /// `range`: the first character and the one after the last.
    private static func characters(_ facts: JSONTree) throws(JSONFault) -> Range<Int>? {
        guard let ends: [Int] = try facts.readIfPresent("range") else { return nil }
        guard ends.count == 2, ends[0] >= 0, ends[0] < ends[1] else {
            throw JSONFault("`range` must be [first, end] in characters, with first < end")
        }
        return ends[0]..<ends[1]
    }

    /// A request of the host as a line.
    static func request(_ method: String, id: Int, _ params: JSONTree) -> [UInt8] {
        line(["jsonrpc": .text("2.0"), "id": JSONTree(id), "method": .text(method), "params": params])
    }

    /// A notification of the host as a line.
    static func notification(_ method: String, _ params: JSONTree) -> [UInt8] {
        line(["jsonrpc": .text("2.0"), "method": .text(method), "params": params])
    }

    /// An answer of the host as a line.
    static func answer(_ id: JSONTree, _ result: JSONTree) -> [UInt8] {
        line(["jsonrpc": .text("2.0"), "id": id, "result": result])
    }

    /// The host's error answer as a line.
    static func refusal(_ id: JSONTree, _ error: RutterError, number: Int) -> [UInt8] {
        line([
            "jsonrpc": .text("2.0"), "id": id,
            "error": JSONTree(members: [
                "code": JSONTree(number), "message": .text(error.message),
                "data": JSONTree(members: ["code": .text(error.code), "fix": error.fix.map { .text($0) }]),
            ]),
        ])
    }

    private static func line(_ members: KeyValuePairs<String, JSONTree?>) -> [UInt8] {
        Array(JSONTree(members: members).compactText.utf8) + [0x0A]
    }
}
