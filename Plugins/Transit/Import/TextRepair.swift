import Formats
import Foundation

/// Converts a table's bytes to UTF-8.
///
/// GTFS requires UTF-8. Invalid bytes are decoded as Windows-1252, a superset of ISO-8859-1, the usual
/// encoding of feeds that are not UTF-8; the fault is recorded, so that nothing is converted silently.
final class TextRepair: ByteSource {
    /// Bytes that are not UTF-8.
    struct Fault {
        /// The line of the first.
        var line: Int
        /// Their count so far.
        var count: Int
        /// Whether one of them is a letter in Windows-1252 only.
        var isWindows: Bool

        /// The encoding that the bytes probably have.
        var guess: String { isWindows ? "Windows-1252" : "ISO-8859-1" }
    }

    private var source: any ByteSource
    private var lines = 1
    /// Converted bytes that did not fit into the buffer, and how many of them were delivered.
    private var pending: [UInt8] = []
    private var delivered = 0
    /// An incomplete character at the end of what was read.
    private var carry: [UInt8] = []
    private var isAtStart = true
    private(set) var fault: Fault?
    /// Whether the table begins with the mark of UTF-16, from which it is converted.
    private(set) var isUTF16 = false

    init(_ source: any ByteSource) { self.source = source }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            if delivered < pending.count { return deliver(into: buffer) }
            let held = carry.count
            buffer.copyBytes(from: carry)
            carry = []
            let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[held...]))
            let total = held + count
            if total == 0 { return 0 }
            let bytes = UnsafeBufferPointer(
                rebasing: buffer.bindMemory(to: UInt8.self)[..<total])
            if isAtStart {
                isAtStart = false
                isUTF16 =
                    total >= 2 && (bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]))
                if isUTF16 {
                    source = UTF16Bytes(source, isBigEndian: bytes[0] == 0xFE, first: bytes.dropFirst(2))
                    continue
                }
            }
            let whole = count == 0 ? total : total - Self.cutOff(bytes)
            let ready = UnsafeBufferPointer(rebasing: bytes[..<whole])
            let rest = Array(bytes[whole...])
            if let first = UTF8Check.firstInvalid(ready) {
                convert(ready, from: first)
                carry = rest
                continue
            }
            self.count(newlines: ready)
            carry = rest
            if whole > 0 { return whole }
        }
    }

    private func deliver(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = pending[delivered..<min(pending.count, delivered + buffer.count)]
        buffer.copyBytes(from: part)
        delivered += part.count
        if delivered == pending.count { (pending, delivered) = ([], 0) }
        return part.count
    }

    /// The number of trailing bytes that may begin a character continued in the next bytes.
    private static func cutOff(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte < 0x80 { return 0 }
            if byte >= 0xC0 {
                let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
                return back < length ? back : 0
            }
        }
        return 0
    }

    private func count(newlines bytes: UnsafeBufferPointer<UInt8>) {
        guard var at = bytes.baseAddress.map({ UnsafeRawPointer($0) }) else { return }
        let end = at + bytes.count
        while at < end, let found = memchr(at, 0x0A, end - at) {
            lines += 1
            at = UnsafeRawPointer(found) + 1
        }
    }

    /// Converts bytes; those before `first` are valid.
    private func convert(_ bytes: UnsafeBufferPointer<UInt8>, from first: Int) {
        var start = 0
        var next: Int? = first
        while let invalid = next {
            let valid = UnsafeBufferPointer(rebasing: bytes[start..<invalid])
            count(newlines: valid)
            pending.append(contentsOf: valid)
            let byte = bytes[invalid]
            var fault = fault ?? Fault(line: lines, count: 0, isWindows: false)
            fault.count += 1
            if (0x80...0x9F).contains(byte) { fault.isWindows = true }
            self.fault = fault
            pending.append(contentsOf: String(Self.character(byte)).utf8)
            start = invalid + 1
            next = UTF8Check.firstInvalid(UnsafeBufferPointer(rebasing: bytes[start...])).map { start + $0 }
        }
        let rest = UnsafeBufferPointer(rebasing: bytes[start...])
        count(newlines: rest)
        pending.append(contentsOf: rest)
    }

    /// The character of a byte in Windows-1252 (WHATWG index); the five unassigned bytes are control
    /// characters.
    private static func character(_ byte: UInt8) -> Character {
        guard (0x80...0x9F).contains(byte) else { return Character(Unicode.Scalar(byte)) }
        return windows[Int(byte) - 0x80]
    }

    private static let windows = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ")
}
