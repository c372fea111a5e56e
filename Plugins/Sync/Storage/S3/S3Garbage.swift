/// Objects that belong to nothing: of writers that were killed between their batch and their head, and of copies that were
/// put back.
struct S3Garbage {
    let store: any ObjectStore

    /// Deletes objects that can never be listed any more. A batch takes its number from the head that its writer has read, and is
    /// listed by a head that replaces that one; the present head is beyond all lower numbers. The folder of the blobs of a copy that
    /// is put back takes its number alike.
    func sweep(_ head: ZoneHead) throws {
        try sweep(BatchName.folder) { name in
            BatchName(listed: name).map { $0.number < head.revision && head.batch($0.number)?.name != $0 }
                ?? false
        }
        try sweep(ZoneHead.blobsFolder) { name in
            let folder = name.split(separator: "/").first.flatMap { BatchName(listed: String($0)) }
            return folder.map { $0.number < head.revision && $0 != head.blobs } ?? false
        }
    }

    private func sweep(_ folder: String, _ isGone: (String) -> Bool) throws {
        var gone: [String] = []
        try store.list(folder) { gone += $0.map(\.name).filter(isGone) }
        for name in gone { try store.delete("\(folder)/\(name)") }
    }
}
