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

    /// Dropbox and Nextcloud: `a (Anna's conflicted copy 2026-01-14)`; Syncthing: `a.sync-conflict-20260116-101500-ABCDEFG`;
    /// iCloud and file managers: `a 2`, `a (1)`.
    private static func plain(_ stem: Substring) -> Substring? {
        if let mark = stem.firstRange(of: ".sync-conflict-") { return stem[..<mark.lowerBound] }
        guard let space = stem.lastIndex(of: " ") else { return nil }
        if stem.hasSuffix(")"), let open = stem.firstRange(of: " (") {
            let inside = stem[open.upperBound...].dropLast()
            return inside.lowercased().contains("conflicted copy") || isNumber(inside)
                ? stem[..<open.lowerBound] : nil
        }
        return isNumber(stem[stem.index(after: space)...]) ? stem[..<space] : nil
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.count < 4 && text.allSatisfy { ("0"..."9").contains($0) }
    }
}
