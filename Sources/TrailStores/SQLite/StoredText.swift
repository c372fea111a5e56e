extension String {
    /// Whether a store holds the same bytes for both texts. `==` compares characters as they are read: é is one code point or two,
    /// which looks the same, and is another text for a store, a search or another program.
    package func isStored(as other: String) -> Bool { utf8Bytes == other.utf8Bytes }

    /// The bytes that a store holds.
    var utf8Bytes: [UInt8] { Array(utf8) }
}
