import Foundation
import Glibc

/// An encoding by its name, such as `windows-1251`, `shift_jis` or `gb18030`, as the C library converts it.
package struct NamedEncoding: Sendable, Hashable {
    /// The name by which the C library knows it.
    package let name: String

    /// Encodings of files that people have, for completion and suggestions; the C library knows more of them.
    package static let usual = [
        "utf-8", "utf-16", "utf-16le", "utf-16be", "windows-1250", "windows-1251", "windows-1252",
        "windows-1253",
        "windows-1254", "windows-1255", "windows-1256", "windows-1257", "iso-8859-1", "iso-8859-2",
        "iso-8859-5",
        "iso-8859-7", "iso-8859-9", "iso-8859-15", "koi8-r", "koi8-u", "macintosh", "cp437", "cp850", "cp866",
        "shift_jis", "cp932", "euc-jp", "iso-2022-jp", "gbk", "gb18030", "big5", "euc-kr", "cp949",
    ]
    /// Names that other programs use for encodings that the C library calls otherwise.
    private static let others = [
        "latin1": "iso-8859-1", "latin-1": "iso-8859-1", "latin2": "iso-8859-2", "latin9": "iso-8859-15",
        "ansi": "windows-1252", "sjis": "shift_jis", "macroman": "macintosh", "mac-roman": "macintosh",
        "utf8": "utf-8", "utf16": "utf-16", "utf-8-sig": "utf-8", "utf_8_sig": "utf-8",
    ]

    /// `nil` if the C library does not know the name.
    package init?(_ name: String) {
        let plain = Self.others[name.lowercased()] ?? name
        // Signs behind a slash would ask the library to skip or replace what it cannot convert.
        guard !plain.isEmpty, plain.utf8.allSatisfy({ Self.isNameByte($0) }) else { return nil }
        self.name = plain
        guard let converter = try? Converter(plain) else { return nil }
        _ = converter
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...122).contains(byte | 32) || "-_:.".utf8.contains(byte)
    }

    /// The text as UTF-8. Throws the offset of the first byte that is no text of the encoding.
    package func converted(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
        try Converter(name).converted(bytes)
    }

    /// Bytes that are no text of an encoding.
    package struct Fault: Error, Hashable {
        /// The offset of the first of them.
        package let offset: Int
    }

    /// A descriptor of `iconv`, closed at the end.
    private final class Converter {
        private let descriptor: iconv_t

        init(_ name: String) throws(Fault) {
            // The library returns (iconv_t)-1 for a name that it does not know.
            guard let opened = iconv_open("UTF-8", name), opened != UnsafeMutableRawPointer(bitPattern: -1)
            else {
                throw Fault(offset: 0)
            }
            descriptor = opened
        }

        deinit { iconv_close(descriptor) }

        func converted(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count + bytes.count / 2)
            var source = bytes
            var read = 0
            var isFlushed = false
            let piece = 1 << 16
            while !isFlushed {
                var failure: Int32 = 0
                let isEnd = read == source.count
                let written = [UInt8](unsafeUninitializedCapacity: piece) { room, count in
                    source.withUnsafeMutableBytes { input in
                        var from = input.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) + read }
                        var left = input.count - read
                        let start = UnsafeMutableRawPointer(room.baseAddress)?.assumingMemoryBound(
                            to: CChar.self)
                        var to = start
                        var free = piece
                        // At the end, what a state of shifted characters still holds.
                        let outcome =
                            isEnd
                            ? iconv(descriptor, nil, nil, &to, &free)
                            : iconv(descriptor, &from, &left, &to, &free)
                        if outcome == -1 { failure = errno }
                        read = input.count - left
                        count = piece - free
                    }
                }
                result += written
                switch failure {
                case 0: isFlushed = isEnd
                case E2BIG: break
                default: throw Fault(offset: read)
                }
            }
            return result
        }
    }
}
