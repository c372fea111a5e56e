import PluginKit

/// Photos and tracks whose bytes are gone from a row that still has them: blocks of the file that were never written, or
/// a cell that was emptied while the row's flag says that there is a photo. That is no edit, and replaces no good copy.
enum LostContent {
    /// The flag of a row, by the column whose content it promises.
    private static let flags = ["photo_data": "has_photo"]

    /// The row with the photos and tracks that it lost; `nil` if it lost none. `gaps` are the blobs with blocks of zeros.
    static func kept(_ row: Row?, _ known: Version, gaps: Set<BlobReference>) -> KeptRow? {
        guard let row, !known.isDeleted else { return nil }
        var kept = row
        var lost: [String] = []
        for (index, field) in row.enumerated() {
            guard case .blob(let held) = known.value(field.key), isLost(field, of: row, held, gaps) else {
                continue
            }
            kept[index].value = .blob(held)
            lost.append(field.key)
        }
        if lost.isEmpty { return nil }
        return KeptRow(row: kept, why: "\(lost.joined(separator: ", ")) was lost, not edited")
    }

    private static func isLost(
        _ field: RowField, of row: Row, _ held: BlobReference, _ gaps: Set<BlobReference>
    ) -> Bool {
        switch field.value {
        case .blob(let found):
            // An edit changes the size; damage does not. Flat pictures have blocks of zeros, too.
            return found != held && (isBlank(found) || found.size == held.size && gaps.contains(found))
        case .absent:
            guard let flag = flags[field.key] else { return false }
            return row.contains { $0.key == flag && $0.value == .integer(1) }
        case .integer, .number, .text, .bytes: return false
        }
    }

    /// Whether a blob consists of zero bytes only; an empty one does.
    static func isBlank(_ blob: BlobReference) -> Bool {
        if blob.size == 0 { return true }
        let digest = BlobDigest()
        let part = [UInt8](repeating: 0, count: SyncSettings.blobPart)
        var left = Int(blob.size)
        while left > 0 {
            digest.add(left < part.count ? [UInt8](repeating: 0, count: left) : part)
            left -= part.count
        }
        return digest.reference == blob
    }
}
