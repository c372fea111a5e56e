/// Objects that belong to nothing: of writers that were killed between their batch and their head, and of copies that were
/// put back.
struct S3Garbage {
    let store: any ObjectStore

    /// Deletes batch objects that can never be listed any more. A batch takes its number from the head that its writer has read,
    /// and is listed by a head that replaces that one; the present head is beyond all lower numbers.
    func sweep(_ head: ZoneHead) throws {
        var gone: [BatchName] = []
        try store.list(BatchName.folder) { listed in
            for object in listed {
                guard let name = BatchName(listed: object.name), name.number < head.revision,
                    head.batch(name.number)?.name != name
                else { continue }
                gone.append(name)
            }
        }
        for name in gone { try store.delete(name.name) }
    }
}
