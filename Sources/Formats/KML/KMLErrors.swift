import Core

/// Kinds of error of KML files.
public enum KMLErrors {
    /// Not well-formed XML.
    public static let xml = ErrorKind(
        "E-KML-XML", "the file is not well-formed XML",
        explanation: "The message names line and column. A KMZ is a ZIP archive: unpack its doc.kml first.")
    /// XML, but not KML.
    public static let root = ErrorKind(
        "E-KML-ROOT", "the file is no KML",
        explanation: "The outermost element of a KML file is `kml`, in the namespace of KML 2.x or in none.")
    /// A value that KML does not allow.
    public static let value = ErrorKind(
        "E-KML-VALUE", "a value in the file is not right",
        explanation: """
            Coordinates are longitude,latitude,altitude with numbers in range, times ISO 8601. The message names line and \
            column. Nothing was imported.
            """)
    /// A file made to use up memory, or with parts from elsewhere.
    public static let hostile = ErrorKind(
        "E-KML-REFUSED", "the file has parts that are refused",
        explanation: """
            Document type declarations, entities, very deep nesting and very long texts do not occur in KML files and can \
            be used to attack the reader. Nothing was imported.
            """)

    /// All kinds of this list.
    public static let all = [xml, root, value, hostile]
    static let failures = XMLPushParser.Failures(malformed: xml, hostile: hostile)
}
