import BeaconsPlugin
import ExportPlugin
import GuidancePlugin
import HikesPlugin
import PlacesPlugin
import PluginKit
import RoutingPlugin
import StoresPlugin
import SyncPlugin
import TransitPlugin
import WaypointsPlugin

/// The plugins that are built in: a line for each here, and its import above.
let builtInPlugins: @Sendable () -> [any Plugin] = {
    [
        BeaconsPlugin(),
        ExportPlugin(),
        GuidancePlugin(),
        HikesPlugin(),
        PlacesPlugin(),
        RoutingPlugin(),
        StoresPlugin(),
        SyncPlugin(),
        TransitPlugin(),
        WaypointsPlugin(),
    ]
}
