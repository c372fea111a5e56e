import Core

/// Kinds of error of GPX files.
public enum GPXErrors {
    /// Not well formed XML.
    public static let xml = ErrorKind(
        "E-GPX-XML", "the file is not well-formed XML",
        explanation: """
            The message names line and column. Of a file that ends in the middle, as after an interrupted copy, what \
            is whole is imported; of this one nothing is.
            """)
    /// XML, but not GPX.
    public static let root = ErrorKind(
        "E-GPX-ROOT", "not a GPX file",
        explanation:
            "The outermost element of a GPX file is `gpx`. Web pages and other XML files are rejected.")
    /// A file designed to exhaust memory, or with external parts.
    public static let hostile = ErrorKind(
        "E-GPX-REFUSED", "rejected content in the GPX file",
        explanation: """
            Document type declarations, entities, very deep nesting and very long texts do not occur in GPX files \
            and can be used to attack the reader; more than \(GPXSettings.mostPoints / 1_000_000) million points are not kept in memory. Nothing was \
            imported.
            """)

    /// All kinds of this list.
    public static let all = [xml, root, hostile]
}
