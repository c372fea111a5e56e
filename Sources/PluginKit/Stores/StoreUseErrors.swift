/// Kinds of error of choosing the store that a command works on.
public enum StoreUseErrors {
    /// The store in use cannot be changed.
    public static let readOnly = ErrorKind(
        "E-STORE-READONLY", "the store is open for reading only",
        explanation: """
            Stores of other programs are opened so that nothing in them can change. Work on a copy, or open it \
            with `store open FILE --write`.
            """)
    /// The store in use holds something else than the command works on.
    public static let kind = ErrorKind(
        "E-STORE-KIND", "the store in use is of another kind",
        explanation: """
            While a store is in use, commands of its kind work on it, and no others: nothing is read from or written to \
            your own stores unawares. `store use` without a name returns to your own stores.
            """)
}
