/// Closes folders of blobs, and with them lets blobs go that no record names.
///
/// An object cannot be deleted on the condition that no head names it. So none is deleted that a head could still come to name:
///
/// - New blobs go to the head's folder. Now and then another folder takes its place, and the old one *ages*: what is in it still counts.
/// - It is *closed* by the commit of a head that no longer has it, once everybody who brought something to it has reported since.
///   That commit writes down, in the tree of blobs, those in it that records name. It takes out of the tree those of closed folders
///   that no record names any more.
/// - Whoever saves a record looks for its blobs where the head says, and commits only if that head is still the one. In a closed
///   folder what is not in the tree is not there, and nothing adds to the tree but the closing. So what is in a closed folder
///   and not in the tree will never be named again, by nobody: it may be deleted at any time, also by a request that arrives late.
///
/// A blob that comes again goes to the head's folder, under another name than the one that is being deleted.
struct S3Collector {
    let store: any ObjectStore
    let blobs: S3Blobs

    /// Closes the aging folder if everything in it was brought below a number, and lets the head's age. Returns the names of objects that
    /// nothing refers to once the draft is committed.
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
            // It was sent once more: the later one stays.
            let isAgain = named.contains(blob) && whole.contains(blob)
            if named.contains(blob), !isAgain { continue }
            changes[blob] = .some(nil)
            try list(folder, blob) { gone.append($0) }
        }
        for blob in named where kept[blob] == nil || whole.contains(blob) {
            // Whatever the list says, what is asked for by its name is there or not.
            guard try whole.contains(blob) || blobs.has(blob, in: aging.folder) else { continue }
            changes[blob] = ZoneKeys.folder(aging.folder)
            objects[blob] = nil
        }
        try draft.update(.blobs, changes.sorted { $0.key < $1.key }.map { (ZoneKeys.blob($0.key), $0.value) })
        for names in objects.values { gone += names }
        age(draft)
        return gone.sorted()
    }

    /// From now on new blobs go to another folder. Its number is below those that the next heads count from, like that of a batch.
    private func age(_ draft: ZoneDraft) {
        draft.set { head in
            head.aging = ZoneHead.Aging(folder: head.blobs, number: head.head)
            head.blobs = BatchName(number: head.revision, salt: UInt64.random(in: 0 ... .max))
        }
    }

    /// The blobs that records name; `nil` where a newer version wrote a record that this one cannot read.
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

    /// Calls with the objects of a folder, the blobs that they belong to, and whether they make them whole.
    private func list(_ folder: BatchName, _ body: (String, BlobReference, Bool) -> Void) throws {
        let place = "\(ZoneHead.blobsFolder)/\(folder.text)"
        try store.list(place) { listed in
            for object in listed {
                guard let (blob, isWhole) = S3Blobs.blob(listed: object.name) else { continue }
                body("\(place)/\(object.name)", blob, isWhole)
            }
        }
    }

    /// Calls with the objects of a blob in a closed folder.
    private func list(_ folder: BatchName, _ blob: BlobReference, _ body: (String) -> Void) throws {
        for name in S3Blobs.objects(of: blob, in: folder) { body(name) }
        let parts = S3Blobs.partsFolder(of: blob, in: folder)
        try store.list(parts) { listed in for object in listed { body("\(parts)/\(object.name)") } }
    }
}
