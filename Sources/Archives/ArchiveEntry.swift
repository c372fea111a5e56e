import CArchive
import Core

/// A file in an archive.
public struct ArchiveEntry: Sendable {
    /// Why an entry is not read.
    public enum Fault: Sendable, Hashable {
        case outside
        case controlCharacters
        case unnamed
        case link
        case encrypted
        case repeated
        /// Larger than the limits allow, by its declared size in bytes.
        case tooLarge(Int)

        /// The predicate of the sentence that begins with the entry.
        var words: String {
            switch self {
            case .outside: "has a path that leads outside the archive"
            case .controlCharacters: "has control characters in its name"
            case .unnamed: "has no name"
            case .link: "is a link or a device, not a file"
            case .encrypted: "is encrypted and needs a password"
            case .repeated: "is in the archive twice"
            case .tooLarge(let bytes):
                "would unpack to \(bytes) bytes, more than its archive allows (ZIP bomb)"
            }
        }
    }

    /// The name of the archive in messages.
    public let archive: String
    /// The whole path in the archive, decoded; never to be used as a path on disk before `require()`.
    public let path: String
    /// Declared size in bytes; `nil` if unknown.
    public let size: Int?
    /// Seconds since 1970 of its last change; `nil` if unknown.
    public let modified: Int?
    /// Why it must not be read; `nil` for a regular file with a path inside the archive.
    public let fault: Fault?

    /// Why it was not unpacked, in words: its fault, or damaged content.
    public var obstacle: String { "`\(path)` \(fault?.words ?? "is damaged")" }

    /// The name of the entry in reports: archive and path.
    public var name: String { "\(archive)/\(path)" }

    /// Throws `E-ARCHIVE-ENTRY` or `E-ARCHIVE-LIMIT` for an entry with a fault.
    public func require() throws(RutterError) {
        guard let fault else { return }
        let kind = if case .tooLarge = fault { ArchiveErrors.limit } else { ArchiveErrors.entry }
        throw kind(
            "\(archive): the entry `\(path)` \(fault.words)", at: .file(path: name, line: nil, column: nil),
            fix: fault == .encrypted ? "unpack the archive with its password, and name the folder" : nil)
    }
}

extension ArchiveEntry {
    /// Types of entries, from `st_mode`.
    private static let typeMask: UInt32 = 0o170000
    private static let regularFile: UInt32 = 0o100000
    private static let directory: UInt32 = 0o040000

    /// Whether libarchive's entry is a folder.
    static func isFolder(_ entry: OpaquePointer, _ path: String) -> Bool {
        UInt32(archive_entry_filetype(entry)) & typeMask == directory || path.hasSuffix("/")
    }

    /// What is wrong with libarchive's entry, apart from its size and repetition.
    static func fault(_ entry: OpaquePointer, _ path: String) -> Fault? {
        if path.isEmpty { return .unnamed }
        if let fault = ArchiveName.fault(path) { return fault }
        let type = UInt32(archive_entry_filetype(entry)) & typeMask
        let isFile = type == regularFile || type == 0 || isFolder(entry, path)
        guard isFile, archive_entry_hardlink(entry) == nil else { return .link }
        return archive_entry_is_encrypted(entry) == 0 ? nil : .encrypted
    }
}
