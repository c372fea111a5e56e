// Text is compared by its bytes here. Swift's own comparison treats "e" + accent and "é" as equal, and a
// prefix as absent when a combining mark follows it; a notebook's output must match to the byte.

#if canImport(Glibc)
    import Glibc
#endif

extension StringProtocol {
    /// Whether the bytes begin with those of a prefix.
    func startsBytewise(with prefix: String) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    /// Whether it consists only of spaces, tabs and carriage returns.
    var isBlank: Bool { utf8.allSatisfy(TextBytes.isBlank) }
}

extension Substring {
    /// The text without trailing spaces, tabs and carriage returns.
    var trimmedAtEnd: String {
        var end = utf8.endIndex
        while end > utf8.startIndex {
            let before = utf8.index(before: end)
            guard TextBytes.isBlank(utf8[before]) else { break }
            end = before
        }
        return String(self[..<end])
    }
}

extension String {
    /// The text without trailing spaces, tabs and carriage returns.
    var trimmedAtEnd: String {
        guard let last = utf8.last, TextBytes.isBlank(last) else { return self }
        return self[...].trimmedAtEnd
    }
}

/// Bytes and lines of text.
enum TextBytes {
    /// A space, a tab or a carriage return.
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    /// Whether two texts have the same bytes.
    static func equal(_ a: String, _ b: String) -> Bool {
        guard a.utf8.count == b.utf8.count else { return false }
        let same = a.utf8.withContiguousStorageIfAvailable { first in
            b.utf8.withContiguousStorageIfAvailable { second in
                guard let left = first.baseAddress, let right = second.baseAddress else { return true }
                return memcmp(left, right, first.count) == 0
            }
        }
        return (same ?? nil) ?? a.utf8.elementsEqual(b.utf8)
    }

    /// The lines of an output for comparison: without trailing blanks and trailing blank lines.
    static func lines(of output: String) -> [String] {
        var lines = output.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { Substring($0).trimmedAtEnd }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
