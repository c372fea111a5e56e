import Core
import Foundation
import Synchronization

/// The progress of a run, in memory shared between a worker and its parent. Recording an entry costs two
/// stores and no system call, and the page stays readable after the worker has crashed.
///
/// Unchecked: the memory is accessed only through atomics, and lives as long as the page.
final class ProgressPage: @unchecked Sendable {
    /// A snapshot of the page.
    struct Moment: Equatable {
        /// The number of the notebook.
        let job: UInt64
        /// The index of the running entry, or `nil` outside of entries.
        let entry: Int?
        /// Its start, in nanoseconds of the machine's monotonic clock.
        let since: UInt64
    }

    /// The size of a page in a file.
    static let bytes = 4096
    private static let words = 3

    private let memory: UnsafeMutableRawPointer
    private let atomics: UnsafeMutablePointer<Atomic<UInt64>>
    private let isMapped: Bool

    /// A page of this process alone.
    init() {
        memory = .allocate(byteCount: Self.bytes, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: Self.bytes)
        atomics = memory.bindMemory(to: Atomic<UInt64>.self, capacity: Self.words)
        isMapped = false
    }

    /// A page in a file shared with other processes, or `nil` if it cannot be mapped.
    init?(descriptor: Int32) {
        guard let mapped = mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            mapped != MAP_FAILED
        else { return nil }
        memory = mapped
        atomics = mapped.bindMemory(to: Atomic<UInt64>.self, capacity: Self.words)
        isMapped = true
    }

    deinit {
        if isMapped { munmap(memory, Self.bytes) } else { memory.deallocate() }
    }

    /// Begins a notebook.
    func begin(job: UInt64) {
        // Stored last: a reader that sees the notebook's number must not see an earlier time or entry.
        mark(0)
        atomics[0].store(job, ordering: .releasing)
    }

    /// Begins an entry; returns the time.
    @discardableResult
    func begin(entry: Int) -> UInt64 { mark(UInt64(entry) + 1) }

    /// Leaves the entries, to open or close the session.
    func leaveEntries() { mark(0) }

    @discardableResult
    private func mark(_ value: UInt64) -> UInt64 {
        let now = MonotonicClock.now
        atomics[2].store(now, ordering: .relaxed)
        atomics[1].store(value, ordering: .releasing)
        return now
    }

    /// The current content of the page.
    var moment: Moment {
        let job = atomics[0].load(ordering: .acquiring)
        let entry = atomics[1].load(ordering: .acquiring)
        let since = atomics[2].load(ordering: .relaxed)
        return Moment(job: job, entry: entry == 0 ? nil : Int(entry - 1), since: since)
    }
}
