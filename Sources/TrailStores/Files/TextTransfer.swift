import Foundation

/// How a transfer of a database as text changed its bytes. Some changes can be undone exactly: then the result has the
/// pages of a database again.
package enum TextTransfer: String, Sendable, CaseIterable {
    /// LF became CR LF, as by `adb shell cat` or FTP in text mode.
    case lineEnds
    /// Each byte was read as a character of Latin-1 or Windows-1252, and written as UTF-8.
    case utf8
    /// Bytes that are not UTF-8 were replaced by U+FFFD: they are lost.
    case replaced
    /// The bytes were written as base64.
    case base64
    /// The bytes were written as UTF-16, as by PowerShell's `>`.
    case utf16

    /// Maximum bytes of a file that is read as a whole.
    private static let largest = 256 << 20

    /// What happened.
    package var what: String {
        switch self {
        case .lineEnds: "line ends were rewritten by a transfer in text mode: each LF became CR LF"
        case .utf8: "the bytes were read as Latin-1 and written as UTF-8 by a transfer as text"
        case .replaced:
            "bytes that are not UTF-8 were replaced by U+FFFD by a transfer as text: they are lost"
        case .base64: "the file is encoded in base64"
        case .utf16: "the bytes were written as UTF-16 text, as by PowerShell's `>`"
        }
    }

    /// How to mend it.
    package var fix: String {
        switch self {
        case .lineEnds, .utf8, .base64:
            "`store repair` undoes this exactly; or transfer the file again as binary"
        case .replaced, .utf16:
            "transfer the file again as binary, for example with `adb exec-out` or `adb pull`"
        }
    }

    /// The change that explains a file; `nil` if none does.
    package static func of(_ file: FileBytes) -> TextTransfer? { found(file)?.transfer }

    /// The bytes before the transfer; `nil` if no change that can be undone explains the file.
    package static func undone(_ file: FileBytes) -> (transfer: TextTransfer, bytes: [UInt8])? {
        guard let (transfer, bytes) = found(file), let bytes else { return nil }
        return (transfer, bytes)
    }

    private static func found(_ file: FileBytes) -> (transfer: TextTransfer, bytes: [UInt8]?)? {
        let size = file.size
        guard size > 0, size <= largest else { return nil }
        let start = file.bytes(at: 0, count: 16)
        if start.starts(with: [0xFF, 0xFE, 0x53, 0, 0x51, 0, 0x4C, 0]) { return (.utf16, nil) }
        let isEncoded = start.starts(with: base64Start)
        guard isEncoded || start.starts(with: magicStart) else { return nil }
        let bytes = file.bytes(at: 0, count: size)
        if isEncoded {
            guard let data = Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters),
                isDatabase([UInt8](data))
            else { return nil }
            return (.base64, [UInt8](data))
        }
        if let plain = withoutReturns(bytes), isDatabase(plain) { return (.lineEnds, plain) }
        guard bytes.contains(where: { $0 >= 0x80 }), let text = String(validating: bytes, as: UTF8.self)
        else {
            return nil
        }
        if let plain = latin(text), isDatabase(plain) { return (.utf8, plain) }
        return text.unicodeScalars.contains(replacement) ? (.replaced, nil) : nil
    }

    private static let magicStart = Array("SQLite format 3".utf8)
    private static let base64Start = Array("U1FMaXRlIGZvcm1hdCAz".utf8.prefix(16))
    private static let replacement: Unicode.Scalar = "\u{FFFD}"

    /// Whether bytes are whole pages that their header describes.
    private static func isDatabase(_ bytes: [UInt8]) -> Bool {
        let reading = HeaderReading(size: bytes.count) { offset, count in
            guard offset < bytes.count else { return [] }
            return Array(bytes[offset..<min(bytes.count, offset + count)])
        }
        guard let reading else { return false }
        return reading.isSound && reading.supporting > 0 && bytes.count % reading.pageSize == 0
    }

    /// Without the CR before each LF; `nil` if an LF has none, or there are no LF.
    private static func withoutReturns(_ bytes: [UInt8]) -> [UInt8]? {
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte == 0x0A {
                guard plain.last == 0x0D else { return nil }
                plain.removeLast()
            }
            plain.append(byte)
        }
        return plain.count < bytes.count ? plain : nil
    }

    /// The bytes of characters of Latin-1 or Windows-1252; `nil` if there are others.
    private static func latin(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if scalar.value <= 0xFF {
                bytes.append(UInt8(scalar.value))
            } else if let byte = windows[scalar.value] {
                bytes.append(byte)
            } else {
                return nil
            }
        }
        return bytes
    }

    /// The characters that Windows-1252 has for the bytes 0x80 to 0x9F (five of which have none).
    private static let windows: [UInt32: UInt8] = {
        let characters = Array("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
        var map: [UInt32: UInt8] = [:]
        for (offset, scalar) in characters.enumerated() { map[scalar.value] = UInt8(0x80 + offset) }
        return map
    }()
}
