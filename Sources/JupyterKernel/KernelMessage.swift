import Core
import Formats
import Foundation

/// A message of the Jupyter protocol, without its signature.
struct KernelMessage: Sendable {
    /// Routing identities, or the topic of a broadcast.
    var identities: [[UInt8]]
    /// `msg_id`, `msg_type`, `session`, `username`, `date`, `version`.
    var header: JSONTree
    /// The parent's header; an empty object without a parent.
    var parent: JSONTree
    /// Metadata.
    var metadata: JSONTree
    /// The content.
    var content: JSONTree

    /// A message.
    init(
        identities: [[UInt8]] = [], header: JSONTree, parent: JSONTree = .object([]),
        metadata: JSONTree = .object([]), content: JSONTree
    ) {
        self.identities = identities
        self.header = header
        self.parent = parent
        self.metadata = metadata
        self.content = content
    }

    /// Its type, such as `execute_request`.
    var type: String { header["msg_type"]?.text ?? "" }
}

/// Why a message is dropped.
enum MessageFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The delimiter after the identities is missing.
    case noDelimiter
    /// It ends before its content.
    case tooShort
    /// The signature is not that of the key.
    case wrongSignature
    /// A message with this signature was already received.
    case repeated
    /// A part is not an object of JSON.
    case notJSON(String)

    /// The reason in words.
    var description: String {
        switch self {
        case .noDelimiter: "the delimiter <IDS|MSG> is missing"
        case .tooShort: "it has fewer than five parts"
        case .wrongSignature: "its signature is wrong"
        case .repeated: "it repeats an earlier message"
        case .notJSON(let part): "its \(part) is not a JSON object"
        }
    }
}

/// Writes and reads messages as the frames of the wire protocol, and signs them by HMAC-SHA256 with a key.
///
/// Source: jupyter-client documentation, "Messaging in Jupyter", the wire protocol.
struct MessageCoder: Sendable {
    static let delimiter = Array("<IDS|MSG>".utf8)
    private let key: [UInt8]

    /// A coder; an empty key neither signs nor checks, as the protocol specifies.
    init(key: String) { self.key = Array(key.utf8) }

    /// The frames of a message.
    func frames(of message: KernelMessage) -> [[UInt8]] {
        let parts = [message.header, message.parent, message.metadata, message.content].map {
            Array($0.compactText.utf8)
        }
        return message.identities + [Self.delimiter, Array(signature(of: parts[...]).utf8)] + parts
    }

    /// The message of frames, with its signature. Throws a `MessageFault` for an invalid message.
    func message(
        of frames: [[UInt8]]
    ) throws(MessageFault) -> (message: KernelMessage, signature: [UInt8]) {
        guard let delimiter = frames.firstIndex(of: Self.delimiter) else { throw .noDelimiter }
        let parts = frames[(delimiter + 1)...]
        guard parts.count >= 5, let signature = parts.first else { throw .tooShort }
        let signed = parts.dropFirst().prefix(4)
        guard Self.isSame(signature, Array(self.signature(of: signed).utf8)) else { throw .wrongSignature }
        var trees: [JSONTree] = []
        for (name, part) in zip(["header", "parent header", "metadata", "content"], signed) {
            guard let tree = try? JSONTree(parsing: part), case .object = tree else { throw .notJSON(name) }
            trees.append(tree)
        }
        let message = KernelMessage(
            identities: Array(frames[..<delimiter]), header: trees[0], parent: trees[1], metadata: trees[2],
            content: trees[3])
        return (message, signature)
    }

    private func signature(of parts: ArraySlice<[UInt8]>) -> String {
        guard !key.isEmpty else { return "" }
        return Digest.hmacSHA256(Array(parts.joined()), key: key) ?? ""
    }

    /// Constant-time comparison, against timing attacks.
    private static func isSame(_ given: [UInt8], _ right: [UInt8]) -> Bool {
        guard given.count == right.count else { return false }
        return zip(given, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// The signatures of recent messages, to reject replayed ones.
struct SeenSignatures {
    private static let mostKept = 4096
    private var known: Set<[UInt8]> = []
    private var order: [[UInt8]] = []
    private var oldest = 0

    /// Records a signature; returns whether it was known.
    mutating func remember(_ signature: [UInt8]) -> Bool {
        guard !signature.isEmpty else { return false }
        guard known.insert(signature).inserted else { return true }
        if order.count < Self.mostKept {
            order.append(signature)
        } else {
            known.remove(order[oldest])
            order[oldest] = signature
            oldest = (oldest + 1) % Self.mostKept
        }
        return false
    }
}
