/// A made file whose items are known: what a reader makes of one must not depend on another.
package struct MutableFile: Sendable {
    /// Its name.
    package let name: String
    /// The bytes before its items.
    package let head: [UInt8]
    /// Its items; none where a change may reach all of the file.
    package let items: [[UInt8]]
    /// The bytes behind them.
    package let tail: [UInt8]
    /// Whether a change must keep the length, because the file says where its items are.
    package let keepsLength: Bool
    /// Whether only the end of the line parts its items.
    package var isOfLines = false
    /// What never ends if it is opened in an item, where nothing shows the next one: what follows it is not read, and that is said.
    package var endless: String?
    /// Bytes at the start of each item that part it from the others, as its length does.
    package var frame = 0
    /// Its share of the mutants that others have: less for a slow reader.
    package var share = 1.0

    /// A file of bytes.
    package init(
        _ name: String, head: [UInt8] = [], items: [[UInt8]], tail: [UInt8] = [], keepsLength: Bool = false
    ) {
        (self.name, self.head, self.items, self.tail) = (name, head, items, tail)
        self.keepsLength = keepsLength
    }

    /// A file of text.
    package init(_ name: String, head: String, items: [String], tail: String, isOfLines: Bool = false) {
        self.init(name, head: Array(head.utf8), items: items.map { Array($0.utf8) }, tail: Array(tail.utf8))
        self.isOfLines = isOfLines
    }

    /// A file of bytes without items.
    package init(_ name: String, whole: [UInt8], share: Double = 1) {
        self.init(name, head: whole, items: [])
        self.share = share
    }

    /// The whole file.
    package var bytes: [UInt8] { head + items.joined() + tail }

    /// The bytes of an item that a change may reach.
    package func range(of item: Int) -> Range<Int> {
        let start = head.count + items[..<item].reduce(0) { $0 + $1.count }
        return start + frame..<start + items[item].count
    }
}
