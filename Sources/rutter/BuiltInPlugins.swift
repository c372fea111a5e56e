import GuidancePlugin
import HikesPlugin
import PluginKit
import RoutingPlugin
import StoresPlugin
import SyncPlugin
import TransitPlugin
import WaypointsPlugin

/// The plugins that are built in: a line for each here, and its import above.
let builtInPlugins: @Sendable () -> [any Plugin] = {
    [
        GuidancePlugin(),
        HikesPlugin(),
        RoutingPlugin(),
        StoresPlugin(),
        SyncPlugin(),
        TransitPlugin(),
        WaypointsPlugin(),
    ]
}
