/// Values of one kind beside each other in memory that somebody else keeps.
///
/// It is a bare pointer so that loops compile to plain loads. Who holds a column also holds its owner.
package struct Column<Element: BitwiseCopyable>: @unchecked Sendable {
    package let base: UnsafePointer<Element>
    package let count: Int

    package init(_ base: UnsafePointer<Element>, count: Int) {
        self.base = base
        self.count = count
    }

    /// The element at an index, which must be below `count`.
    @inline(__always)
    package subscript(index: Int) -> Element {
        assert(index >= 0 && index < count)
        return base[index]
    }

    @inline(__always)
    package subscript(index: Int32) -> Element { self[Int(index)] }

    package var buffer: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }
}

/// A block of memory of one element type that is freed with its owner.
package final class Block<Element: BitwiseCopyable>: @unchecked Sendable {
    package let base: UnsafeMutablePointer<Element>
    package let count: Int

    package init(repeating value: Element, count: Int) {
        self.count = count
        base = .allocate(capacity: max(1, count))
        base.initialize(repeating: value, count: count)
    }

    deinit { base.deallocate() }

    package var column: Column<Element> { Column(UnsafePointer(base), count: count) }
}
