import Foundation

/// An unguessable text, from the system's random generator and not from the session's, whose seed may be
/// known.
struct Secret: Sendable {
    /// 64 hexadecimal digits.
    let text: String

    /// A new secret.
    static func random() -> Secret {
        var bytes = [UInt8](repeating: 0, count: 32)
        // Fails only for more than 256 bytes, or on a kernel without the call.
        let status = getentropy(&bytes, bytes.count)
        precondition(status == 0, "the system random generator failed")
        return Secret(text: bytes.map { String(UInt32($0) + 256, radix: 16).dropFirst() }.joined())
    }

    /// Whether a text is this secret, in constant time.
    func matches(_ candidate: some StringProtocol) -> Bool {
        let (own, other) = (Array(text.utf8), Array(candidate.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
