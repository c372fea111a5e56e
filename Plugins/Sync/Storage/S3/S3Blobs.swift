import Foundation
import PluginKit

/// The blobs of a zone as objects. A small one is an object; a larger one is an object for each part, and a list of them, which is
/// written last and makes it whole. Parts are named by their own digests: what a device that was cut short has sent need not travel
/// again, whichever device goes on, and no part can take another's place.
final class S3Blobs {
    private let store: any ObjectStore
    /// The blob whose parts go at present.
    private var sending: (blob: BlobReference, folder: String, parts: [BlobReference], digest: BlobDigest)?
    /// The list that was read last: lists never change.
    private var lately: (name: String, parts: [BlobReference])?

    private static let list = ".list"
    /// Bytes that a list has at most.
    private static let longestList = 1 << 20

    init(store: any ObjectStore) { self.store = store }

    private static func listName(_ blob: BlobReference, _ head: ZoneHead) -> String {
        head.blobName(blob) + list
    }

    private static func partName(_ blob: BlobReference, _ part: BlobReference, _ head: ZoneHead) -> String {
        "\(head.blobName(blob)).parts/\(part.name)"
    }

    func has(_ blob: BlobReference, _ head: ZoneHead) throws -> Bool {
        if blob.isLarge, try parts(of: blob, head) != nil { return true }
        return try store.exists(head.blobName(blob))
    }

    /// Those that are whole, in any order.
    func references(_ head: ZoneHead) throws -> [BlobReference] {
        var found: Set<BlobReference> = []
        try store.list(head.blobFolder) { listed in
            for object in listed {
                let name =
                    object.name.hasSuffix(Self.list)
                    ? String(object.name.dropLast(Self.list.count)) : object.name
                if let reference = BlobReference(name: name) { found.insert(reference) }
            }
        }
        return found.sorted()
    }

    func put(_ blob: Blob, _ head: ZoneHead) throws {
        let name = head.blobName(blob.reference)
        // Named by their contents: those that are there need not travel.
        if try !store.exists(name) { _ = try store.put(name, blob.bytes, .always) }
    }

    func blob(_ reference: BlobReference, _ head: ZoneHead) throws -> Blob? {
        try store.get(head.blobName(reference), longest: SyncSettings.largestBlob).map {
            Blob(reference: reference, bytes: $0.bytes)
        }
    }

    /// The same of any size.
    func whole(_ reference: BlobReference, _ head: ZoneHead) throws -> Blob? {
        guard reference.isLarge, try parts(of: reference, head) != nil else {
            return try blob(reference, head)
        }
        var bytes: [UInt8] = []
        while bytes.count < Int(reference.size),
            let part = try part(of: reference, from: Int64(bytes.count), head),
            !part.bytes.isEmpty
        { bytes += part.bytes }
        return Blob(reference: reference, bytes: bytes)
    }

    // MARK: Parts

    /// Adds a part, and returns how many bytes there are then. A process begins with the first part, and those that are there
    /// already are not sent.
    func put(_ part: BlobPart, _ head: ZoneHead) throws -> Int64 {
        let blob = part.reference
        if part.bytes.isEmpty, try has(blob, head) { return blob.size }
        if sending?.blob != blob || sending?.folder != head.blobFolder {
            sending = (blob, head.blobFolder, [], BlobDigest())
        }
        guard let now = sending else { return 0 }
        guard part.offset == now.digest.count, part.end <= blob.size, !part.bytes.isEmpty else {
            return now.digest.count
        }
        let own = BlobReference(Data(part.bytes))
        let name = Self.partName(blob, own, head)
        if try !store.exists(name) { _ = try store.put(name, part.bytes, .always) }
        // Only now: what fails is sent again.
        now.digest.add(part.bytes)
        sending?.parts.append(own)
        if part.end < blob.size { return part.end }
        sending = nil
        guard now.digest.reference == blob else { return 0 }
        var writer = ByteWriter()
        for part in now.parts + [own] { writer.add(part.name) }
        _ = try store.put(Self.listName(blob, head), writer.bytes, .always)
        return blob.size
    }

    /// The parts of a large blob in order; `nil` where it is not there in parts, or not whole.
    private func parts(of blob: BlobReference, _ head: ZoneHead) throws -> [BlobReference]? {
        let name = Self.listName(blob, head)
        if let lately, lately.name == name { return lately.parts }
        guard let object = try store.get(name, longest: Self.longestList) else { return nil }
        let parts = object.bytes.withUnsafeBytes { bytes -> [BlobReference]? in
            var reader = ByteReader(bytes)
            var parts: [BlobReference] = []
            while !reader.isAtEnd {
                guard let part = reader.text().flatMap({ BlobReference(name: $0) }) else { return nil }
                parts.append(part)
            }
            return parts
        }
        guard let parts, parts.reduce(0, { $0 + $1.size }) == blob.size else {
            throw SyncErrors.schema("the list of the parts of a photo or track is damaged")
        }
        lately = (name, parts)
        return parts
    }

    /// A part of a blob that is whole, from an offset.
    func part(of blob: BlobReference, from offset: Int64, _ head: ZoneHead) throws -> BlobPart? {
        guard (0..<max(blob.size, 1)).contains(offset) else { return nil }
        guard let parts = try parts(of: blob, head) else {
            // Of an older version, which kept all blobs whole.
            let range = Int(offset)..<Int(min(offset + Int64(SyncSettings.blobPart), blob.size))
            return try store.get(head.blobName(blob), range: range, longest: SyncSettings.largestBlob).map {
                BlobPart(reference: blob, offset: offset, bytes: $0.bytes)
            }
        }
        var start: Int64 = 0
        for part in parts {
            if offset < start + part.size {
                guard
                    let object = try store.get(
                        Self.partName(blob, part, head), longest: SyncSettings.largestBlob)
                else { return nil }
                return BlobPart(
                    reference: blob, offset: offset, bytes: Array(object.bytes.dropFirst(Int(offset - start)))
                )
            }
            start += part.size
        }
        return nil
    }
}
