import Foundation
import PluginKit
import PluginTestKit
import Synchronization
import WaypointsPlugin

@testable import SyncPlugin

/// Sessions with devices and waypoints. Folders live as long as the tests.
enum SyncSession {
    private static let kept = Mutex<[TestSession]>([])

    static func make() throws -> TestSession {
        let test = try TestSession(plugins: { [SyncPlugin(), WaypointsPlugin()] })
        kept.withLock { $0.append(test) }
        return test
    }
}
