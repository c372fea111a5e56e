import Foundation
import SyncPlugin

/// An object store in use: on the same machine and over a slow network.
public struct ObjectTrial {
    private enum Settings {
        static let count = 10_000
        /// Number of edited records.
        static let edited = 100
        /// Milliseconds one way.
        static let delay = 5
        /// Number of measurements; the fastest counts, since others use the machine too.
        static let repetitions = 3
    }

    private let server: S3Server
    private let devices: TrialDevices

    /// A trial on its own server.
    public init(folder: URL) throws {
        server = try S3Server()
        devices = TrialDevices(folder: folder)
    }

    /// Runs everything and prints the results; returns whether everything arrived.
    public func run() throws -> Bool {
        let isPushed = try push()
        let link = try SlowLink(to: server.port, milliseconds: 0)
        defer { link.close() }
        let near = try cloud("compare", nil)
        return try devices.compare(
            Settings.count, near: near, far: { try cloud("compare", link) }, link: link) && isPushed
    }

    private func cloud(_ prefix: String, _ link: SlowLink?) throws -> S3Cloud {
        let port = link?.port ?? server.port
        let address = try S3Address(
            "s3://\(S3Server.bucket)/\(prefix)", environment: S3Server.environment(port: port))
        return try S3Cloud(address, epoch: 1)
    }

    /// Pushes into an empty zone, and a few edits into the full one, beside one plain write of the zone's
    /// size.
    private func push() throws -> Bool {
        var isWhole = true
        for isFar in [false, true] {
            let link = isFar ? try SlowLink(to: server.port, milliseconds: Settings.delay) : nil
            defer { link?.close() }
            var (all, few, pull, plain) = (Double.infinity, Double.infinity, Double.infinity, Double.infinity)
            var size = 0
            for round in 0..<Settings.repetitions {
                let name = "push-\(round)-\(isFar)"
                let zone = try cloud(name, link)
                let store = try devices.device(name, count: Settings.count)
                all = min(
                    all,
                    try TrialDevices.seconds {
                        isWhole = try store.sync(.now, with: zone).pushed == Settings.count && isWhole
                    })
                try devices.edit(name, Settings.edited, from: round * Settings.edited)
                few = min(
                    few,
                    try TrialDevices.seconds {
                        isWhole = try store.sync(.now, with: zone).pushed == Settings.edited && isWhole
                    })
                let other = try devices.device("other-\(name)", count: 0)
                pull = min(
                    pull,
                    try TrialDevices.seconds {
                        isWhole = try other.sync(.pull, with: zone).pulled == Settings.count && isWhole
                    })
                let objects = try S3Store(
                    S3Address(
                        "s3://\(S3Server.bucket)/\(name)",
                        environment: S3Server.environment(port: link?.port ?? server.port)))
                size = 0
                try objects.list("batches") { size += $0.reduce(0) { $0 + $1.size } }
                let bytes = [UInt8](repeating: 7, count: size)
                plain = min(
                    plain, try TrialDevices.seconds { _ = try objects.put("plain", bytes, .always) })
            }
            let place = isFar ? "\(2 * Settings.delay) ms round trip" : "local"
            print(
                "S3 \(place): push of \(Settings.count) \(TrialDevices.text(all)), "
                    + "\(TrialDevices.text(all / plain, "×")) of one write of the zone's \(size) bytes; "
                    + "of \(Settings.edited) edits \(TrialDevices.text(few)); pull \(TrialDevices.text(pull))"
            )
        }
        return isWhole
    }
}
