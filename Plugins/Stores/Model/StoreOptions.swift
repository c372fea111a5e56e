import PluginKit

/// Parameters shared by several store commands.
enum StoreOptions {
    /// The store that a command works on; default: the one in use.
    static let store = Parameter.optional(
        "store", .text, "open store by name, or a file; default: the store in use"
    ).completing(.openStoresAndFiles)
}
