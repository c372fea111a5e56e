import Foundation

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
        let bytes = max(1, count) * MemoryLayout<Element>.stride
        let isLarge = bytes >= LargePages.size
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: bytes, alignment: isLarge ? LargePages.size : LargePages.line)
        if isLarge { LargePages.advise(memory, bytes) }
        base = memory.bindMemory(to: Element.self, capacity: max(1, count))
        base.initialize(repeating: value, count: count)
    }

    deinit { UnsafeMutableRawPointer(base).deallocate() }

    package var column: Column<Element> { Column(UnsafePointer(base), count: count) }
}

/// Pages of two megabytes for what is read here and there: with small ones the processor looks up an address for nearly
/// every read.
private enum LargePages {
    static let size = 2 << 20
    /// Bytes of a line of the processor's caches.
    static let line = 64

    /// Asks for large pages; whether there are any is up to the system.
    static func advise(_ memory: UnsafeMutableRawPointer, _ bytes: Int) {
        _ = madvise(memory, bytes / size * size, MADV_HUGEPAGE)
    }
}
