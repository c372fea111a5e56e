import Foundation

/// The namespaces of GPX.
enum GPXNamespace {
    /// As published, and as some programs write them.
    private static let known: [StaticString] = [
        "http://www.topografix.com/GPX/1/1", "http://www.topografix.com/GPX/1/0",
        "https://www.topografix.com/GPX/1/1", "https://www.topografix.com/GPX/1/0",
        "http://www.topografix.com/GPX/1/1/", "http://www.topografix.com/GPX/1/0/",
    ]

    /// Whether a namespace is that of GPX; files without a namespace are common.
    static func isOwn(_ space: UnsafePointer<CChar>?) -> Bool {
        guard let space else { return true }
        return known.contains {
            strcmp(UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self), space) == 0
        }
    }
}

/// Text from XML.
enum GPXText {
    /// Removes the line ends and the indentation of formatted files: surrounding whitespace that contains a
    /// line end.
    static func withoutLayout(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let inner = trimmed(bytes)
        let newline = UInt8(ascii: "\n")
        let first = bytes[..<inner.startIndex].contains(newline) ? inner.startIndex : bytes.startIndex
        let last = bytes[inner.endIndex...].contains(newline) ? inner.endIndex : bytes.endIndex
        return bytes[first..<last]
    }

    /// Removes surrounding spaces, tabs and line ends.
    static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        guard let first = bytes.firstIndex(where: { $0 > 32 }), let last = bytes.lastIndex(where: { $0 > 32 })
        else {
            return bytes[bytes.startIndex..<bytes.startIndex]
        }
        return bytes[first...last]
    }
}
