/// Unreferenced objects: of writers that were killed between their batch and their head, and of restored
/// copies.
struct S3Garbage {
    let store: any ObjectStore

    /// Deletes objects that can never be listed again. A batch takes its number from the head that its writer
    /// has read, and is listed by a head that replaces that one; the current head is beyond all lower
    /// numbers. Folders of blobs and of reports take their numbers in the same way. In a closed folder only
    /// the blobs in the tree count.
    func sweep(_ zone: some Snapshot) throws {
        let head = zone.head
        try sweep(BatchName.folder) { name in
            BatchName(listed: name).map { $0.number < head.revision && head.batch($0.number)?.name != $0 }
                ?? false
        }
        try sweep(ZoneHead.devicesFolder) { name in
            Self.folder(name).map { $0.number < head.revision && $0 != head.copy } ?? false
        }
        var kept: Set<String> = []
        try zone.scan(.blobs) {
            kept.insert(S3Blobs.name(ZoneKeys.blob($0.key), in: ZoneKeys.folder($0.value)))
            return true
        }
        let open = head.openFolders
        try sweep(ZoneHead.blobsFolder) { name in
            guard let folder = Self.folder(name), folder.number < head.revision, !open.contains(folder),
                let slash = name.firstIndex(of: "/"),
                let (blob, _) = S3Blobs.blob(listed: name[name.index(after: slash)...])
            else { return false }
            return !kept.contains(S3Blobs.name(blob, in: folder))
        }
    }

    /// The folder of an object.
    private static func folder(_ name: String) -> BatchName? {
        name.split(separator: "/").first.flatMap { BatchName(listed: String($0)) }
    }

    private func sweep(_ folder: String, _ isGone: (String) -> Bool) throws {
        var gone: [String] = []
        try store.list(folder) { gone += $0.map(\.name).filter(isGone) }
        for name in gone { try store.delete("\(folder)/\(name)") }
    }
}
