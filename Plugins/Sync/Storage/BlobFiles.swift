import Foundation
import PluginKit

/// Large blobs that came in, each a file until a row has it. What has come of one that is not whole yet waits beside them, and the
/// transfer goes on where it stood, whatever ended it.
struct BlobFiles {
    private let folder: URL
    private static let partial = ".part"

    init(_ device: URL) { folder = device.appendingPathComponent("sync.blobs") }

    private func url(_ blob: BlobReference, isWhole: Bool = true) -> URL {
        folder.appendingPathComponent(blob.name + (isWhole ? "" : Self.partial))
    }

    private static func size(_ url: URL) -> Int64 {
        var status = stat()
        return stat(url.path, &status) == 0 ? Int64(status.st_size) : 0
    }

    func has(_ blob: BlobReference) -> Bool { Self.size(url(blob)) == blob.size && blob.size > 0 }

    func cell(_ blob: BlobReference) -> BlobCell? {
        has(blob) ? .file(url(blob), count: Int(blob.size)) : nil
    }

    /// How many bytes of a blob have come.
    func received(_ blob: BlobReference) throws -> Int64 {
        if has(blob) { return blob.size }
        let held = Self.size(url(blob, isWhole: false))
        // The process ended before it looked at what is whole.
        return held < blob.size ? held : try finish(blob)
    }

    /// Adds a part. Returns how many bytes there are then: 0 when they are all there and not those of the blob.
    func keep(_ part: BlobPart) throws -> Int64 {
        let blob = part.reference
        let held = try received(blob)
        guard part.offset == held, part.end <= blob.size, !part.bytes.isEmpty else { return held }
        try write { file in try file.write(contentsOf: Data(part.bytes)) }
        return part.end < blob.size ? part.end : try finish(blob)

        func write(_ body: (FileHandle) throws -> Void) throws {
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let url = url(blob, isWhole: false)
                if held == 0 { try Data().write(to: url) }
                let file = try FileHandle(forWritingTo: url)
                defer { try? file.close() }
                try file.seek(toOffset: UInt64(held))
                try body(file)
            } catch let error as RutterError { throw error } catch {
                throw CommonErrors.fileAccess("sync.blobs cannot be written: \(error.localizedDescription)")
            }
        }
    }

    /// Keeps a copy of a blob that a row is about to lose.
    func keep(_ blob: BlobReference, _ cell: BlobCell) throws {
        if has(blob) { return }
        try discardPart(blob)
        try cell.read(from: 0) { bytes, offset in
            _ = try keep(BlobPart(reference: blob, offset: Int64(offset), bytes: bytes))
        }
    }

    /// All bytes have come: if they are the right ones they are made durable, and then the blob is here.
    private func finish(_ blob: BlobReference) throws -> Int64 {
        let part = url(blob, isWhole: false)
        guard Self.size(part) == blob.size,
            try BlobCell.file(part, count: Int(blob.size)).reference() == blob
        else {
            try discardPart(blob)
            return 0
        }
        let file = open(part.path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        guard file >= 0, fsync(file) == 0, rename(part.path, url(blob).path) == 0 else {
            throw CommonErrors.fileAccess("sync.blobs: \(String(cString: strerror(errno)))")
        }
        return blob.size
    }

    private func discardPart(_ blob: BlobReference) throws {
        unlink(url(blob, isWhole: false).path)
    }

    /// The blobs of which there is anything.
    var held: [BlobReference] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let found = names.compactMap { name in
            BlobReference(
                name: name.hasSuffix(Self.partial) ? String(name.dropLast(Self.partial.count)) : name)
        }
        return Set(found).sorted()
    }

    /// Removes a blob.
    func drop(_ blob: BlobReference) {
        unlink(url(blob).path)
        unlink(url(blob, isWhole: false).path)
    }
}
