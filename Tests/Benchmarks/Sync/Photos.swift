import Foundation
import SyncTrials

/// The memory of a sync of many photos, on each cloud.
struct Photos {
    private enum Settings {
        static let photos = 150
        static let size = 4_000_000
        /// Megabytes above an idle process.
        static let goal = 64
    }

    func run() throws -> Bool {
        let program = try SyncBench.program()
        var isRight = try measure("embedded cloud", PhotoTrial(executable: program))
        if PostgresServer.isInstalled {
            let server = try PostgresServer()
            let trial = try PhotoTrial(executable: program, cloud: server.address("anna"))
            isRight = try measure("PostgreSQL", trial) && isRight
        } else {
            print("skipped: PostgreSQL; no server is installed")
        }
        guard S3Server.isInstalled else {
            print("skipped: S3; SeaweedFS is not installed (.ci/servers)")
            return isRight
        }
        let server = try S3Server()
        let trial = try PhotoTrial(
            executable: program, cloud: "s3://\(S3Server.bucket)/photos", environment: server.environment)
        return try measure("S3", trial) && isRight
    }

    private func measure(_ name: String, _ trial: PhotoTrial) throws -> Bool {
        let outcome = try trial.run(photos: Settings.photos, of: Settings.size)
        let isMet = outcome.above <= Settings.goal * 1024
        print(
            "\(Settings.photos) photos of \(Settings.size / 1_000_000) MB, \(name): \(outcome.text); "
                + "goal \(Settings.goal) MB: \(isMet ? "met" : "missed")")
        return outcome.isWhole && outcome.staged == 0
    }
}
