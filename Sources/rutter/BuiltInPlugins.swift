import ExportPlugin
import GuidancePlugin
import HikesPlugin
import PluginKit
import RoutingPlugin
import StoresPlugin
import TransitPlugin
import WaypointsPlugin

/// The plugins that are built in: a line for each here, and its import above.
let builtInPlugins: @Sendable () -> [any Plugin] = {
    [
        ExportPlugin(),
        GuidancePlugin(),
        HikesPlugin(),
        RoutingPlugin(),
        StoresPlugin(),
        TransitPlugin(),
        WaypointsPlugin(),
    ]
}
