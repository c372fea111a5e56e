import PluginKit

/// The texts of an image by number: concatenated bytes, and the start of each; one more than there are texts.
struct ImageTexts: Sendable {
    let bytes: Column<UInt8>
    let offsets: Column<Int32>

    /// The number of texts.
    var count: Int { max(0, offsets.count - 1) }

    /// A text; `nil` for −1.
    subscript(index: Int32) -> String? {
        guard index >= 0, Int(index) < count else { return nil }
        let range = offsets.part(Int(index))
        bytes.check(range)
        return String(
            decoding: UnsafeBufferPointer(start: bytes.start + range.lowerBound, count: range.count),
            as: UTF8.self)
    }
}

extension TextTable {
    /// The number of a text, which is added if it is new; −1 for `nil`.
    mutating func index(of text: String?) -> Int32 {
        guard var text else { return -1 }
        return text.withUTF8 { index(of: UnsafeRawBufferPointer($0)) }
    }
}
