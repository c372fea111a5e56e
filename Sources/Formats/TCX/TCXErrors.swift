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
    /// An invalid value.
    public static let value = ErrorKind(
        "E-TCX-VALUE", "invalid value in the TCX file",
        explanation: """
            Coordinates are decimal degrees in range, times ISO 8601, measurements numbers. The message names line and \
            column. Nothing was imported.
            """)
    /// A file designed to exhaust memory, or with external parts.
    public static let hostile = ErrorKind(
        "E-TCX-REFUSED", "rejected content in the TCX file",
        explanation: """
            Document type declarations, entities, very deep nesting, very long texts and more than \(GPXSettings.mostPoints / 1_000_000) million points are \
            rejected. Nothing was imported.
            """)

    /// All kinds of this list.
    public static let all = [xml, root, value, hostile]
    static let failures = XMLPushParser.Failures(malformed: xml, hostile: hostile)
}

/// Constants of TCX files.
enum TCXSettings {
    /// Laps that follow within this many seconds continue a segment: pressing the lap button does not
    /// interrupt a recording. Power-saving devices record one point per minute.
    static let lapPause = 60.0
}
