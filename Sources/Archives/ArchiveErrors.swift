import Core

/// Errors of archives, whoever reads them. The location is the path through the archive: `week.zip/may/walk.gpx`.
public enum ArchiveErrors {
    /// Not an archive, or damaged.
    public static let format = ErrorKind(
        "E-ARCHIVE-FORMAT", "the archive cannot be read",
        explanation: """
            The file is not an archive of a format that is expected, or it is damaged or cut off. The message has the reason \
            and, if known, the entry. Copy or download the archive again.
            """)
    /// An entry that is not unpacked.
    public static let entry = ErrorKind(
        "E-ARCHIVE-ENTRY", "the archive has an entry that is not allowed",
        explanation: """
            Entries with paths that lead outside the archive, control characters in their names, links, devices, \
            encrypted files and repeated names are not read. The message names the entry. Unpack the archive by hand if \
            you trust it.
            """)
    /// More than the limits allow.
    public static let limit = ErrorKind(
        "E-ARCHIVE-LIMIT", "the archive exceeds a limit",
        explanation: """
            Archives are read up to a number of entries, a size of each and of all entries, and a multiple of the archive's \
            own size, so that a small hostile file cannot fill memory or disk. The message names the limit.
            """)

    /// All kinds of this list.
    public static let all = [format, entry, limit]
}
