import Foundation
import Glibc
import PluginTestKit
import SyncPlugin
import Synchronization

/// A private S3 server: SeaweedFS in its own folder and on its own loopback ports, with a bucket and the key
/// `anna`.
public final class S3Server: CloudServer {
    /// A program installed by `.ci/servers`, or one on the path; `nil` if there is none.
    static func program(_ name: String) -> URL? {
        let folders =
            [RealData.project.appendingPathComponent(".build/servers/bin").path]
            + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return folders.map { URL(fileURLWithPath: $0).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Whether a server and the required libraries are installed.
    public static var isInstalled: Bool { program("weed") != nil && hasLibraries }

    /// Whether the required libraries are installed.
    public static var hasLibraries: Bool { S3Store.libraries.allSatisfy(\.isAvailable) }

    private enum Settings {
        /// Seconds within which the server must answer.
        static let patience = 60.0
        static let look = 0.1
        /// Its ports: each part of the server has two.
        static let parts = ["master", "volume", "filer", "s3"]
    }

    /// The bucket.
    public static let bucket = "trails"

    private let folder: TemporaryFolder
    private let weed: URL
    private let ports: [Int]
    private let process = Mutex<Process?>(nil)

    /// Creates a server and starts it.
    public init() throws {
        guard let weed = Self.program("weed") else {
            throw PostgresServer.Failure(description: "SeaweedFS (weed) is not installed")
        }
        self.weed = weed
        folder = try TemporaryFolder()
        ports = try (0..<Settings.parts.count * 2).map { _ in try FreePorts.next() }
        let keys = """
            {"identities": [{"name": "anna", "credentials": [{"accessKey": "anna", "secretKey": "secret-anna"}],
                "actions": ["Admin", "Read", "Write", "List"]}]}
            """
        try Data(keys.utf8).write(to: folder.url.appendingPathComponent("keys.json"))
        try start()
    }

    deinit { try? kill() }

    /// Its port.
    public var port: Int { ports[6] }

    /// The environment variables of the server.
    public var environment: [String: String] { Self.environment(port: port) }

    static func environment(port: Int) -> [String: String] {
        [
            "AWS_ENDPOINT_URL": "http://127.0.0.1:\(port)", "AWS_ACCESS_KEY_ID": "anna",
            "AWS_SECRET_ACCESS_KEY": "secret-anna", "AWS_REGION": "us-east-1",
        ]
    }

    /// The address of a zone, with the environment.
    package func address(_ prefix: String) throws -> S3Address {
        try S3Address("s3://\(Self.bucket)/\(prefix)", environment: environment)
    }

    /// Starts the server, and waits until it accepts writes.
    public func start() throws {
        let data = folder.url.appendingPathComponent("data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        let new = Process()
        new.executableURL = weed
        new.currentDirectoryURL = folder.url
        new.arguments =
            [
                "server", "-dir", data.path, "-ip", "127.0.0.1", "-ip.bind", "127.0.0.1", "-filer", "-s3",
                "-s3.config", folder.url.appendingPathComponent("keys.json").path, "-s3.iam=false",
                "-s3.port.iceberg", "0", "-s3.port.lance", "0", "-master.telemetry=false",
                "-master.volumeSizeLimitMB", "256",
            ]
            + Settings.parts.enumerated().flatMap { index, part in
                ["-\(part).port", "\(ports[2 * index])", "-\(part).port.grpc", "\(ports[2 * index + 1])"]
            }
        let log = folder.url.appendingPathComponent("log")
        if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
        let output = try FileHandle(forWritingTo: log)
        try output.seekToEnd()
        new.standardInput = FileHandle.nullDevice
        new.standardOutput = output
        new.standardError = output
        try new.run()
        process.withLock { $0 = new }
        do { try Self.makeBucket(environment, isRunning: { new.isRunning }) } catch {
            throw PostgresServer.Failure(
                description:
                    "\(error): \((try? String(contentsOf: log, encoding: .utf8))?.suffix(2000) ?? "")")
        }
    }

    /// Creates the bucket as soon as the server accepts writes.
    static func makeBucket(_ environment: [String: String], isRunning: () -> Bool) throws {
        let store = S3Store(try S3Address("s3://\(bucket)/ready", environment: environment))
        let deadline = Date(timeIntervalSinceNow: Settings.patience)
        while true {
            do {
                try store.makeBucket()
                _ = try store.put("object", [1], .always)
                return
            } catch {
                guard isRunning(), Date() < deadline else {
                    throw PostgresServer.Failure(description: "the server does not start: \(error)")
                }
                Thread.sleep(forTimeInterval: Settings.look)
            }
        }
    }

    /// Ends the server by SIGKILL.
    public func kill() throws {
        guard let old = process.withLock({ $0 }) else { return }
        Glibc.kill(old.processIdentifier, SIGKILL)
        old.waitUntilExit()
        process.withLock { $0 = nil }
    }
}
