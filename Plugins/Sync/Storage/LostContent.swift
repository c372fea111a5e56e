import PluginKit

/// Photos and tracks whose bytes are gone from a row that still has them: blocks of the file that were never written, an end
/// that is missing, or a cell that was emptied while the row's flag says that there is a photo. That is no edit, and
/// replaces no good copy.
enum LostContent {
    /// How the bytes of a photo or track are damaged.
    enum Damage: Sendable {
        /// A whole block is zeros.
        case gap
        /// It ends before its end.
        case cut
    }

    /// The flag of a row, by the column whose content it promises.
    private static let flags = ["photo_data": "has_photo"]

    /// The row with the photos and tracks that it lost; `nil` if it lost none. Cut ones are kept as lost values, because
    /// what is there of them may be wanted.
    static func kept(_ row: Row?, _ known: Version, damages: [BlobReference: Damage]) -> KeptRow? {
        guard let row, !known.isDeleted else { return nil }
        var kept = row
        var cut: Row = []
        var lost: [String] = []
        for (index, field) in row.enumerated() {
            guard case .blob(let held) = known.value(field.key), isLost(field, of: row, held, damages) else {
                continue
            }
            if let found = field.value.blob, damages[found] == .cut { cut.append(field) }
            kept[index].value = .blob(held)
            lost.append(field.key)
        }
        if lost.isEmpty { return nil }
        return KeptRow(
            row: kept, offers: cut, reason: .damaged,
            why: "\(lost.joined(separator: ", ")) was lost, not edited")
    }

    private static func isLost(
        _ field: RowField, of row: Row, _ held: BlobReference, _ damages: [BlobReference: Damage]
    ) -> Bool {
        switch field.value {
        case .blob(let found):
            if found == held { return false }
            return switch damages[found] {
            // An edit changes the size; a lost block does not. Flat pictures have blocks of zeros, too.
            case .gap: found.size == held.size || isBlank(found)
            // The known one may be cut as well: then neither is better.
            case .cut: damages[held] != .cut && found.size <= held.size || isBlank(found)
            case nil: isBlank(found)
            }
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
