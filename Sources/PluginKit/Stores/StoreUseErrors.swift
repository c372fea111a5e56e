/// Kinds of error of selecting the store that a command works on.
public enum StoreUseErrors {
    /// The active store is read-only.
    public static let readOnly = ErrorKind(
        "E-STORE-READONLY", "the store is open for reading only",
        explanation: """
            Stores of other programs are opened read-only by default. Work on a copy, or open it \
            with `store open FILE --write`.
            """)
    /// The active store has another kind than the command requires.
    public static let kind = ErrorKind(
        "E-STORE-KIND", "the active store is of another kind",
        explanation: """
            While a foreign store is active, only commands of its kind run, and they use that store: your own stores are \
            neither read nor written by accident. `store use` without a name returns to your own stores.
            """)
}
