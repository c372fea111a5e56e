import PluginKit

/// Errors of bug bundles.
enum BundleErrors {
    static let empty = ErrorKind(
        "E-BUNDLE-EMPTY", "nothing to bundle",
        explanation:
            "A bundle holds the entries of the session so far. Run the entries that show the bug first.")
    static let archive = ErrorKind(
        "E-BUNDLE-ARCHIVE", "the archive is not a bug bundle",
        explanation: """
            A bundle is a ZIP archive with bug.md and the files it needs in data/. One with paths that lead elsewhere, \
            links, or more than a bundle can hold is not unpacked.
            """)
    static let all = [empty, archive]
}

/// Names and limits of bundles.
enum BundleSettings {
    /// The notebook's name in a bundle.
    static let notebook = "bug.md"
    /// The folder of its files.
    static let dataFolder = "data"
    /// The folder of the session's own stores.
    static let ownFolder = "data/own"
    /// Bytes of a store of the session's own; larger ones are not packed.
    static let largestOwn = 256 << 20
    /// Times that the notebook is run to find the rows that matter, for each store.
    static let mostRuns = 60
    /// Bytes of a store that is trimmed; larger ones are bundled whole.
    static let largestTrimmed = 32 << 20
    /// Rows of a store that is trimmed.
    static let mostRows = 20_000
    /// Files of a bundle.
    static let mostFiles = 1_000
    /// Bytes of a bundle unpacked.
    static let largestBundle = 1 << 30
}
