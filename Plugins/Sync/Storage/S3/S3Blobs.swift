import Foundation
import PluginKit

/// The blobs of a zone as objects. A small blob is one object; a larger one is an object for each part, and a
/// list of the parts, which is written last and completes it. Parts are named by their own digests: an
/// interrupted upload is not repeated, whichever device resumes it, and parts cannot be confused. A blob is
/// in one of the folders that are open according to the head, or in the folder recorded in the tree of blobs.
/// See `S3Collector`.
final class S3Blobs {
    private let store: any ObjectStore
    /// The blob whose parts are being sent.
    private var sending: (blob: BlobReference, folder: BatchName, parts: [BlobReference], digest: BlobDigest)?
    /// The last list read: lists never change.
    private var lastList: (name: String, parts: [BlobReference])?

    private static let list = ".list"
    private static let parts = ".parts"
    /// Maximum bytes of a list.
    private static let longestList = 1 << 20

    init(store: any ObjectStore) { self.store = store }

    // MARK: Names

    static func name(_ blob: BlobReference, in folder: BatchName) -> String {
        "\(ZoneHead.blobsFolder)/\(folder.text)/\(blob.name)"
    }

    private static func listName(_ blob: BlobReference, in folder: BatchName) -> String {
        name(blob, in: folder) + list
    }

    private static func partName(_ blob: BlobReference, _ part: BlobReference, in folder: BatchName) -> String
    {
        "\(partsFolder(of: blob, in: folder))/\(part.name)"
    }

    static func partsFolder(of blob: BlobReference, in folder: BatchName) -> String {
        name(blob, in: folder) + parts
    }

    /// The objects, without those of parts, that complete a blob.
    static func objects(of blob: BlobReference, in folder: BatchName) -> [String] {
        [name(blob, in: folder), listName(blob, in: folder)]
    }

    /// The blob of an object in a folder, and whether the object completes it.
    static func blob(listed name: some StringProtocol) -> (blob: BlobReference, isWhole: Bool)? {
        let end = name.firstIndex { $0 == "." || $0 == "/" } ?? name.endIndex
        guard let blob = BlobReference(name: String(name[..<end])) else { return nil }
        return (blob, name[end...].isEmpty || name[end...] == list)
    }

    // MARK: Existence

    /// The folders that may contain a blob, the most likely first.
    private func folders(of blob: BlobReference, _ zone: some Snapshot) throws -> [BatchName] {
        let kept = try zone.values(.blobs, [ZoneKeys.blob(blob)])[0].map { ZoneKeys.folder($0) }
        return (kept.map { [$0] } ?? []) + zone.head.openFolders.filter { $0 != kept }
    }

    func has(_ blob: BlobReference, _ zone: some Snapshot) throws -> Bool {
        for folder in try folders(of: blob, zone) where try has(blob, in: folder) { return true }
        return false
    }

    func has(_ blob: BlobReference, in folder: BatchName) throws -> Bool {
        if blob.isLarge, try parts(of: blob, in: folder) != nil { return true }
        return try store.exists(Self.name(blob, in: folder))
    }

    /// Whether a blob need not be sent. A blob that is only in an aging folder may be removed before a record
    /// references it.
    private func isLasting(_ blob: BlobReference, _ zone: some Snapshot) throws -> Bool {
        for folder in try folders(of: blob, zone) where folder != zone.head.aging?.folder {
            if try has(blob, in: folder) { return true }
        }
        return false
    }

    /// The complete blobs, in order.
    func references(_ zone: some Snapshot) throws -> [BlobReference] {
        var kept: [BlobReference: BatchName] = [:]
        try zone.scan(.blobs) {
            kept[ZoneKeys.blob($0.key)] = ZoneKeys.folder($0.value)
            return true
        }
        let open = zone.head.openFolders
        var found: Set<BlobReference> = []
        try store.list(ZoneHead.blobsFolder) { listed in
            for object in listed {
                guard let slash = object.name.firstIndex(of: "/"),
                    let folder = BatchName(listed: String(object.name[..<slash])),
                    let (blob, isWhole) = Self.blob(listed: object.name[object.name.index(after: slash)...]),
                    isWhole, open.contains(folder) || kept[blob] == folder
                else { continue }
                found.insert(blob)
            }
        }
        return found.sorted()
    }

    // MARK: Complete blobs

    func put(_ blob: Blob, _ zone: some Snapshot) throws {
        // Named by content: existing ones need not be sent.
        if try isLasting(blob.reference, zone) { return }
        _ = try store.put(Self.name(blob.reference, in: zone.head.blobs), blob.bytes, .always)
    }

    func blob(_ reference: BlobReference, _ zone: some Snapshot) throws -> Blob? {
        for folder in try folders(of: reference, zone) {
            let name = Self.name(reference, in: folder)
            if let object = try store.get(name, longest: SyncSettings.largestBlob) {
                return Blob(reference: reference, bytes: object.bytes)
            }
        }
        return nil
    }

    /// Whether a blob exists and its bytes match its digest; if not, they are deleted. If such a delete
    /// request arrives late, after a correct upload, the bytes are missing and are uploaded again.
    func isRight(_ blob: BlobReference, _ zone: some Snapshot) throws -> Bool {
        for folder in try folders(of: blob, zone) where try has(blob, in: folder) {
            let digest = BlobDigest()
            var wrong = Self.objects(of: blob, in: folder)
            for part in try blob.isLarge ? parts(of: blob, in: folder) ?? [] : [] {
                let name = Self.partName(blob, part, in: folder)
                let bytes = try store.get(name, longest: SyncSettings.largestBlob)?.bytes ?? []
                if BlobReference(Data(bytes)) != part { wrong.append(name) }
                digest.add(bytes)
            }
            if digest.count == 0 {
                let name = Self.name(blob, in: folder)
                digest.add(try store.get(name, longest: SyncSettings.largestBlob)?.bytes ?? [])
            }
            if digest.reference == blob { return true }
            lastList = nil
            for name in wrong { try store.delete(name) }
        }
        return false
    }

    /// The same for any size.
    func whole(_ reference: BlobReference, _ zone: some Snapshot) throws -> Blob? {
        guard reference.isLarge else { return try blob(reference, zone) }
        var bytes: [UInt8] = []
        while bytes.count < Int(reference.size),
            let part = try part(of: reference, from: Int64(bytes.count), zone),
            !part.bytes.isEmpty
        { bytes += part.bytes }
        return bytes.isEmpty ? nil : Blob(reference: reference, bytes: bytes)
    }

    // MARK: Parts

    /// The number of bytes sent from the start of a blob; `nil` if it need not be sent. A process begins with
    /// the first part, and continues in the folder where it began, as long as that is open.
    fileprivate func begin(_ part: BlobPart, _ zone: some Snapshot) throws -> Int64? {
        let blob = part.reference
        if part.bytes.isEmpty, try isLasting(blob, zone) { return nil }
        let isOpen = sending.map { zone.head.openFolders.contains($0.folder) } ?? false
        if sending?.blob != blob || !isOpen { sending = (blob, zone.head.blobs, [], BlobDigest()) }
        return sending?.digest.count ?? 0
    }

    /// Sends a part, unless it is there.
    fileprivate func append(_ part: BlobPart) throws {
        guard let now = sending else { return }
        let own = BlobReference(Data(part.bytes))
        let name = Self.partName(part.reference, own, in: now.folder)
        if try !store.exists(name) { _ = try store.put(name, part.bytes, .always) }
        // After the upload: a failed part is sent again.
        now.digest.add(part.bytes)
        sending?.parts.append(own)
    }

    fileprivate func matches(_ blob: BlobReference) -> Bool { sending?.digest.reference == blob }

    /// Writes the list of the parts, which completes a blob.
    fileprivate func complete(_ blob: BlobReference) throws {
        guard let now = sending else { return }
        sending = nil
        var writer = ByteWriter()
        for part in now.parts { writer.add(part.name) }
        _ = try store.put(Self.listName(blob, in: now.folder), writer.bytes, .always)
    }

    /// Parts are named by their content: those of a blob that does not match are swept with its folder.
    fileprivate func discard() { sending = nil }

    /// The parts of a large blob in order; `nil` if it is not stored in parts or incomplete.
    private func parts(of blob: BlobReference, in folder: BatchName) throws -> [BlobReference]? {
        let name = Self.listName(blob, in: folder)
        if let lastList, lastList.name == name { return lastList.parts }
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
        lastList = (name, parts)
        return parts
    }

    /// A part of a complete blob, from an offset.
    func part(of blob: BlobReference, from offset: Int64, _ zone: some Snapshot) throws -> BlobPart? {
        guard (0..<max(blob.size, 1)).contains(offset) else { return nil }
        for folder in try folders(of: blob, zone) {
            if let part = try part(of: blob, from: offset, in: folder) { return part }
        }
        return nil
    }

    private func part(of blob: BlobReference, from offset: Int64, in folder: BatchName) throws -> BlobPart? {
        guard let parts = try parts(of: blob, in: folder) else {
            // From an older version, which stored all blobs in one piece.
            let range = Int(offset)..<Int(min(offset + Int64(SyncSettings.blobPart), blob.size))
            let name = Self.name(blob, in: folder)
            return try store.get(name, range: range, longest: SyncSettings.largestBlob).map {
                BlobPart(reference: blob, offset: offset, bytes: $0.bytes)
            }
        }
        var start: Int64 = 0
        for part in parts {
            if offset < start + part.size {
                let name = Self.partName(blob, part, in: folder)
                guard let object = try store.get(name, longest: SyncSettings.largestBlob) else { return nil }
                return BlobPart(
                    reference: blob, offset: offset, bytes: Array(object.bytes.dropFirst(Int(offset - start)))
                )
            }
            start += part.size
        }
        return nil
    }
}

/// The parts of large blobs in a zone.
struct S3Parts: BlobPartStore {
    typealias Failure = any Error
    private let blobs: S3Blobs
    private let zone: StoredZone

    init(_ blobs: S3Blobs, _ zone: StoredZone) { (self.blobs, self.zone) = (blobs, zone) }

    func begin(_ part: BlobPart) throws -> Int64? { try blobs.begin(part, zone) }
    func append(_ part: BlobPart) throws { try blobs.append(part) }
    func matches(_ blob: BlobReference) -> Bool { blobs.matches(blob) }
    func complete(_ blob: BlobReference) throws { try blobs.complete(blob) }
    func discard(_ blob: BlobReference) { blobs.discard() }
}
