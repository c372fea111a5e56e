/// Finds photos and tracks that are missing in the cloud, and sends them from the rows that contain them.
enum BlobHealing {
    /// The blobs that this device expects in the cloud and that are missing there.
    static func lacking<C: CloudBackend>(
        _ states: [(key: RecordKey, state: SyncedRecordState)], _ cloud: inout C
    ) throws(CloudFailure) -> Set<BlobReference> {
        var known: Set<BlobReference> = []
        for (_, state) in states {
            known.formUnion((state.base?.blobs ?? []).filter(state.local.blobs.contains))
        }
        var lacking: Set<BlobReference> = []
        var rest = known.sorted()[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(SyncSettings.page))
            rest = rest.dropFirst(some.count)
            guard case .lacking(let found) = try cloud.answer(.lacks(some, looksInside: false)) else {
                throw .permanent("the cloud's answer does not match the request")
            }
            lacking.formUnion(found)
        }
        return lacking
    }

    /// Sends those of the blobs that the rows of the records contain.
    static func send<S: DeviceStore, C: CloudBackend>(
        _ lacking: Set<BlobReference>, of keys: [RecordKey], in store: S, to cloud: inout C
    ) throws {
        for key in keys {
            for blob in try store.state(key)?.local.blobs ?? [] where lacking.contains(blob) {
                if !blob.isLarge {
                    guard let whole = try store.blob(blob, of: key) else { continue }
                    _ = try cloud.answer(.putBlobs([whole]))
                    continue
                }
                var part = BlobPart(reference: blob, offset: 0, bytes: [])
                var last: Int64 = -1
                while case .received(let held) = try cloud.answer(.putPart(part)), held > last,
                    held < blob.size, let next = try store.part(of: blob, in: key, from: held)
                {
                    if Task.isCancelled { throw CloudFailure.transient("interrupted") }
                    (part, last) = (next, held)
                }
            }
        }
    }
}
