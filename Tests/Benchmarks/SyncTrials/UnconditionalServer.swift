import Foundation
import Glibc
import PluginTestKit

extension S3Server {
    /// Moto 4, which ignores conditions of writes; later versions honour them, so a version on the path does
    /// not count.
    private static var moto: URL? {
        let program = RealData.project.appendingPathComponent(".build/servers/bin/moto_server")
        return FileManager.default.isExecutableFile(atPath: program.path) ? program : nil
    }

    /// Whether a server is installed that ignores conditions.
    public static var ignoringIsInstalled: Bool { moto != nil && hasLibraries }

    /// A server that ignores conditions.
    public struct Unconditional {
        fileprivate let process: Process
        /// The environment variables of the server.
        public let environment: [String: String]

        /// Stops it.
        public func stop() {
            Glibc.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// Starts a server that ignores conditions, with a bucket.
    public static func withoutConditions() throws -> Unconditional {
        guard let program = moto else {
            throw PostgresServer.Failure(description: "moto_server is not installed")
        }
        let port = try FreePorts.next()
        let process = Process()
        process.executableURL = program
        process.arguments = ["-H", "127.0.0.1", "-p", "\(port)"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let server = Unconditional(process: process, environment: environment(port: port))
        do { try makeBucket(server.environment, isRunning: { process.isRunning }) } catch {
            server.stop()
            throw error
        }
        return server
    }
}
