import Foundation
import Glibc
import PluginTestKit

extension S3Server {
    /// Moto 4, which takes writes whatever their condition; later ones learned of conditions, so one on the path is not it.
    private static var moto: URL? {
        let program = RealData.project.appendingPathComponent(".build/servers/bin/moto_server")
        return FileManager.default.isExecutableFile(atPath: program.path) ? program : nil
    }

    /// Whether a server is installed that takes writes whatever their condition.
    public static var ignoringIsInstalled: Bool { moto != nil && canSpeak }

    /// A server that ignores conditions.
    public struct Unconditional {
        fileprivate let process: Process
        /// The variables by which a program finds it.
        public let environment: [String: String]

        /// Ends it.
        public func stop() {
            Glibc.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// Starts a server that ignores conditions, with a bucket.
    public static func withoutConditions() throws -> Unconditional {
        guard let program = moto else {
            throw PostgresServer.Failure(description: "no moto is installed")
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
