/// Limits of the data commands that read text.
enum DataSettings {
    /// A source of at most this many bytes stays in memory, and the kinds of its columns are found from all of it.
    static let short = 1 << 20
    /// Bytes of a longer source from which the kinds of columns are found.
    static let sample = 1 << 18
    /// Most bytes that are kept of a source that can be read only once, that is packed, or that is not UTF-8.
    static let mostKept = 512 << 20
    /// Bytes at the end of a longer source in which its last line is looked for.
    static let longestLastLine = 1 << 14
    /// Lines by which the separator of cells is recognised.
    static let separatorLines = 20
    /// Milliseconds between looks at a pipe that has nothing to read.
    static let pipeWait: Int32 = 100
    /// Share of the filled cells of a column of text that are numbers, from which the others are pointed out.
    static let almostNumbers = 0.9
}
