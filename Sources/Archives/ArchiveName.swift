import Core

/// Names of entries: decoding, and the rules for those that are read.
enum ArchiveName {
    /// The text of a name: UTF-8, or else code page 437, the encoding of ZIP before Unicode (APPNOTE 6.3, appendix D).
    static func decoded(_ bytes: UnsafePointer<CChar>) -> String {
        if let text = String(validatingCString: bytes) { return text }
        var text = ""
        var next = bytes
        while next.pointee != 0 {
            let byte = UInt8(bitPattern: next.pointee)
            text.unicodeScalars.append(byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte - 0x80)])
            next += 1
        }
        return text
    }

    /// The characters 0x80 to 0xFF of code page 437.
    private static let upperHalf = Array(
        ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
            + "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}").unicodeScalars)

    /// Whether a path begins with a drive of Windows, such as `C:`.
    private static func isOnDrive(_ path: String) -> Bool {
        let start = path.unicodeScalars.prefix(2)
        return start.count == 2 && start.last == ":" && start.first?.properties.isAlphabetic == true
    }

    /// What is wrong with a path; `nil` if it stays inside the archive.
    static func fault(_ path: String) -> ArchiveEntry.Fault? {
        // A backslash separates folders on Windows.
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if path.hasPrefix("/") || Self.isOnDrive(path) || path.utf8.contains(UInt8(ascii: "\\"))
            || parts.contains(where: { $0.elementsEqual("..".utf8) })
        {
            return .outside
        }
        return path.unicodeScalars.contains { $0.properties.generalCategory == .control }
            ? .controlCharacters : nil
    }
}

/// Files that operating systems leave in folders and archives.
package enum SystemFiles {
    /// Whether a path is one of them, or in such a folder: resource forks and folder settings of macOS, thumbnails and
    /// settings of Windows.
    package static func contains(_ path: some StringProtocol) -> Bool {
        let parts = path.split(separator: "/")
        guard let name = parts.last else { return false }
        return name.hasPrefix("._") || names.contains(String(name))
            || parts.contains { folders.contains(String($0)) }
    }

    private static let names: Set = [".DS_Store", "Thumbs.db", "desktop.ini"]
    private static let folders: Set = ["__MACOSX"]
}
