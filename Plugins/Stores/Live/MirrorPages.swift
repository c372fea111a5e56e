import Foundation
import TrailStores

/// A copy of a database's pages in an unlinked temporary file, updated by commit.
final class MirrorPages {
    let pageSize: Int
    private let descriptor: Int32

    /// Throws `E-STORE-DISK`.
    init(pageSize: Int) throws {
        self.pageSize = pageSize
        let folder = try FileManager.default.scratchFolder("watch")
        defer { FileManager.default.discard(folder) }
        descriptor = open(
            folder.appendingPathComponent("pages").path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure() }
    }

    deinit { close(descriptor) }

    func page(_ number: Int) -> [UInt8] { bytes((number - 1) * pageSize, pageSize) }

    /// Bytes at an offset; zeros past the end.
    func bytes(_ offset: Int, _ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let read = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
            if read < count { buffer[read...].initialize(repeating: 0) }
            filled = count
        }
    }

    func set(_ number: Int, _ bytes: [UInt8]) throws {
        guard pwrite(descriptor, bytes, bytes.count, off_t((number - 1) * pageSize)) == bytes.count else {
            throw Self.failure()
        }
    }

    private static func failure() -> any Error {
        StoreErrors.disk(
            "the temporary copy cannot be written: \(String(cString: strerror(errno)))")
    }
}

/// The pages of a mirror at one time: pages that change later are kept.
final class MirrorView: PageSource {
    let pageSize: Int
    let usable: Int
    let count: Int
    let encoding: Int
    private let mirror: MirrorPages
    private var kept: [Int: [UInt8]] = [:]

    init(_ mirror: MirrorPages, count: Int) {
        self.mirror = mirror
        self.count = count
        let layout = PageLayout(mirror.bytes(0, 100))
        (pageSize, usable, encoding) = (mirror.pageSize, layout.usable, layout.encoding)
    }

    /// Keeps pages that are about to change.
    func keep(_ pages: some Sequence<Int>) {
        for page in pages where page <= count { kept[page] = mirror.page(page) }
    }

    func page(_ number: Int) -> [UInt8]? {
        guard number >= 1, number <= count else { return nil }
        return kept[number] ?? mirror.page(number)
    }
}
