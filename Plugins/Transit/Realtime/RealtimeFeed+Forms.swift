import Formats
import PluginKit

/// Messages in other forms than the binary one.
extension RealtimeFeed {
    /// Reads a message in its binary form, as JSON or in the text form of Protocol Buffers. Throws `E-TRANSIT-REALTIME`, with the
    /// name of the source where its content is another.
    init(anyForm bytes: [UInt8], named name: String) throws {
        do {
            try self.init(bytes)
        } catch let error as RutterError where error.code == TransitErrors.realtime.code {
            guard let likeness = MessageLikeness(bytes) else { throw error }
            let other = TransitErrors.realtime("\(name) is \(likeness.words)", fix: likeness.fix)
            guard let message = try Self.encoded(bytes, likeness) else { throw other }
            try self.init(message.bytes)
            unread = message.unread
        }
    }

    /// The binary form of another one; `nil` if it holds no message.
    private static func encoded(_ bytes: [UInt8], _ likeness: MessageLikeness) throws -> MessageEncoder? {
        switch likeness {
        case .json:
            do {
                return try MessageEncoder(JSONTree.parse(bytes, check: { try Interruption.check() }))
            } catch let fault as JSONFault {
                throw TransitErrors.realtime("not readable as JSON: \(fault)", fix: fault.fix)
            }
        case .text: return try MessageEncoder(MessageTextParser.tree(bytes))
        case .empty, .page, .archive, .other: return nil
        }
    }
}
