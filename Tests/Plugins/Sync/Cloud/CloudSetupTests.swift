import PluginKit
import SyncTrials
import Testing

@testable import SyncPlugin

/// A setup happens as a whole or not at all.
@Suite struct CloudSetupTests {
    @Test(.enabled(if: PostgresServer.isInstalled, "no PostgreSQL server is installed"))
    func aSetupThatFailsLeavesNothing() throws {
        let server = try PostgresServer(isSetUp: false)
        #expect(throws: RutterError.self) {
            try CloudSetup.run(server.address("root"), accounts: ["anna", "nobody"], quota: 4)
        }
        let left = try server.psql(
            "root",
            """
            SELECT (SELECT count(*) FROM pg_roles WHERE rolname LIKE 'rutter%')
                + (SELECT count(*) FROM pg_namespace WHERE nspname = 'rutter')
            """)
        #expect(left.hasPrefix("0"), "\(left)")
        try CloudSetup.run(server.address("root"), accounts: ["anna"], quota: nil)
        _ = try PostgresCloud(server.address("anna"), epoch: 1)
    }
}
