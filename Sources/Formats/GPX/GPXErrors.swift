import Core

/// Kinds of error of GPX files.
public enum GPXErrors {
    /// Not well formed XML.
    public static let xml = ErrorKind(
        "E-GPX-XML", "the file is not well-formed XML",
        explanation: """
            The message names line and column. Files that were cut off while they were copied end in the middle \
            of an element.
            """)
    /// XML, but no GPX.
    public static let root = ErrorKind(
        "E-GPX-ROOT", "the file is no GPX",
        explanation:
            "The outermost element of a GPX file is `gpx`. Web pages and other XML files are refused.")
    /// A value that GPX does not allow.
    public static let value = ErrorKind(
        "E-GPX-VALUE", "a value in the file is not right",
        explanation: """
            Latitudes and longitudes are numbers in range, elevations numbers, times ISO 8601. The message names \
            line and column. Nothing was imported.
            """)
    /// A file made to use up memory, or with parts from elsewhere.
    public static let hostile = ErrorKind(
        "E-GPX-REFUSED", "the file has parts that are refused",
        explanation: """
            Document type declarations, entities, very deep nesting and very long texts do not occur in GPX files \
            and can be used to attack the reader; more than two million points are not kept in memory. Nothing was \
            imported.
            """)

    /// All kinds of this list.
    public static let all = [xml, root, value, hostile]
}
