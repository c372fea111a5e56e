/// Closes folders of blobs, and thereby releases unreferenced blobs.
///
/// An object cannot be deleted on the condition that no head references it. So none is deleted that a head
/// could still reference:
///
/// - New blobs go to the head's folder. From time to time it is replaced by a new one, and the old one
/// *ages*: its content still counts.
/// - It is *closed* by the commit of a head without it, after all devices that sent something to it have
/// reported since. That commit records its referenced blobs in the tree of blobs. It removes from the tree
/// the unreferenced blobs of closed folders.
/// - A save looks for its blobs in the folders of the head, and commits only if the head is unchanged. In a
/// closed folder a blob outside the tree does not count, and only the closing adds to the tree. So a blob in a
/// closed folder and outside the tree will never be referenced again: it may be deleted at any time, even by
/// a late request.
///
/// A blob that is sent again goes to the head's folder, under a name other than that of the deleted object.
struct S3Collector {
    let store: any ObjectStore
    let blobs: S3Blobs

    /// Closes the aging folder if all its content was sent before a number, and lets the head's folder age.
    /// Returns the names of objects that are unreferenced once the draft is committed.
    func close(below number: Int64, _ draft: ZoneDraft) throws -> [String] {
        guard let aging = draft.head.aging else {
            age(draft)
            return []
        }
        guard aging.number < number else { return [] }
        var objects: [BlobReference: [String]] = [:]
        var whole: Set<BlobReference> = []
        try list(aging.folder) { name, blob, isWhole in
            objects[blob, default: []].append(name)
            if isWhole { whole.insert(blob) }
        }
        guard let named = try named(draft) else { return [] }
        var changes: [BlobReference: [UInt8]?] = [:]
        var gone: [String] = []
        var kept: [BlobReference: BatchName] = [:]
        try draft.scan(.blobs) { entry in
            kept[ZoneKeys.blob(entry.key)] = ZoneKeys.folder(entry.value)
            return true
        }
        for (blob, folder) in kept {
            // It was sent a second time: the later one is kept.
            let isAgain = named.contains(blob) && whole.contains(blob)
            if named.contains(blob), !isAgain { continue }
            changes[blob] = .some(nil)
            try list(folder, blob) { gone.append($0) }
        }
        for blob in named where kept[blob] == nil || whole.contains(blob) {
            // Lists may be incomplete; a request by name is reliable.
            guard try whole.contains(blob) || blobs.has(blob, in: aging.folder) else { continue }
            changes[blob] = ZoneKeys.folder(aging.folder)
            objects[blob] = nil
        }
        try draft.update(.blobs, changes.sorted { $0.key < $1.key }.map { (ZoneKeys.blob($0.key), $0.value) })
        for names in objects.values { gone += names }
        age(draft)
        return gone.sorted()
    }

    /// Directs new blobs to another folder. Its number is below those used by the next heads, like that of a
    /// batch.
    private func age(_ draft: ZoneDraft) {
        let salt = draft.salt()
        draft.set { head in
            head.aging = ZoneHead.Aging(folder: head.blobs, number: head.head)
            head.blobs = BatchName(number: head.revision, salt: salt)
        }
    }

    /// The referenced blobs; `nil` if a newer version wrote an unreadable record.
    private func named(_ zone: some Snapshot) throws -> Set<BlobReference>? {
        var named: Set<BlobReference> = []
        var isReadable = true
        try zone.scan(.records) { entry in
            let version = try ZoneKeys.record(entry.key, entry.value).version
            isReadable = !version.isOpaque
            named.formUnion(version.blobs)
            return isReadable
        }
        return isReadable ? named : nil
    }

    /// Calls `body` with the objects of a folder, their blobs, and whether they complete them.
    private func list(_ folder: BatchName, _ body: (String, BlobReference, Bool) -> Void) throws {
        let path = "\(ZoneHead.blobsFolder)/\(folder.text)"
        try store.list(path) { listed in
            for object in listed {
                guard let (blob, isWhole) = S3Blobs.blob(listed: object.name) else { continue }
                body("\(path)/\(object.name)", blob, isWhole)
            }
        }
    }

    /// Calls `body` with the objects of a blob in a closed folder.
    private func list(_ folder: BatchName, _ blob: BlobReference, _ body: (String) -> Void) throws {
        for name in S3Blobs.objects(of: blob, in: folder) { body(name) }
        let parts = S3Blobs.partsFolder(of: blob, in: folder)
        try store.list(parts) { listed in for object in listed { body("\(parts)/\(object.name)") } }
    }
}
