import Foundation

/// The names that programs for shared files give to the second of two files that devices changed at once.
enum ConflictCopy {
    /// The path of the file that one is a conflict copy of, by its name; `nil` if the name is of another form.
    static func original(_ path: String) -> String? {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let name = path[slash...]
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let (stem, ending) = (name[..<dot], name[dot...])
        guard let plain = plain(stem), !plain.isEmpty else { return nil }
        return String(path[..<slash]) + String(plain) + String(ending)
    }

    /// What follows the name: Syncthing's `a.sync-conflict-20260116-101500-ABCDEFG`, ownCloud's `a_conflict-20260116-101500`,
    /// Resilio's `a.Conflict`, and the copies of file managers, `a copy 2` and `a - Copy`.
    private static let endings = [
        ".sync-conflict-", "_conflict", ".conflict", "-conflict", " - copy", " - kopie", " - copie",
        " - copia", " copy",
    ]
    /// Words in brackets behind the name, in the languages of Dropbox, Nextcloud, Seafile and pCloud:
    /// `a (Anna's conflicted copy 2026-01-14)`, `a (SFConflict anna@example.org 2026-01-14)`, `a [conflicted]`.
    private static let words = [
        "conflict", "konflikt", "conflit", "conflitto", "copy", "kopie", "copie", "copia",
    ]

    /// The name without what programs add to it; iCloud and file managers also write `a 2` and `a (1)`.
    private static func plain(_ stem: Substring) -> Substring? {
        for (open, close) in [("(", ")"), ("[", "]")] where stem.hasSuffix(close) {
            guard let start = stem.firstRange(of: open) else { continue }
            let inside = stem[start.upperBound...].dropLast().lowercased()
            guard words.contains(where: inside.contains) || isNumber(inside[...]) else { continue }
            let before = stem[..<start.lowerBound]
            return before.hasSuffix(" ") ? before.dropLast() : before
        }
        for ending in endings {
            guard let mark = stem.range(of: ending, options: [.caseInsensitive, .backwards]) else { continue }
            // `copyright` is another word.
            if ending.hasSuffix("-") || stem[mark.upperBound...].first?.isLetter != true {
                return stem[..<mark.lowerBound]
            }
        }
        guard let space = stem.lastIndex(of: " ") else { return nil }
        return isNumber(stem[stem.index(after: space)...]) ? stem[..<space] : nil
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.count < 4 && text.allSatisfy { ("0"..."9").contains($0) }
    }
}
