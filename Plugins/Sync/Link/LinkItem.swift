import CivilTime
import Formats
import Foundation
import PluginKit
import TrailStores

/// The four channels between phone and watch.
enum LinkChannel: String, Sendable, CaseIterable {
    /// A first-in, first-out queue that continues while the sender is suspended.
    case userInfo
    /// A queue of files with metadata.
    case file
    /// One slot each way: the newest replaces.
    case context
    /// Delivered at once or not at all.
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

/// An item sent from one device to another.
struct LinkItem: Sendable {
    /// Its delivery state.
    enum State: String, Sendable {
        case queued, applied, duplicate, unknown, failed, dropped, replaced
    }

    /// The type of a planned route, whose metadata name its `routeId`.
    static let plannedRoute = "plannedRoute"

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

/// A transfer dictionary as JSON. Binary values are base64, under the keys in `byteKeys`.
enum LinkPayload {
    private static let byteKeys: Set<String> = ["thumbnailData"]

    static func text(_ payload: [String: TransferDictionary.Primitive]) throws -> String {
        let members = try payload.map { key, value -> JSONTree.Member in
            switch value {
            case .text(let text): return .init(key, .text(text))
            case .number(let number):
                guard number.isFinite else { throw LinkErrors.payload("`\(key)` is not a finite number") }
                return .init(key, JSONTree(number))
            case .boolean(let flag): return .init(key, .boolean(flag))
            case .data(let data): return .init(key, .text(data.base64EncodedString()))
            }
        }
        return JSONTree.object(members).sorted.compactText
    }

    /// The link carries only flat objects of strings, numbers and booleans.
    static func read(_ text: String) -> [String: TransferDictionary.Primitive]? {
        // The reason a payload is invalid does not matter: the receiver treats it as unknown.
        guard let members = (try? JSONTree(parsing: Data(text.utf8)))?.members else { return nil }
        var payload: [String: TransferDictionary.Primitive] = [:]
        for member in members {
            switch member.value {
            case .boolean(let flag): payload[member.key] = .boolean(flag)
            case .number: payload[member.key] = member.value.number.map { .number($0) }
            case .text(let text):
                let bytes = byteKeys.contains(member.key) ? Data(base64Encoded: text) : nil
                payload[member.key] = bytes.map { .data($0) } ?? .text(text)
            default: return nil
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
            A message is delivered only while both apps run and both devices are connected; it is not queued. `link send` with the \
            channel userInfo is delivered later.
            """)
    static let payload = ErrorKind(
        "E-LINK-PAYLOAD", "unsupported link payload",
        explanation: """
            The link carries flat dictionaries: a JSON object whose values are strings, numbers, true or false. A thumbnail \
            is under 10 KB.
            """)
    static let peers = ErrorKind(
        "E-LINK-PEERS", "these devices have no link",
        explanation: "The watch link connects a phone and a watch. Tablets and Macs sync through the cloud.")
    static let item = ErrorKind(
        "E-LINK-NONE", "no queued items",
        explanation: "`link list` shows the queues.")

    static let order = ErrorKind(
        "E-LINK-ORDER", "no item can overtake",
        explanation: """
            Each channel of the link delivers items in the order in which they were sent; only items on different channels \
            can arrive in another order. `link mode field` lets any queue lose its order.
            """)

    static let all = [unreachable, payload, peers, item, order]
}
