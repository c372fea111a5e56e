import Foundation
import PluginKit
import PluginTestKit
import Synchronization

@testable import SyncPlugin

#if HAS_WAYPOINTS
    import WaypointsPlugin
#endif

/// Sessions with devices and waypoints. Folders live as long as the tests.
enum SyncSession {
    private static let kept = Mutex<[TestSession]>([])

    /// Whether the plugin with the waypoint commands is available.
    static var hasWaypoints: Bool {
        #if HAS_WAYPOINTS
            true
        #else
            false
        #endif
    }

    static func make() throws -> TestSession {
        #if HAS_WAYPOINTS
            let test = try TestSession(plugins: { [SyncPlugin(), WaypointsPlugin()] })
        #else
            let test = try TestSession(plugins: { [SyncPlugin()] })
        #endif
        kept.withLock { $0.append(test) }
        return test
    }
}
