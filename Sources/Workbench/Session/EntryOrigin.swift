/// The location of an entry in a file.
public struct EntryOrigin: Sendable, Hashable {
    /// The file name as given.
    public let file: String
    /// The line of the entry's first line, from 1.
    public let line: Int

    /// A location in a file.
    public init(file: String, line: Int) {
        self.file = file
        self.line = line
    }
}
