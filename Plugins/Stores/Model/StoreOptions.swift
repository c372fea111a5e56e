import PluginKit

/// Parameters that several store commands share, and what their examples begin with.
enum StoreOptions {
    /// The store that a command is about; the one in use when it is left out.
    static let store = Parameter.optional(
        "store", .text, "an open store by name, or a file; by default the store in use"
    ).completing(.openStoresAndFiles)
}
