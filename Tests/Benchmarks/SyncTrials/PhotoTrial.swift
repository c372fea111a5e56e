import Foundation
import GRDB
import PluginTestKit

/// A device uploads many large photos, and a second one downloads them, each in its own process whose memory
/// is measured.
public struct PhotoTrial {
    /// The outcome of a trial.
    public struct Outcome: Sendable {
        /// Peak kilobytes (`VmHWM`) of a process that waits at its prompt, before the upload and the
        /// download.
        public let idle: [Int]
        /// The same after the sync.
        public let peak: [Int]
        /// Seconds of each sync.
        public let seconds: [Double]
        /// Whether all photos arrived unchanged.
        public let isWhole: Bool
        /// Kilobytes stored twice on the device, outside its rows, after everything has arrived.
        public let staged: Int

        /// Kilobytes above the idle process, of the sync that needed more.
        public var above: Int { zip(peak, idle).map { $0 - $1 }.max() ?? 0 }

        /// In one line.
        public var text: String {
            let parts = zip(["up", "down"], zip(zip(idle, peak), seconds)).map { name, values in
                let ((idle, peak), seconds) = values
                return "\(name) \((peak - idle + 512) / 1024) MB above \((idle + 512) / 1024) MB idle, "
                    + "\((seconds * 10).rounded() / 10) s"
            }
            return parts.joined(separator: "; ") + (isWhole ? "" : "; NOT all photos arrived")
                + (staged == 0 ? "" : "; \(staged) kB ARE LEFT outside the rows")
        }
    }

    private enum Settings {
        /// Seconds within which a process must answer.
        static let patience = 900.0
        static let look = 0.01
    }

    private let executable: URL
    private let cloud: String?
    private let environment: [String: String]
    private let folder: TemporaryFolder

    /// A trial of a program on a cloud; without an address on the embedded one.
    public init(
        executable: URL = RutterProcess.executable, cloud: String? = nil, environment: [String: String] = [:]
    ) throws {
        self.executable = executable
        self.cloud = cloud
        self.environment = environment
        folder = try TemporaryFolder()
    }

    /// Syncs a number of photos of a given size. Before each successful sync, others are killed by SIGKILL,
    /// each `pause` seconds later than the previous one.
    public func run(photos: Int, of size: Int, kills: Int = 0, pause: Double = 0) throws -> Outcome {
        // A sync creates the stores.
        _ = try process([["device add phone anna", "device use anna", sync], ["device add mac desk"]])
        let rows = try rows(of: "anna")
        try fill(rows, photos, size)
        for kill in 0..<kills { try killed("anna", after: pause * Double(kill + 1)) }
        let up = try process([["device use anna"], [sync]])
        for kill in 0..<kills { try killed("desk", after: pause * Double(kill + 1)) }
        let down = try process([["device use desk"], [sync]])
        let staged = rows.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("desk/sync.blobs")
        return Outcome(
            idle: [up[0].memory, down[0].memory], peak: [up[1].memory, down[1].memory],
            seconds: [up[1].seconds, down[1].seconds],
            isWhole: try photosOf(rows) == photosOf(try self.rows(of: "desk"))
                && photosOf(rows).count == photos,
            staged: try bytes(in: staged))
    }

    private var sync: String { "sync" + (cloud.map { " --cloud '\($0)'" } ?? "") + " | get pushed" }

    private func bytes(in folder: URL) throws -> Int {
        guard FileManager.default.fileExists(atPath: folder.path) else { return 0 }
        return try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.fileSizeKey]
        ).reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) } / 1024
    }

    // MARK: Rows

    private func rows(of device: String) throws -> URL {
        let all = FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)
        let found = all?.compactMap { $0 as? URL }.first {
            $0.lastPathComponent == "waypoints.db"
                && $0.deletingLastPathComponent().lastPathComponent == device
        }
        guard let found else {
            throw PostgresServer.Failure(description: "the device \(device) has no waypoints.db")
        }
        return found
    }

    /// Photos that all differ, and do not compress.
    private func fill(_ file: URL, _ photos: Int, _ size: Int) throws {
        let queue = try DatabaseQueue(path: file.path)
        for number in 0..<photos {
            try queue.write { db in
                let id = String(format: "00000000-0000-4000-8000-%012X", number)
                try db.execute(
                    sql: """
                        INSERT INTO waypoints (id, latitude, longitude, timestamp, label, has_photo, photo_data)
                        VALUES (?, 46.5, 7.9, '2026-02-06T08:00:00.000Z', ?, 1, randomblob(?))
                        """, arguments: [id, "Photo \(number)", size])
            }
        }
        try queue.close()
    }

    /// The hashes of a device's photos.
    private func photosOf(_ file: URL) throws -> [String] {
        let queue = try DatabaseQueue(path: file.path)
        defer { try? queue.close() }
        return try queue.read { db in
            var found: [String] = []
            let rows = try GRDB.Row.fetchCursor(db, sql: "SELECT id, photo_data FROM waypoints ORDER BY id")
            while let row = try rows.next() {
                let photo = (row["photo_data"] as Data?) ?? Data()
                found.append("\(row["id"] as String) \(photo.count) \(photo.hashValue)")
            }
            return found
        }
    }

    // MARK: Processes

    /// Kills a sync some time after its start.
    private func killed(_ device: String, after seconds: Double) throws {
        let process = Process()
        let input = Pipe()
        process.executableURL = executable
        process.arguments = ["--workspace", folder.url.appendingPathComponent("workspace").path]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("device use \(device)\n\(sync)\n".utf8))
        Thread.sleep(forTimeInterval: seconds)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Runs groups of entries in one process, and returns the peak memory after each, and its duration.
    private func process(_ groups: [[String]]) throws -> [(memory: Int, seconds: Double)] {
        let process = Process()
        let input = Pipe()
        let output = folder.url.appendingPathComponent("out")
        try Data().write(to: output)
        process.executableURL = executable
        process.arguments = ["--workspace", folder.url.appendingPathComponent("workspace").path]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = process.standardOutput
        try process.run()
        var found: [(Int, Double)] = []
        for (index, group) in groups.enumerated() {
            let start = Date()
            let entries = group + ["\"done-\(index)\""]
            try input.fileHandleForWriting.write(
                contentsOf: Data((entries.joined(separator: "\n") + "\n").utf8))
            while true {
                let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
                if text.contains("done-\(index)") { break }
                guard process.isRunning, -start.timeIntervalSinceNow < Settings.patience else {
                    throw PostgresServer.Failure(
                        description: "\(group) failed: \(text.suffix(2000))")
                }
                Thread.sleep(forTimeInterval: Settings.look)
            }
            found.append((try Self.peak(process.processIdentifier), -start.timeIntervalSinceNow))
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
            throw PostgresServer.Failure(description: "\(groups) ended with an error: \(text.suffix(2000))")
        }
        return found
    }

    /// The peak memory of a process in kilobytes.
    private static func peak(_ process: pid_t) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }
}
