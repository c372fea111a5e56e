/// A styled range of an entry.
public struct StyledRange: Sendable, Equatable {
    /// The range, in Unicode scalars of the entry.
    public var range: Range<Int>
    /// The SGR parameters, such as `1;36`.
    public var style: String

    /// Creates a range.
    public init(_ range: Range<Int>, style: String) {
        self.range = range
        self.style = style
    }
}
