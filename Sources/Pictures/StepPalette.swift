/// The colours of a trace's pictures and boards. Shapes, widths and dashes always duplicate their meaning.
public enum StepPalette {
    /// What is followed, kept or near: the subject of an algorithm.
    public static let subject = Color(0x1C6DD0)
    /// What the current step decides on.
    public static let present = Color(0xC92A2A)
    /// What was rejected or not reached.
    public static let refused = Color(0x6B7280)
    /// What was accepted, or the second of two sides.
    public static let accepted = Color(0x2B8A3E)
    /// What counts less than the subject, such as a source behind.
    public static let lesser = Color(0x8A5A00)
    /// The input, such as a recorded track.
    public static let given = Color(0xE8590C)
    /// Fixed points: starts, ends, listeners.
    public static let fixed = Color(0x2B3440)
}
