import Foundation

/// What bytes are that a format does not expect, as far as their start or end shows it.
enum ForeignBytes {
    private static let starts: [([UInt8], String)] = [
        (Array("{".utf8), "JSON"), (Array("[".utf8), "JSON"), (Array("<".utf8), "XML, such as GPX"),
        ([0xEF, 0xBB, 0xBF], "text with a byte order mark"), ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"),
        ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"), ([0x04, 0x22, 0x4D, 0x18], "LZ4"),
        (Array("bplist".utf8), "a property list"), (Array("bvx".utf8), "LZFSE"),
        (Array(".FIT".utf8), "a FIT recording"),
    ]

    /// In words after a finding; empty if nothing is known.
    static func words(_ data: Data) -> String {
        if data.isEmpty { return "" }
        let bytes = [UInt8](data)
        if let zeros = zeros(bytes) { return zeros }
        guard let name = starts.first(where: { bytes.starts(with: $0.0) })?.1 else { return "" }
        // One byte is a sign of text only if text follows.
        let isText = bytes.prefix(64).allSatisfy { $0 >= 0x20 && $0 != 0x7F || [9, 10, 13].contains($0) }
        return bytes[0] < 0x80 && (name == "JSON" || name.hasPrefix("XML")) && !isText
            ? "" : "; it begins like \(name)"
    }

    /// Bytes of zeros at the end from which they are no part of a stream.
    private static let mostZeros = 16

    private static func zeros(_ bytes: [UInt8]) -> String? {
        let end = (bytes.lastIndex { $0 != 0 } ?? -1) + 1
        let count = bytes.count - end
        if count < mostZeros { return nil }
        return end == 0 ? "; all are zeros" : "; the last \(count) bytes are zeros"
    }
}
