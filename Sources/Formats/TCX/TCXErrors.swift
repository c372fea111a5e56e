import Core

/// Kinds of error of TCX files.
public enum TCXErrors {
    /// Not well-formed XML.
    public static let xml = ErrorKind(
        "E-TCX-XML", "the file is not well-formed XML",
        explanation: "The message names line and column. Export the file again: no point of it is whole.")
    /// XML, but not TCX.
    public static let root = ErrorKind(
        "E-TCX-ROOT", "not a TCX file",
        explanation: "The outermost element of a TCX file is `TrainingCenterDatabase`.")
    /// A file designed to exhaust memory, or with external parts.
    public static let hostile = ErrorKind(
        "E-TCX-REFUSED", "rejected content in the TCX file",
        explanation: """
            Document type declarations, entities, very deep nesting, very long texts and more than \(GPXSettings.mostPoints / 1_000_000) million points are \
            rejected. Nothing was imported.
            """)

    /// All kinds of this list.
    public static let all = [xml, root, hostile]
    static let failures = XMLPushParser.Failures(malformed: xml, hostile: hostile)
}

/// Constants of TCX files.
enum TCXSettings {
    /// Laps that follow within this many seconds continue a segment: pressing the lap button does not
    /// interrupt a recording. Power-saving devices record one point per minute.
    static let lapPause = 60.0
}
