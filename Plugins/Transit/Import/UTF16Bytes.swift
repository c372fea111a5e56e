/// The bytes of a table in UTF-16 as UTF-8. A half of a character without its other half becomes U+FFFD.
final class UTF16Bytes: ByteSource {
    private let source: any ByteSource
    private let isBigEndian: Bool
    /// Bytes that were read and not converted: at most the half of a character after each read.
    private var held: [UInt8]
    /// Converted bytes, and how many of them were delivered.
    private var ready: [UInt8] = []
    private var delivered = 0
    private var isAtEnd = false

    /// Converts the rest of a source whose first bytes are known. Throws nothing: any two bytes are a unit.
    init(_ source: any ByteSource, isBigEndian: Bool, first bytes: some Sequence<UInt8>) {
        (self.source, self.isBigEndian, held) = (source, isBigEndian, Array(bytes))
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while delivered == ready.count {
            if isAtEnd { return 0 }
            (ready, delivered) = ([], 0)
            convert()
            if !ready.isEmpty { break }
            let count = try source.read(into: buffer)
            isAtEnd = count == 0
            held += buffer[..<count]
            convert()
        }
        let part = ready[delivered..<min(ready.count, delivered + buffer.count)]
        buffer.copyBytes(from: part)
        delivered += part.count
        return part.count
    }

    /// Converts all whole characters that are held.
    private func convert() {
        var at = 0
        func unit(_ index: Int) -> UInt16? {
            guard index + 1 < held.count else { return nil }
            let (first, second) = (UInt16(held[index]), UInt16(held[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        while let first = unit(at) {
            var count = 2
            var scalar = Unicode.Scalar(first)
            if UTF16.isLeadSurrogate(first) {
                guard let second = unit(at + 2) ?? (isAtEnd ? 0 : nil) else { break }
                if UTF16.isTrailSurrogate(second) {
                    scalar = UTF16.decode(UTF16.EncodedScalar([first, second]))
                    count = 4
                }
            }
            ready.append(contentsOf: UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
            at += count
        }
        held.removeFirst(at)
        guard isAtEnd, !held.isEmpty else { return }
        ready.append(contentsOf: UTF8.encodedReplacementCharacter)
        held = []
    }
}
