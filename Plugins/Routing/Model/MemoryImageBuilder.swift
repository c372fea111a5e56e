import Core
import Foundation
import PluginKit

extension MemoryImage {
    /// Collects sections for an image.
    package struct Builder {
        private var parts: [(section: Section, copy: (UnsafeMutableRawPointer) -> Void)] = []
        private var blocks = 0

        package init() {}

        /// Adds a section; the values are copied when the image is made.
        package mutating func add<T: BitwiseCopyable>(_ tag: UInt32, _ values: [T]) {
            add(tag, count: values.count, of: T.self) { target in
                values.withUnsafeBytes { source in
                    if let from = source.baseAddress {
                        target.copyMemory(from: from, byteCount: source.count)
                    }
                }
            }
        }

        /// Adds a section; the values are copied when the image is made.
        package mutating func add<T: BitwiseCopyable>(_ tag: UInt32, _ values: Column<T>) {
            let bytes = values.count * MemoryLayout<T>.stride
            add(tag, count: values.count, of: T.self) { $0.copyMemory(from: values.base, byteCount: bytes) }
        }

        private mutating func add<T: BitwiseCopyable>(
            _ tag: UInt32, count: Int, of type: T.Type, _ copy: @escaping (UnsafeMutableRawPointer) -> Void
        ) {
            let stride = MemoryLayout<T>.stride
            let section = Section(
                tag: tag, offset: 0, bytes: count * stride, stride: stride, firstBlock: blocks)
            parts.append((section, copy))
            blocks += section.blocks
        }

        /// The offset of the checksums of the blocks.
        private var sums: Int { Layout.head + parts.count * Layout.row }

        /// The sections with their offsets, and the total size.
        private func layout() -> (sections: [Section], size: Int) {
            var offset = Layout.aligned(sums + 8 * blocks)
            var sections: [Section] = []
            for part in parts {
                var section = part.section
                section.offset = offset
                sections.append(section)
                offset = Layout.aligned(offset + section.bytes)
            }
            return (sections, offset)
        }

        /// Writes the image to a file and maps it. Sections are written one at a time, and their data is
        /// released as soon as it is written. `nil` if the file cannot be written. `check` throws to cancel.
        mutating func takeMapped(_ url: URL, check: () throws -> Void) throws -> MemoryImage? {
            let descriptor = open(url.path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            let (sections, size) = layout()
            guard ftruncate(descriptor, off_t(size)) == 0 else { return nil }
            let indexBytes = sums + 8 * blocks
            let index = UnsafeMutableRawPointer.allocate(
                byteCount: indexBytes, alignment: Layout.alignment)
            defer { index.deallocate() }
            memset(index, 0, indexBytes)
            for (number, section) in sections.enumerated() {
                try check()
                let copy = UnsafeMutableRawPointer.allocate(
                    byteCount: max(1, section.bytes), alignment: Layout.alignment)
                defer { copy.deallocate() }
                parts[number].copy(copy)
                parts[number].copy = { _ in }
                Self.describe(section, number, at: index, sums: sums, bytes: copy - section.offset)
                guard
                    Self.write(
                        UnsafeRawBufferPointer(start: copy, count: section.bytes), descriptor, section.offset)
                else { return nil }
            }
            Self.describeBlocks(
                index, size: size, stamp: 0, sections: sections.count, blocks: blocks, bytes: indexBytes)
            guard Self.write(UnsafeRawBufferPointer(start: index, count: indexBytes), descriptor, 0) else {
                return nil
            }
            return MemoryImage.mapped(url, stamp: 0)
        }

        private static func write(_ bytes: UnsafeRawBufferPointer, _ file: Int32, _ offset: Int) -> Bool {
            var done = 0
            while done < bytes.count {
                let count = pwrite(
                    file, bytes.baseAddress.map { $0 + done }, bytes.count - done, offset + done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }

        /// Writes the index entry of a section, and the checksums of its blocks, which are at
        /// offsets from a base.
        private static func describe(
            _ section: Section, _ index: Int, at head: UnsafeMutableRawPointer, sums: Int,
            bytes: UnsafeMutableRawPointer
        ) {
            let row = [
                UInt64(section.tag), UInt64(section.offset), UInt64(section.bytes), UInt64(section.stride),
            ]
            row.withUnsafeBytes {
                (head + Layout.head + index * Layout.row).copyMemory(
                    from: $0.baseAddress ?? UnsafeRawPointer(head), byteCount: Layout.row)
            }
            for block in 0..<section.blocks {
                let range = section.range(of: block)
                let block = section.firstBlock + block
                head.storeBytes(
                    of: Checksum.of(
                        UnsafeRawBufferPointer(start: bytes + range.lowerBound, count: range.count)),
                    toByteOffset: sums + 8 * block, as: UInt64.self)
            }
        }

        private static func describeBlocks(
            _ base: UnsafeMutableRawPointer, size: Int, stamp: UInt64, sections: Int, blocks: Int, bytes: Int
        ) {
            for (place, value) in [
                (0, Layout.magic), (16, UInt64(size)), (24, stamp), (32, UInt64(sections)),
                (40, UInt64(blocks)),
            ] { base.storeBytes(of: value, toByteOffset: place, as: UInt64.self) }
            base.storeBytes(
                of: MemoryImage.indexSum(base, bytes: bytes), toByteOffset: 8, as: UInt64.self)
        }

        /// The image of all sections; `stamp` identifies its source.
        package func image(stamp: UInt64) -> MemoryImage {
            var builder = self
            return builder.takeImage(stamp: stamp, check: {})
        }

        /// The same; releases each section when it is copied. `check` throws to cancel.
        mutating func takeImage(stamp: UInt64, check: () throws -> Void) rethrows -> MemoryImage {
            let sums = self.sums
            let (sections, offset) = layout()
            let base = UnsafeMutableRawPointer.allocate(byteCount: offset, alignment: Layout.alignment)
            // Pages are committed as they are written, while the sections release theirs.
            var written = 0
            var isWhole = false
            defer { if !isWhole { base.deallocate() } }
            for (index, section) in sections.enumerated() {
                try check()
                memset(base + written, 0, section.offset - written)
                parts[index].copy(base + section.offset)
                parts[index].copy = { _ in }
                written = section.offset + section.bytes
                Self.describe(section, index, at: base, sums: sums, bytes: base)
            }
            memset(base + written, 0, offset - written)
            Self.describeBlocks(
                base, size: offset, stamp: stamp, sections: sections.count, blocks: blocks,
                bytes: sums + 8 * blocks)
            isWhole = true
            return MemoryImage(base: base, size: offset, file: "", isMapped: false, sections: sections)
        }
    }

    /// The checksum of an image's header, sections and sums.
    static func indexSum(_ base: UnsafeRawPointer, bytes: Int) -> UInt64 {
        Checksum.of(UnsafeRawBufferPointer(start: base + 16, count: bytes - 16))
    }
}
