import HikesPlugin
import PluginKit
import StoresPlugin
import WaypointsPlugin

/// The plugins that are built in: a line for each here, and its import above.
let builtInPlugins: @Sendable () -> [any Plugin] = {
    [
        HikesPlugin(),
        StoresPlugin(),
        WaypointsPlugin(),
    ]
}
