import Core

/// Kinds of error of KML files.
public enum KMLErrors {
    /// Not well-formed XML.
    public static let xml = ErrorKind(
        "E-KML-XML", "the file is not well-formed XML",
        explanation: "The message names line and column. A KMZ is a ZIP archive: unpack its doc.kml first.")
    /// XML, but not KML.
    public static let root = ErrorKind(
        "E-KML-ROOT", "not a KML file",
        explanation: "The outermost element of a KML file is `kml`, in the namespace of KML 2.x or in none.")
    /// A file designed to exhaust memory, or with external parts.
    public static let hostile = ErrorKind(
        "E-KML-REFUSED", "rejected content in the KML file",
        explanation: """
            Document type declarations, entities, very deep nesting and very long texts do not occur in KML files and can \
            be used to attack the reader. Nothing was imported.
            """)

    /// All kinds of this list.
    public static let all = [xml, root, hostile]
    static let failures = XMLPushParser.Failures(malformed: xml, hostile: hostile)
}
