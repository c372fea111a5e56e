import Foundation
import PluginKit

/// Received large blobs, each in a file until it is in a row. Incomplete ones are stored beside them, so that
/// an interrupted transfer resumes.
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

    /// The number of received bytes of a blob.
    func received(_ blob: BlobReference) throws -> Int64 {
        if has(blob) { return blob.size }
        let held = Self.size(url(blob, isWhole: false))
        // The process ended before the completed blob was checked.
        return held < blob.size ? held : try finish(blob)
    }

    /// Adds a part. Returns the number of received bytes: 0 if all were received and do not match the digest.
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

    /// Stores a copy of a blob that is about to be removed from its row.
    func keep(_ blob: BlobReference, _ cell: BlobCell) throws {
        if has(blob) { return }
        try discardPart(blob)
        try cell.read(from: 0) { bytes, offset in
            _ = try keep(BlobPart(reference: blob, offset: Int64(offset), bytes: bytes))
        }
    }

    /// Checks a completely received blob; if its bytes match, makes it durable and available.
    private func finish(_ blob: BlobReference) throws -> Int64 {
        let part = url(blob, isWhole: false)
        guard Self.size(part) == blob.size,
            try BlobCell.file(part, count: Int(blob.size)).reference() == blob
        else {
            try discardPart(blob)
            return 0
        }
        try AtomicFile.publish(part, as: url(blob), policy: .replace)
        return blob.size
    }

    private func discardPart(_ blob: BlobReference) throws {
        unlink(url(blob, isWhole: false).path)
    }

    /// The complete and incomplete blobs.
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
