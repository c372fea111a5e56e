import CivilTime
import Foundation
import PluginKit
import TrailStores

/// The four channels between phone and watch.
enum LinkChannel: String, Sendable, CaseIterable {
    /// A queue, first in, first out, that goes on while the sender is suspended.
    case userInfo
    /// A queue of files with metadata.
    case file
    /// One slot each way: the newest replaces.
    case context
    /// At once or not at all.
    case message

    var words: String {
        switch self {
        case .userInfo: "a queue, first in first out"
        case .file: "a queue of files"
        case .context: "one slot, the newest replaces"
        case .message: "at once or not at all"
        }
    }
}

/// Something on its way between two devices.
struct LinkItem: Sendable {
    /// How far it is.
    enum State: String, Sendable {
        case queued, applied, duplicate, unknown, failed, dropped, replaced
    }

    let id: Int64
    let message: String
    let sender: String
    let receiver: String
    let channel: LinkChannel
    let payload: [String: TransferDictionary.Primitive]
    let file: String?
    var state: State
    var detail: String

    var type: String {
        if case .text(let type)? = payload["type"] { return type }
        return ""
    }
}

/// A transfer dictionary as JSON. Bytes travel as base64 under the keys that hold bytes.
enum LinkPayload {
    private static let byteKeys: Set<String> = ["thumbnailData"]

    private enum Cell: Codable {
        case boolean(Bool)
        case number(Double)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .boolean(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .boolean(let flag): try container.encode(flag)
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            }
        }
    }

    static func text(_ payload: [String: TransferDictionary.Primitive]) throws -> String {
        let cells = payload.mapValues { value -> Cell in
            switch value {
            case .text(let text): .text(text)
            case .number(let number): .number(number)
            case .boolean(let flag): .boolean(flag)
            case .data(let data): .text(data.base64EncodedString())
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(cells), as: UTF8.self)
    }

    /// Only flat objects of texts, numbers, true and false are dictionaries that the link carries.
    static func read(_ text: String) -> [String: TransferDictionary.Primitive]? {
        guard let cells = try? JSONDecoder().decode([String: Cell].self, from: Data(text.utf8)) else {
            return nil
        }
        var payload: [String: TransferDictionary.Primitive] = [:]
        for (key, cell) in cells {
            switch cell {
            case .boolean(let flag): payload[key] = .boolean(flag)
            case .number(let number): payload[key] = .number(number)
            case .text(let text):
                let bytes = byteKeys.contains(key) ? Data(base64Encoded: text) : nil
                payload[key] = bytes.map { .data($0) } ?? .text(text)
            }
        }
        return payload
    }
}

/// Kinds of error of the watch link.
enum LinkErrors {
    static let unreachable = ErrorKind(
        "E-LINK-UNREACHABLE", "the other device cannot be reached",
        explanation: """
            A message goes only while both apps run and both devices are connected; it is not queued. `link send` with the \
            channel userInfo is delivered later.
            """)
    static let payload = ErrorKind(
        "E-LINK-PAYLOAD", "this cannot be sent over the link",
        explanation: """
            The link carries flat dictionaries: a JSON object whose values are texts, numbers, true or false. A thumbnail \
            is under 10 KB.
            """)
    static let peers = ErrorKind(
        "E-LINK-PEERS", "these devices have no link",
        explanation: "The watch link is between a phone and a watch. Macs sync through the cloud.")
    static let item = ErrorKind(
        "E-LINK-NONE", "nothing is on its way",
        explanation: "`link status` shows the queues.")

    static let order = ErrorKind(
        "E-LINK-ORDER", "nothing can overtake",
        explanation: """
            Each channel of the link delivers in the order in which things were sent; only what went over different channels \
            can arrive in another order. `link mode field` lets any queue lose its order.
            """)

    static let all = [unreachable, payload, peers, item, order]
}
