import Foundation

/// A block of bytes made of named sections: the graph as it lies in memory and in the file beside its database.
package final class MemoryImage: @unchecked Sendable {
    /// How the bytes are released.
    private enum Ownership {
        case allocated
        case mapped
    }

    /// Layout of the file: a head of 64 bytes, a table of 32 bytes a section, the sections aligned to 64.
    private enum Layout {
        static let magic: UInt64 = 0x0031_4850_5247_5452  // "RTRGPH1"
        static let head = 64
        static let row = 32
        static let alignment = 64
    }

    package let base: UnsafeRawPointer
    package let size: Int
    private let ownership: Ownership
    private let sections: [UInt32: (offset: Int, bytes: Int)]

    private init(
        base: UnsafeRawPointer, size: Int, ownership: Ownership,
        sections: [UInt32: (offset: Int, bytes: Int)]
    ) {
        self.base = base
        self.size = size
        self.ownership = ownership
        self.sections = sections
    }

    deinit {
        switch ownership {
        case .allocated: UnsafeMutableRawPointer(mutating: base).deallocate()
        case .mapped: munmap(UnsafeMutableRawPointer(mutating: base), size)
        }
    }

    /// A section as values; empty if no section has that tag.
    package func column<T: BitwiseCopyable>(_ tag: UInt32, as type: T.Type) -> Column<T> {
        guard let section = sections[tag] else {
            return Column(base.assumingMemoryBound(to: T.self), count: 0)
        }
        let start = (base + section.offset).assumingMemoryBound(to: T.self)
        return Column(start, count: section.bytes / MemoryLayout<T>.stride)
    }

    /// The image as bytes, to be written.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: size) }

    /// The stamp of the image's source.
    package var stamp: UInt64 { base.loadUnaligned(fromByteOffset: 24, as: UInt64.self) }

    // MARK: Making

    /// Collects sections for an image.
    package struct Builder {
        private var parts: [(tag: UInt32, bytes: Int, copy: (UnsafeMutableRawPointer) -> Void)] = []

        package init() {}

        /// Adds a section; the values are copied when the image is made.
        package mutating func add<T: BitwiseCopyable>(_ tag: UInt32, _ values: [T]) {
            parts.append(
                (
                    tag, values.count * MemoryLayout<T>.stride,
                    { target in
                        values.withUnsafeBytes { source in
                            if let from = source.baseAddress {
                                target.copyMemory(from: from, byteCount: source.count)
                            }
                        }
                    }
                ))
        }

        /// The image of all sections; `stamp` identifies its source.
        package func image(stamp: UInt64) -> MemoryImage {
            var offset = Self.aligned(Layout.head + parts.count * Layout.row)
            var sections: [UInt32: (offset: Int, bytes: Int)] = [:]
            for part in parts {
                sections[part.tag] = (offset, part.bytes)
                offset = Self.aligned(offset + part.bytes)
            }
            let base = UnsafeMutableRawPointer.allocate(byteCount: offset, alignment: Layout.alignment)
            base.initializeMemory(as: UInt8.self, repeating: 0, count: offset)
            for (index, part) in parts.enumerated() {
                let place = sections[part.tag]?.offset ?? 0
                part.copy(base + place)
                let row = base + Layout.head + index * Layout.row
                row.storeBytes(of: UInt64(part.tag), as: UInt64.self)
                row.storeBytes(of: UInt64(place), toByteOffset: 8, as: UInt64.self)
                row.storeBytes(of: UInt64(part.bytes), toByteOffset: 16, as: UInt64.self)
            }
            base.storeBytes(of: Layout.magic, as: UInt64.self)
            base.storeBytes(of: UInt64(offset), toByteOffset: 8, as: UInt64.self)
            base.storeBytes(of: UInt64(parts.count), toByteOffset: 16, as: UInt64.self)
            base.storeBytes(of: stamp, toByteOffset: 24, as: UInt64.self)
            let rest = UnsafeRawBufferPointer(start: base + Layout.head, count: offset - Layout.head)
            base.storeBytes(of: Checksum.of(rest), toByteOffset: 32, as: UInt64.self)
            return MemoryImage(base: base, size: offset, ownership: .allocated, sections: sections)
        }

        private static func aligned(_ offset: Int) -> Int {
            (offset + Layout.alignment - 1) / Layout.alignment * Layout.alignment
        }
    }

    // MARK: Opening

    /// The image in a file, mapped; `nil` when the file is missing, not whole, or made of something else.
    package static func mapped(_ url: URL, stamp: UInt64) -> MemoryImage? {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = Int(info.st_size)
        guard size >= Layout.head else { return nil }
        guard let base = mmap(nil, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor, 0),
            base != MAP_FAILED
        else { return nil }
        guard let sections = checkedSections(base, size: size, stamp: stamp) else {
            munmap(base, size)
            return nil
        }
        return MemoryImage(base: base, size: size, ownership: .mapped, sections: sections)
    }

    private static func checkedSections(
        _ base: UnsafeRawPointer, size: Int, stamp: UInt64
    ) -> [UInt32: (offset: Int, bytes: Int)]? {
        func word(_ offset: Int) -> UInt64 { base.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        let count = word(16)
        guard word(0) == Layout.magic, word(8) == UInt64(size), word(24) == stamp, count < 1000,
            Layout.head + Int(count) * Layout.row <= size
        else { return nil }
        let rest = UnsafeRawBufferPointer(start: base + Layout.head, count: size - Layout.head)
        guard Checksum.of(rest) == word(32) else { return nil }
        var sections: [UInt32: (offset: Int, bytes: Int)] = [:]
        for index in 0..<Int(count) {
            let row = Layout.head + index * Layout.row
            let (offset, bytes) = (word(row + 8), word(row + 16))
            guard offset <= UInt64(size), bytes <= UInt64(size) - offset,
                offset % UInt64(Layout.alignment) == 0
            else { return nil }
            sections[UInt32(truncatingIfNeeded: word(row))] = (Int(offset), Int(bytes))
        }
        return sections
    }
}

/// A checksum of many bytes a nanosecond: four lanes of multiply and rotate, as in xxHash64 but not the same.
package enum Checksum {
    private static let first: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let second: UInt64 = 0xC2B2_AE3D_27D4_EB4F

    package static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var (a, b, c, d) = (seed &+ first, seed ^ second, seed, seed &- first)
        var offset = 0
        if let base = bytes.baseAddress {
            while offset + 32 <= bytes.count {
                a = mix(a, base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                b = mix(b, base.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
                c = mix(c, base.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
                d = mix(d, base.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self))
                offset += 32
            }
        }
        while offset < bytes.count {
            a = mix(a, UInt64(bytes[offset]))
            offset += 1
        }
        return mix(mix(mix(mix(a, b), c), d), UInt64(bytes.count))
    }

    @inline(__always)
    private static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let sum = state &+ word &* second
        return ((sum &<< 31) | (sum &>> 33)) &* first
    }
}
