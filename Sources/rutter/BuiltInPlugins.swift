import PluginKit

/// The plugins that are built in: one line each, and their imports above.
let builtInPlugins: @Sendable () -> [any Plugin] = {
    []
}
