import Core

/// Kinds of error of TCX files.
public enum TCXErrors {
    /// Not well-formed XML.
    public static let xml = ErrorKind(
        "E-TCX-XML", "the file is not well-formed XML",
        explanation: "The message names line and column. Export the file again. Nothing was imported.")
    /// XML, but not TCX.
    public static let root = ErrorKind(
        "E-TCX-ROOT", "not a TCX file",
        explanation: "The outermost element of a TCX file is `TrainingCenterDatabase`.")
    /// A value that TCX does not allow.
    public static let value = ErrorKind(
        "E-TCX-VALUE", "invalid value in the TCX file",
        explanation: """
            Coordinates are decimal degrees in range, times ISO 8601, measurements numbers. The message names line and \
            column. Nothing was imported.
            """)
    /// A file made to use up memory, or with parts from elsewhere.
    public static let hostile = ErrorKind(
        "E-TCX-REFUSED", "the file has parts that are refused",
        explanation: """
            Document type declarations, entities, very deep nesting, very long texts and more than two million points are \
            refused. Nothing was imported.
            """)

    /// All kinds of this list.
    public static let all = [xml, root, value, hostile]
    static let failures = XMLPushParser.Failures(malformed: xml, hostile: hostile)
}

/// Constants of TCX files.
enum TCXSettings {
    /// Laps that follow each other within this many seconds are one segment: pressing the lap button does not interrupt
    /// a recording. Devices that save power record a point a minute.
    static let lapPause = 60.0
}
