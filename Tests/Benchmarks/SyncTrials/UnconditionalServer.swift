import Foundation
import Glibc

extension S3Server {
    /// Whether a server is installed that takes writes whatever their condition: moto 4, which later learned of them.
    public static var ignoringIsInstalled: Bool { program("moto_server") != nil && canSpeak }

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
        guard let program = program("moto_server") else {
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
