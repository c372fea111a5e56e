/// A stretch of an entry that is shown in a style while it is edited.
public struct StyledRange: Sendable, Equatable {
    /// The stretch, in Unicode scalars of the entry.
    public var range: Range<Int>
    /// The parameters of an SGR sequence, such as `1;36`.
    public var style: String

    /// Makes a range.
    public init(_ range: Range<Int>, style: String) {
        self.range = range
        self.style = style
    }
}
