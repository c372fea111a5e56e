import PluginKit

/// Errors of bug bundles.
enum BundleErrors {
    static let empty = ErrorKind(
        "E-BUNDLE-EMPTY", "nothing to bundle",
        explanation:
            "A bundle contains the entries of the session so far. Run the entries that show the bug first.")
    static let archive = ErrorKind(
        "E-BUNDLE-ARCHIVE", "the archive is not a bug bundle",
        explanation: """
            A bundle is a ZIP archive with bug.md and the files it needs in data/.
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
    /// Maximum bytes of a packed own store.
    static let largestOwn = 256 << 20
    /// Maximum runs of the notebook per store when it is trimmed.
    static let mostRuns = 60
    /// Maximum bytes of a trimmed store; larger ones are bundled whole.
    static let largestTrimmed = 32 << 20
    /// Maximum rows of a trimmed store.
    static let mostRows = 20_000
    /// Maximum files of a bundle.
    static let mostFiles = 1_000
    /// Maximum bytes of an unpacked bundle.
    static let largestBundle = 1 << 30
}
