import Foundation

/// Contiguous values of one type in memory that another object owns.
///
/// A column must not outlive its owner. Values of a mapped file are checked when they are first read.
///
/// Unchecked: the values are not written after the column is made, and the states of checks are bytes of which each is written with one value.
package struct Column<Element: BitwiseCopyable>: @unchecked Sendable {
    /// The values, checked or not.
    let start: UnsafePointer<Element>
    package let count: Int
    private let checks: UnsafeMutablePointer<MemoryImage.SectionChecks>?

    package init(_ start: UnsafePointer<Element>, count: Int) { self.init(start, count: count, checks: nil) }

    init(
        _ start: UnsafePointer<Element>, count: Int, checks: UnsafeMutablePointer<MemoryImage.SectionChecks>?
    ) {
        (self.start, self.count, self.checks) = (start, count, checks)
    }

    /// All values, checked, as a raw pointer, so that loops compile to plain loads.
    package var base: UnsafePointer<Element> {
        if let checks, !checks.pointee.isWhole { checks.pointee.verifyAll() }
        return start
    }

    /// The element at an index, which must be below `count`.
    @inline(__always)
    package subscript(index: Int) -> Element {
        assert(index >= 0 && index < count)
        check(index)
        return start[index]
    }

    @inline(__always)
    package subscript(index: Int32) -> Element { self[Int(index)] }

    /// Checks the values of a range that are then read through `start`.
    @inline(__always)
    func check(_ range: Range<Int>) {
        guard let checks, !range.isEmpty else { return }
        let shift = checks.pointee.shift
        for block in range.lowerBound >> shift...(range.upperBound - 1) >> shift {
            if checks.pointee.states[block] == 0 { checks.pointee.verify(at: block << shift) }
        }
    }

    @inline(__always)
    private func check(_ index: Int) {
        if let checks, checks.pointee.states[index >> checks.pointee.shift] == 0 {
            checks.pointee.verify(at: index)
        }
    }

    var buffer: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }
}

/// A block of memory of one element type, freed with its owner.
///
/// Unchecked: its memory is written by one task and read by others afterwards.
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

/// Pages of two megabytes for randomly accessed memory: with small pages nearly every read misses the TLB.
private enum LargePages {
    static let size = 2 << 20
    /// Bytes of a cache line.
    static let line = 64

    /// Requests large pages; the system may ignore it.
    static func advise(_ memory: UnsafeMutableRawPointer, _ bytes: Int) {
        _ = madvise(memory, bytes / size * size, MADV_HUGEPAGE)
    }
}
