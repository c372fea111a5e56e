import Foundation
import PluginTestKit
import SyncTrials
import Testing

/// The notebooks that require a server: with one they pass repeatedly; without one they are skipped with a
/// message.
@Suite(.enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"))
struct ServerNotebookTests {
    private func test(_ name: String, _ environment: [String: String], _ options: [String] = []) throws
        -> RutterProcess.Outcome
    {
        let file = RealData.project.appendingPathComponent("Notebooks/cloud-\(name).md")
        return try RutterProcess.run(["test"] + options + [file.path], environment: environment)
    }

    @Test(.enabled(if: S3Server.isInstalled, "needs SeaweedFS (.ci/servers)"))
    func s3() throws {
        let server = try S3Server()
        let environment = server.environment.merging([
            "RUTTER_CLOUD_S3": "s3://\(S3Server.bucket)/notebook"
        ]) { $1 }
        for _ in 0..<2 {
            let outcome = try test("s3", environment, ["--no-skip", "--allow-network"])
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        }
        #expect(try test("s3", environment).output.contains("--allow-network"))
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "needs Debian's package postgresql"))
    func postgres() throws {
        let server = try PostgresServer()
        for _ in 0..<2 {
            let outcome = try test(
                "postgres", ["RUTTER_CLOUD_POSTGRES": server.address("anna")],
                ["--no-skip", "--allow-network"])
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            #expect(!(outcome.output + outcome.errors).contains("secret-anna"))
        }
    }

    @Test(arguments: ["s3", "postgres"])
    func withoutAServer(_ name: String) throws {
        let outcome = try test(name, ["RUTTER_CLOUD_\(name.uppercased())": ""], ["--allow-network"])
        #expect(outcome.status == 0)
        #expect(
            outcome.output.contains("the server `\(name)` is missing: RUTTER_CLOUD_"), "\(outcome.output)")
    }
}
