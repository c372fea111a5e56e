import Foundation
import TrailStores

/// The location of a blob's bytes, for reading in parts.
enum BlobCell {
    /// In memory.
    case data(Data)
    /// In a row.
    case stream(BlobStream)
    /// In a file of `count` bytes.
    case file(URL, count: Int)

    var count: Int {
        switch self {
        case .data(let data): data.count
        case .stream(let stream): stream.count
        case .file(_, let count): count
        }
    }

    /// The bytes from an offset, at most one part.
    func part(from offset: Int) throws -> [UInt8] {
        switch self {
        case .data(let data):
            return Array(data.dropFirst(offset).prefix(SyncSettings.blobPart))
        case .stream(let stream): return try stream.read(from: offset, upTo: SyncSettings.blobPart)
        case .file(let url, _):
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            try file.seek(toOffset: UInt64(offset))
            return Array(try file.read(upToCount: SyncSettings.blobPart) ?? Data())
        }
    }

    /// Calls `body` with the parts from an offset on, in order, each with its offset.
    func read(from start: Int, _ body: ([UInt8], Int) throws -> Void) throws {
        var offset = start
        while offset < count {
            let part = try part(from: offset)
            if part.isEmpty { throw SyncErrors.store("a photo or track is shorter than its size") }
            try body(part, offset)
            offset += part.count
        }
    }

    /// All bytes, of a small blob.
    func bytes() throws -> [UInt8] {
        var all: [UInt8] = []
        try read(from: 0) { part, _ in all += part }
        return all
    }

    /// The reference of the bytes.
    func reference() throws -> BlobReference { try scan().reference }

    /// The reference of the bytes, and how they are damaged; `nil` if they do not seem to be.
    func scan() throws -> (reference: BlobReference, damage: LostContent.Damage?) {
        let digest = BlobDigest()
        var hasGap = false
        var end = JPEGEnd()
        try read(from: 0) { part, _ in
            digest.add(part)
            hasGap = hasGap || Self.hasGap(part)
            end.read(part)
        }
        return (digest.reference, end.isCut ? .cut : hasGap ? .gap : nil)
    }

    /// Whether it is a track whose end is missing. Those of more than one part are not examined.
    func isCutTrack() throws -> Bool {
        if count > SyncSettings.blobPart { return false }
        return try TrackBlob(Data(bytes()), source: "track_data")?.isCut ?? false
    }

    /// Bytes of the smallest block that a disk loses.
    private static let block = 512

    private static func hasGap(_ part: [UInt8]) -> Bool {
        stride(from: 0, to: part.count - block + 1, by: block).contains { start in
            part[start..<start + block].allSatisfy { $0 == 0 }
        }
    }
}
