import Core

/// Kinds of error of FIT files.
public enum FITErrors {
    /// Not FIT.
    public static let header = ErrorKind(
        "E-FIT-HEADER", "not a FIT file",
        explanation: "A FIT file begins with a header of 12 or 14 bytes that contains the letters .FIT.")
    /// Bytes are missing.
    public static let cut = ErrorKind(
        "E-FIT-CUT", "the FIT file is cut off",
        explanation: """
            The header states more bytes than the file has, or a message ends after the data. A copy was interrupted, or the \
            device lost power. Copy the file from the device again. Nothing was imported.
            """)
    /// The checksum differs.
    public static let checksum = ErrorKind(
        "E-FIT-CRC", "the checksum of the FIT file is wrong",
        explanation: """
            The file was changed after the device wrote it. Copy it again from the device. Nothing was imported, because \
            any of its values may be wrong.
            """)
    /// An invalid message.
    public static let message = ErrorKind(
        "E-FIT-MESSAGE", "invalid message in the FIT file",
        explanation: """
            The message names the byte. Data messages refer to a definition that precedes them; definitions are little \
            or big endian. Nothing was imported.
            """)
    /// The file exceeds a limit.
    public static let tooLarge = ErrorKind(
        "E-FIT-TOOLARGE", "the FIT file is too large",
        explanation:
            "Files are read into memory, so their size and number of points are limited. Nothing was imported."
    )

    /// All kinds of this list.
    public static let all = [header, cut, checksum, message, tooLarge]
}
