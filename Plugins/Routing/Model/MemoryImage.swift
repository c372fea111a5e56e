import Foundation
import PluginKit
import Synchronization

/// A block of bytes of named sections: the format of a graph in memory and in the file beside its database.
///
/// Each section is divided into blocks of at most 4096 bytes, and the header has a checksum of each. When a
/// mapped file is opened only the header is read; a block is checked on first access.
///
/// Unchecked: the bytes are written before the image is shared; the states of checks are bytes of which each is written with one value.
package final class MemoryImage: @unchecked Sendable {
    package let base: UnsafeRawPointer
    package let size: Int
    private let isMapped: Bool
    /// The file name for messages.
    private let file: String
    private let sections: [Section]
    private let places: [UInt32: Int]
    /// The state of each section's blocks; empty for an image built in memory.
    private let checks: UnsafeMutablePointer<SectionChecks>?
    private let states: UnsafeMutablePointer<UInt8>?
    private let repairs = Mutex(Repairs())
    /// Held during a rebuild: the memory is writable only meanwhile, and other readers wait for the result.
    private let rebuilding = Mutex(())

    private struct Repairs {
        var remake: (@Sendable () -> MemoryImage?)?
        var rules: [Int: @Sendable (UnsafeRawBufferPointer, Int) -> Bool] = [:]
        var damage: String?
    }

    /// The range of a section, and of its blocks among all blocks.
    struct Section {
        var tag: UInt32
        var offset: Int
        var bytes: Int
        var stride: Int
        var firstBlock: Int

        /// The number of values in a block is a power of two.
        var shift: Int { Layout.shift(stride) }
        var blockBytes: Int { stride << shift }
        var blocks: Int { (bytes + blockBytes - 1) / blockBytes }

        func range(of block: Int) -> Range<Int> {
            let start = offset + block * blockBytes
            return start..<min(start + blockBytes, offset + bytes)
        }
    }

    /// The state of the blocks of a section; behind a pointer that columns share.
    struct SectionChecks {
        /// For each block whether it has been checked.
        let states: UnsafeMutablePointer<UInt8>
        let shift: Int
        fileprivate let section: Int
        fileprivate let image: Unmanaged<MemoryImage>
        /// Whether all blocks have been checked.
        fileprivate(set) var isWhole = false
    }

    /// A header of 64 bytes (magic, checksum of the rest of the index, size, stamp, sections, blocks), 32
    /// bytes per section (tag, offset, bytes, bytes per value), 8 per block; then the sections, aligned.
    enum Layout {
        static let magic: UInt64 = 0x0032_4850_5247_5452  // "RTRGPH2"
        static let head = 64
        static let row = 32
        static let alignment = 64
        static let block = 4096
        /// Maximum number of sections of an image, and of bytes per value.
        static let mostSections: UInt64 = 1000

        static func aligned(_ offset: Int) -> Int { (offset + alignment - 1) / alignment * alignment }
        static func shift(_ stride: Int) -> Int {
            Int.bitWidth - 1 - max(1, block / stride).leadingZeroBitCount
        }
    }

    init(
        base: UnsafeRawPointer, size: Int, file: String, isMapped: Bool, sections: [Section]
    ) {
        (self.base, self.size, self.file, self.isMapped) = (base, size, file, isMapped)
        self.sections = sections
        places = Dictionary(
            sections.enumerated().map { ($1.tag, $0) }, uniquingKeysWith: { first, _ in first })
        guard isMapped else {
            (checks, states) = (nil, nil)
            return
        }
        let blocks = sections.reduce(0) { $0 + $1.blocks }
        let states = UnsafeMutablePointer<UInt8>.allocate(capacity: blocks + 1)
        states.initialize(repeating: 0, count: blocks + 1)
        let checks = UnsafeMutablePointer<SectionChecks>.allocate(capacity: sections.count + 1)
        (self.checks, self.states) = (checks, states)
        for (index, section) in sections.enumerated() {
            (checks + index).initialize(
                to: SectionChecks(
                    states: states + section.firstBlock, shift: section.shift, section: index,
                    image: .passUnretained(self)))
        }
    }

    deinit {
        if isMapped {
            munmap(UnsafeMutableRawPointer(mutating: base), size)
        } else {
            UnsafeMutableRawPointer(mutating: base).deallocate()
        }
        checks?.deallocate()
        states?.deallocate()
    }

    /// A section as values; empty if no section has this tag and value size.
    package func column<T: BitwiseCopyable>(_ tag: UInt32, as type: T.Type) -> Column<T> {
        guard let index = places[tag], sections[index].stride == MemoryLayout<T>.stride else {
            return Column(base.assumingMemoryBound(to: T.self), count: 0)
        }
        let section = sections[index]
        let start = (base + section.offset).assumingMemoryBound(to: T.self)
        return Column(start, count: section.bytes / section.stride, checks: checks.map { $0 + index })
    }

    /// The bytes of the image, for writing.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: size) }

    /// The stamp of the image's source.
    package var stamp: UInt64 { base.loadUnaligned(fromByteOffset: 24, as: UInt64.self) }

    /// A fingerprint of the contents.
    var identity: UInt64 { base.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }

    /// Sets the stamp if it is known only after the image is built; call before any other reader exists.
    func setStamp(_ stamp: UInt64) {
        guard !isMapped else { return }
        let target = UnsafeMutableRawPointer(mutating: base)
        target.storeBytes(of: stamp, toByteOffset: 24, as: UInt64.self)
        let sums = indexBytes + 8 * sections.reduce(0) { $0 + $1.blocks }
        target.storeBytes(of: Self.indexSum(base, bytes: sums), toByteOffset: 8, as: UInt64.self)
    }

    private var indexBytes: Int { Layout.head + sections.count * Layout.row }
    private func sum(of block: Int) -> UInt64 {
        base.loadUnaligned(fromByteOffset: indexBytes + 8 * block, as: UInt64.self)
    }
}

// MARK: Checking

extension MemoryImage {
    /// Adds a validation of the values of a section, called with a block and the index of its first value.
    /// Set before any value is read.
    func expect<T: BitwiseCopyable>(
        _ tag: UInt32, as type: T.Type, _ rule: @escaping @Sendable (UnsafeBufferPointer<T>, Int) -> Bool
    ) {
        guard isMapped, let index = places[tag] else { return }
        repairs.withLock {
            $0.rules[index] = { bytes, first in rule(bytes.assumingMemoryBound(to: T.self), first) }
        }
    }

    /// Adds a validation of the values of a section of whole numbers.
    func expect(
        _ tag: some RawRepresentable<UInt32>, _ rule: @escaping @Sendable (UnsafeBufferPointer<Int32>) -> Bool
    ) {
        expect(tag.rawValue, as: Int32.self) { block, _ in rule(block) }
    }

    /// Sets the function that rebuilds the image if a block is damaged.
    func onDamage(remake: @escaping @Sendable () -> MemoryImage?) {
        repairs.withLock { $0.remake = remake }
    }

    /// The first damaged range that could not be rebuilt.
    var damage: String? { isMapped ? repairs.withLock { $0.damage } : nil }

    /// Throws `E-REGION-DAMAGED` if any data that was read is damaged and could not be rebuilt.
    func checkSound() throws(RutterError) {
        guard let damage else { return }
        throw RegionErrors.damaged(damage, fix: "remove the file; it is rebuilt from the database")
    }

    /// Checks all blocks that have not been read.
    func checkAll() { for section in sections.indices { check(section) } }

    fileprivate func check(_ section: Int) {
        guard let checks, !checks[section].isWhole else { return }
        for block in 0..<sections[section].blocks where checks[section].states[block] == 0 {
            check(section, block)
        }
        checks[section].isWhole = true
    }

    /// Checks a block and rebuilds it if damaged; if that fails, it is zeroed and the image is marked as
    /// damaged.
    fileprivate func check(_ section: Int, _ block: Int) {
        guard let checks else { return }
        if !isSound(section, block) {
            rebuilding.withLock { _ in
                if !isSound(section, block) { rebuild(section, block) }
            }
        }
        checks[section].states[block] = 1
    }

    private func isSound(_ index: Int, _ block: Int) -> Bool {
        let section = sections[index]
        let bytes = UnsafeRawBufferPointer(rebasing: self.bytes[section.range(of: block)])
        guard Checksum.of(bytes) == sum(of: section.firstBlock + block) else { return false }
        guard let rule = repairs.withLock({ $0.rules[index] }) else { return true }
        return rule(bytes, block << section.shift)
    }

    private func rebuild(_ index: Int, _ block: Int) {
        // Cleared, so that it is tried once.
        let remake = repairs.withLock { repairs in
            defer { repairs.remake = nil }
            return repairs.remake
        }
        let target = UnsafeMutableRawPointer(mutating: base)
        let range = sections[index].range(of: block)
        guard mprotect(target, size, PROT_READ | PROT_WRITE) == 0 else { return noteDamage(range) }
        defer { mprotect(target, size, PROT_READ) }
        if let remake, let made = remake(), made.size == size, made.identity == identity {
            for section in sections {
                for block in 0..<section.blocks where states?[section.firstBlock + block] == 0 {
                    let range = section.range(of: block)
                    (target + range.lowerBound).copyMemory(
                        from: made.base + range.lowerBound, byteCount: range.count)
                }
            }
            if isSound(index, block) { return }
        }
        memset(target + range.lowerBound, 0, range.count)
        noteDamage(range)
    }

    private func noteDamage(_ range: Range<Int>) {
        repairs.withLock {
            $0.damage = $0.damage ?? "\(file): bytes \(range.lowerBound) to \(range.upperBound - 1)"
        }
    }
}

extension MemoryImage.SectionChecks {
    @inline(never)
    func verify(at index: Int) { image.takeUnretainedValue().check(section, index >> shift) }

    @inline(never)
    func verifyAll() { image.takeUnretainedValue().check(section) }
}

// MARK: In a file of its own

extension MemoryImage {
    /// Sets the stamp of the image in a file; returns whether it was written. Existing mappings must be
    /// replaced.
    static func stamp(_ url: URL, _ stamp: UInt64) -> Bool {
        let descriptor = open(url.path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_size >= Layout.head else { return false }
        let size = Int(info.st_size)
        guard let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            base != MAP_FAILED
        else { return false }
        defer { munmap(base, size) }
        func word(_ offset: Int) -> UInt64 { base.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        guard checkedSections(base, size: size, stamp: word(24)) != nil else { return false }
        let index = Layout.head + Int(word(32)) * Layout.row + 8 * Int(word(40))
        base.storeBytes(of: stamp, toByteOffset: 24, as: UInt64.self)
        base.storeBytes(of: indexSum(base, bytes: index), toByteOffset: 8, as: UInt64.self)
        return true
    }

    /// Releases the pages of a mapped file; they are read from the file again on access.
    func releasePages() {
        if isMapped { madvise(UnsafeMutableRawPointer(mutating: base), size, MADV_DONTNEED) }
    }
}

// MARK: Opening

extension MemoryImage {
    /// Maps the image in a file; `nil` if the file is missing or truncated, or has another stamp.
    package static func mapped(_ url: URL, stamp: UInt64) -> MemoryImage? {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = Int(info.st_size)
        guard size >= Layout.head else { return nil }
        guard let base = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED else {
            return nil
        }
        guard let sections = checkedSections(base, size: size, stamp: stamp) else {
            munmap(base, size)
            return nil
        }
        return MemoryImage(
            base: base, size: size, file: url.lastPathComponent, isMapped: true, sections: sections)
    }

    private static func checkedSections(
        _ base: UnsafeRawPointer, size: Int, stamp: UInt64
    ) -> [Section]? {
        func word(_ offset: Int) -> UInt64 { base.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        let (count, blocks) = (word(32), word(40))
        guard word(0) == Layout.magic, word(16) == UInt64(size), word(24) == stamp,
            count < Layout.mostSections, blocks <= UInt64(size) / 8
        else { return nil }
        let index = Layout.head + Int(count) * Layout.row + 8 * Int(blocks)
        guard index <= size, indexSum(base, bytes: index) == word(8) else { return nil }
        var sections: [Section] = []
        var firstBlock = 0
        for number in 0..<Int(count) {
            let row = Layout.head + number * Layout.row
            let (offset, bytes, stride) = (word(row + 8), word(row + 16), word(row + 24))
            guard offset <= UInt64(size), bytes <= UInt64(size) - offset, offset >= UInt64(index),
                offset % UInt64(Layout.alignment) == 0, stride > 0, stride <= UInt64(Layout.block),
                bytes % stride == 0
            else { return nil }
            let section = Section(
                tag: UInt32(truncatingIfNeeded: word(row)), offset: Int(offset), bytes: Int(bytes),
                stride: Int(stride), firstBlock: firstBlock)
            firstBlock += section.blocks
            sections.append(section)
        }
        return firstBlock == Int(blocks) ? sections : nil
    }
}
