import PluginTestKit
import Testing

@testable import SyncPlugin

/// Every example of every command shows what it says.
@Suite struct ExampleTests {
    @Test(.enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"))
    func examples() async {
        let failures = await ExampleRunner.failures(in: SyncPlugin().commands) {
            try SyncSession.make().session
        }
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n\n"))")
    }
}
