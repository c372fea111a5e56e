/// Where an entry stands in a file.
public struct EntryOrigin: Sendable, Hashable {
    /// The file as it was named.
    public let file: String
    /// The line of the entry's first line, from 1.
    public let line: Int

    /// A place in a file.
    public init(file: String, line: Int) {
        self.file = file
        self.line = line
    }
}
