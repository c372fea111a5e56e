import CivilTime
import Foundation
import PluginTestKit
import SyncTrials
import Testing

@testable import SyncPlugin

/// Servers that are missing, refuse, disconnect or are full: the device's edits wait, and the error is
/// reported.
@Suite(.enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"))
struct BadServerTests {
    private func phone() async throws -> TestSession {
        let test = try SyncSession.make()
        await test.run("device add phone anna; waypoint add 46.5,7.9 --label Hut")
        return test
    }

    private func failure(_ test: TestSession, _ entry: String) async -> (code: String, text: String) {
        let result = await test.result(entry)
        return (result.failure?.code ?? "none", result.failure?.message ?? "")
    }

    /// Seconds that have passed on the session's clock.
    private func passed(_ test: TestSession) async throws -> Double {
        let now = try #require(ISO8601.timestamp(await test.run("clock")))
        return now.seconds - TestSession.Settings.start.seconds
    }

    /// 2, 4 and 8 seconds, each up to a quarter more or less, on the session's clock: no time passes here.
    @Test func attemptsAreSpreadInVirtualTime() async throws {
        let test = try await phone()
        let (code, text) = await failure(test, "sync --cloud postgres://anna:secret@127.0.0.1:1/none")
        #expect(code == "E-SYNC-EXHAUSTED")
        #expect(text.hasPrefix("4 attempts failed"))
        #expect(!text.contains("secret"))
        let waited = try await passed(test)
        #expect((10.5...17.5).contains(waited), "\(waited)")
        // The same seed waits the same.
        let again = try await phone()
        _ = await again.result("sync --cloud postgres://anna:secret@127.0.0.1:1/none")
        #expect(try await passed(again) == waited)
        // Unsent changes wait, and are sent when a cloud is available.
        #expect(await test.run("sync status | get outbox") == "1")
        #expect(await test.run("sync | get pushed") == "1")
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "needs Debian's package postgresql"))
    func aServerInTrouble() async throws {
        let server = try PostgresServer()
        let test = try await phone()
        let cloud = "sync --cloud '\(server.address("anna"))'"
        let wrong = cloud.replacingOccurrences(of: "secret-anna", with: "wr0ng")
        let refused = await failure(test, wrong)
        #expect(refused.code == "E-SYNC-CLOUD")
        #expect(refused.text.contains("password authentication failed"))
        #expect(!refused.text.contains("wr0ng"))
        #expect(try await passed(test) == 0, "what is refused for good is not tried again")
        #expect(await test.run("\(cloud) | get pushed") == "1")
        for number in 0..<5 { await test.run("waypoint add 46.\(number),7.7 --label W\(number)") }
        try await breaksOff(server, test, cloud)
        try await isFull(server, test, cloud)
        #expect(await test.run("\(cloud) | get pushed") == "5")
        try server.psql("root", "ALTER ROLE anna CONNECTION LIMIT 0")
        #expect(await failure(test, cloud).code == "E-SYNC-EXHAUSTED")
        try server.psql("root", "ALTER ROLE anna CONNECTION LIMIT -1")
        #expect(await test.run("\(cloud) | get pushed") == "0")
        // Another program's schema of that name.
        try server.psql("berta", "SELECT 1")
        try server.psql(
            "root", "DROP SCHEMA rutter CASCADE; CREATE SCHEMA rutter; CREATE TABLE rutter.zones (x int)")
        #expect(await failure(test, cloud).code == "E-SYNC-CLOUD")
        try server.psql("root", "DROP SCHEMA rutter CASCADE")
        #expect(await failure(test, cloud).code == "E-SYNC-CLOUD")
        await test.run("cloud setup '\(server.address("root"))' --account anna")
        // A new zone may belong to another account: nothing is sent before that is decided.
        #expect(await failure(test, cloud).code == "E-SYNC-ACCOUNT")
        await test.run("sync account merge --cloud '\(server.address("anna"))'")
        #expect(await test.run("\(cloud) | get pushed") == "6", "an empty server gets everything")
    }

    /// The server ends the connection in the middle of a batch: the whole batch is saved, or nothing.
    private func breaksOff(_ server: PostgresServer, _ test: TestSession, _ cloud: String) async throws {
        try server.psql(
            "root",
            Self.trigger(
                "IF (SELECT count(*) FROM rutter.records) > 3 THEN "
                    + "PERFORM pg_terminate_backend(pg_backend_pid()); END IF"))
        #expect(await failure(test, cloud).code == "E-SYNC-EXHAUSTED")
        #expect(try server.psql("root", "SELECT count(*) FROM rutter.records").hasPrefix("1"))
        #expect(await test.run("sync status | get outbox") == "5")
        #expect(await test.run("sync status | get parked") == "5")
    }

    private func isFull(_ server: PostgresServer, _ test: TestSession, _ cloud: String) async throws {
        try server.psql("root", Self.trigger("RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'"))
        let full = await failure(test, cloud)
        #expect(full.code == "E-SYNC-EXHAUSTED")
        #expect(full.text.contains("no space left"))
        #expect(await test.run("sync status | get outbox") == "5")
        try server.psql("root", "DROP TRIGGER trouble ON rutter.records")
    }

    private static func trigger(_ body: String) -> String {
        """
        CREATE OR REPLACE FUNCTION rutter.trouble() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN \(body); RETURN new; END $$;
        DROP TRIGGER IF EXISTS trouble ON rutter.records;
        CREATE TRIGGER trouble BEFORE INSERT ON rutter.records FOR EACH ROW EXECUTE FUNCTION rutter.trouble();
        """
    }

    @Test(
        .enabled(if: PostgresServer.isInstalled, "needs Debian's package postgresql"),
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "needs openssl"))
    func aCertificateThatIsNotTrusted() async throws {
        let folder = try TemporaryFolder()
        for name in ["server", "other"] { try Self.certificate(name, in: folder.url) }
        let server = try PostgresServer(options: try Self.tls(folder.url))
        let test = try await phone()
        func cloud(_ options: String) -> String {
            let address = server.address("anna").replacingOccurrences(of: "127.0.0.1", with: "localhost")
            return "sync --cloud '\(address)?\(options)' | get pushed"
        }
        let path = folder.url.path
        let stranger = await failure(test, cloud("sslmode=verify-full&sslrootcert=\(path)/other.crt"))
        #expect(stranger.code == "E-SYNC-CLOUD")
        #expect(stranger.text.contains("certificate verify failed"), "\(stranger.text)")
        #expect(await test.run("sync status | get outbox") == "1")
        let named = cloud("sslmode=verify-full&sslrootcert=\(path)/server.crt")
        let byNumber = await failure(test, named.replacingOccurrences(of: "localhost", with: "127.0.0.1"))
        #expect(byNumber.code == "E-SYNC-CLOUD", "the certificate has another name")
        #expect(await test.run(named) == "1")
    }

    private static func certificate(_ name: String, in folder: URL) throws {
        let path = folder.appendingPathComponent(name).path
        try PostgresServer.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost", "-keyout", "\(path).key", "-out", "\(path).crt",
            ])
    }

    /// The server's options; its key must be readable by its owner only.
    private static func tls(_ folder: URL) throws -> String {
        chmod(folder.path, 0o755)
        let key = folder.appendingPathComponent("server.key").path
        chmod(key, 0o600)
        if getuid() == 0 { try PostgresServer.run("/usr/bin/chown", ["postgres", key]) }
        return "-c fsync=off -c ssl=on -c ssl_cert_file=\(folder.path)/server.crt -c ssl_key_file=\(key)"
    }

    // MARK: Object stores

    /// Runs entries in a process whose environment names a store.
    private func run(
        _ entries: [String], in folder: TemporaryFolder, _ environment: [String: String]
    ) throws -> RutterProcess.Outcome {
        try RutterProcess.run(
            ["--workspace", folder.url.path, "--clock", "2026-02-06T08:00:00Z"]
                + entries.flatMap { ["-c", $0] },
            environment: environment)
    }

    @Test(.enabled(if: S3Server.isInstalled, "needs SeaweedFS (.ci/servers)"))
    func anObjectStoreInTrouble() throws {
        let server = try S3Server()
        let folder = try TemporaryFolder()
        let good = server.environment
        let sync = "sync --cloud s3://\(S3Server.bucket)/anna | get pushed"
        let start = try run(
            [
                "device add phone anna", "waypoint add 46.5,7.9 --label Hut", sync,
                "waypoint add 46,7 --label Lake",
            ], in: folder, good)
        #expect(start.status == 0, "\(start.errors)")
        func failure(_ entry: String, _ environment: [String: String]) throws -> String {
            let outcome = try run(["device use anna", entry], in: folder, good.merging(environment) { $1 })
            #expect(outcome.status == 1)
            #expect(!(outcome.errors + outcome.output).contains("wr0ng"))
            return outcome.errors
        }
        let wrong = try failure(sync, ["AWS_SECRET_ACCESS_KEY": "wr0ng"])
        #expect(wrong.contains("E-SYNC-CLOUD: SignatureDoesNotMatch"), "\(wrong)")
        let stranger = try failure(sync, ["AWS_ACCESS_KEY_ID": "wr0ng", "AWS_SECRET_ACCESS_KEY": "wr0ng"])
        #expect(stranger.contains("E-SYNC-CLOUD: InvalidAccessKeyId"), "\(stranger)")
        let token = try failure(sync, ["AWS_SESSION_TOKEN": "wr0ng"])
        #expect(token.contains("E-SYNC-CLOUD"), "\(token)")
        let bucket = try failure("sync --cloud s3://nothing/anna", [:])
        #expect(bucket.contains("E-SYNC-CLOUD: NoSuchBucket"), "\(bucket)")
        let other = try failure("sync --cloud s3://\(S3Server.bucket)/berta", [:])
        #expect(other.contains("E-SYNC-ACCOUNT"), "\(other)")
        try server.kill()
        let away = try failure(sync, [:])
        #expect(away.contains("E-SYNC-EXHAUSTED"), "\(away)")
        try server.start()
        let again = try run(["device use anna", sync], in: folder, good)
        #expect(again.output.hasSuffix("1\n"), "\(again)")
        // The keys are not stored in the workspace.
        let files = try #require(
            FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil))
        for case let file as URL in files {
            guard let content = try? Data(contentsOf: file) else { continue }
            for secret in ["wr0ng", "secret-anna"] {
                #expect(content.range(of: Data(secret.utf8)) == nil, "\(file.lastPathComponent)")
            }
        }
    }

    /// A server that accepts connections and never answers: Ctrl-C ends the wait immediately, not after the
    /// last attempt.
    @Test(.enabled(if: S3Server.hasLibraries, "needs libcurl4-openssl-dev, libxml2-dev and libssl-dev"))
    func anInterruptEndsAWaitForAStore() throws {
        let silent = try SilentServer()
        defer { silent.close() }
        let home = try TemporaryFolder()
        let process = Process()
        process.executableURL = RutterProcess.executable
        process.environment = ProcessInfo.processInfo.environment.merging([
            "AWS_ENDPOINT_URL": "http://127.0.0.1:\(silent.port)", "AWS_ACCESS_KEY_ID": "anna",
            "AWS_SECRET_ACCESS_KEY": "x",
        ]) { $1 }
        process.arguments = [
            "--workspace", home.url.path, "-c",
            "device add phone anna; waypoint add 46.5,7.9 --label Hut; sync --cloud s3://trails/anna",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        #expect(silent.waitForConnection(), "no client has connected")
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
    }
}
