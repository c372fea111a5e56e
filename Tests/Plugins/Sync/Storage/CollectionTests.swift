import CivilTime
import Foundation
import GRDB
import PluginTestKit
import SyncTrials
import Testing
import TrailStores

@testable import SyncPlugin

/// What a cloud discards once all its devices have read it, and what an absent device finds later.
@Suite(.timeLimit(.minutes(10)))
struct CollectionTests {
    private static let now = Timestamp(milliseconds: 1_770_364_800_000)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String) throws -> FolderStore {
        let url = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return try FolderStore(url, device: UInt64(name.utf8.first ?? 1), now: Self.now)
    }

    private func write(_ device: String, _ sql: String, _ arguments: StatementArguments = []) throws {
        try DatabaseQueue(path: folder.url.appendingPathComponent("\(device)/waypoints.db").path).write {
            try $0.execute(sql: sql, arguments: arguments)
        }
    }

    private func make(_ device: String, _ range: Range<Int>, photo: Data? = nil) throws {
        for number in range {
            try write(
                device,
                """
                INSERT INTO waypoints (id, latitude, longitude, timestamp, label, photo_data)
                VALUES (?, 46.5, 7.9, '2026-02-06T08:00:00.000Z', ?, ?)
                """, [Self.id(number), "W\(number)", photo])
        }
    }

    private static func id(_ number: Int) -> String {
        String(format: "00000000-0000-4000-8000-%012X", number)
    }

    private func labels(_ device: String) throws -> [String] {
        try DatabaseQueue(path: folder.url.appendingPathComponent("\(device)/waypoints.db").path).read {
            try String.fetchAll($0, sql: "SELECT label FROM waypoints ORDER BY id")
        }
    }

    private func sync(_ device: String, _ start: any CloudBackend) throws {
        var store = try open(device)
        var cloud = start
        var machine = SyncMachine(rule: .merge)
        machine.reports = true
        machine.mayDeleteMany = true
        var output = try machine.start(.now, in: &store, now: Self.now.milliseconds)
        while case .send(let request) = output {
            output = try #require(
                try machine.receive(
                    try cloud.answer(request), to: machine.requestNumber, in: &store,
                    now: Self.now.milliseconds))
        }
        guard case .finished(.done) = output else { return #expect(Bool(false), "\(output)") }
    }

    /// Devices write and read enough for the cloud to discard history.
    private func goOn(_ devices: [String], from number: Int, _ cloud: any CloudBackend) throws {
        for step in 0..<2 {
            try make(devices[0], (number + step * 100)..<(number + step * 100 + 70))
            for device in devices + devices { try sync(device, cloud) }
        }
    }

    private func collects(_ name: String, _ start: any CloudBackend) throws {
        var cloud = start
        let (a, b, s) = ("a-\(name)", "b-\(name)", "s-\(name)")
        let old = Data(repeating: 1, count: SyncSettings.blobPart + 5)
        let new = Data(repeating: 2, count: SyncSettings.blobPart + 5)
        for device in [a, b, s] { _ = try open(device) }
        try make(a, 1..<2, photo: old)
        try make(a, 2..<4)
        for device in [a, b, s] { try sync(device, cloud) }
        // It is offline, with an unsent edit.
        try write(s, "UPDATE waypoints SET label = 'edited' WHERE id = ?", [Self.id(3)])
        try write(a, "DELETE FROM waypoints WHERE id = ?", [Self.id(2)])
        try write(a, "UPDATE waypoints SET photo_data = ? WHERE id = ?", [new, Self.id(1)])
        try goOn([a, b], from: 100, cloud)
        var image = try cloud.outline()
        // Data that the offline device has not read is kept for it.
        #expect(image.floor < 4, "\(name)")
        #expect(image.records.contains { $0.version.isDeleted })
        #expect(image.blobs.contains { $0.reference == BlobReference(old) })
        // It is offline for long.
        try cloud.forgetTombstones(upTo: image.head)
        #expect(try !cloud.state().records.contains { $0.version.isDeleted })
        for device in [s, a, b] { try sync(device, cloud) }
        for device in [a, b, s] {
            let labels = try labels(device)
            #expect(labels.prefix(2) == ["W1", "edited"], "\(device): \(labels.prefix(3))")
            #expect(labels.count == 142)
        }
        // A blob being uploaded, whose record follows later.
        let coming = Data(repeating: 3, count: SyncSettings.blobPart + 5)
        let part = BlobPart(
            reference: BlobReference(coming), offset: 0, bytes: Array(coming.prefix(SyncSettings.blobPart)))
        #expect(try cloud.answer(.putPart(part)) == .received(Int64(SyncSettings.blobPart)))
        try sync(a, cloud)
        let question = CloudRequest.putPart(BlobPart(reference: part.reference, offset: 0, bytes: []))
        #expect(try cloud.answer(question) == .received(Int64(SyncSettings.blobPart)), "\(name)")
        try goOn([a, b, s], from: 1000, cloud)
        image = try cloud.outline()
        #expect(image.floor > 150, "\(name): \(image.floor)")
        // Operations whose answers the devices have are discarded, except the last few.
        #expect(image.operations.count < 2 * Int(SyncSettings.leastCollected), "\(image.operations.count)")
        #expect(image.head > 4 * SyncSettings.leastCollected)
        #expect(image.floors.count == 1, "\(image.floors)")
        #expect(image.blobs.contains { $0.reference == BlobReference(new) })
        #expect(image.blobs.map(\.reference) == [BlobReference(new)], "\(name)")
        #expect(try cloud.answer(question) == .received(0), "\(name)")
        // A new device gets everything.
        try sync("n-\(name)", cloud)
        #expect(try labels("n-\(name)") == labels(a))
    }

    @Test func embedded() throws {
        let file = folder.url.appendingPathComponent("cloud.db")
        try collects("file", EmbeddedCloud(file, zone: "z", epoch: 1))
    }

    @Test func objectsInMemory() throws {
        try collects("objects", S3Cloud(MemoryObjectStore(), epoch: 1))
        try collects("tiny", S3Cloud(MemoryObjectStore(), epoch: 1, layout: .tiny))
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "needs Debian's package postgresql"))
    func postgres() throws {
        let server = try PostgresServer()
        try collects("postgres", PostgresCloud(server.address("anna"), epoch: 1))
    }

    @Test(.enabled(if: S3Server.isInstalled, "needs SeaweedFS (.ci/servers)"))
    func objects() throws {
        let server = try S3Server()
        try collects("s3", S3Cloud(server.address("collection"), epoch: 1))
    }

    /// A device far behind delays no other; one slightly behind does.
    @Test func floors() {
        let far = SyncSettings.mostBehind
        #expect(Watermark.floor(of: [900, 1000], head: 1000, above: 0) == 900)
        #expect(Watermark.floor(of: [10, 1000], head: 1000, above: 0) == nil)
        #expect(Watermark.floor(of: [5, far + 10], head: far + 10, above: 0) == far + 10)
        #expect(Watermark.floor(of: [5], head: far + 10, above: 0) == nil)
        #expect(Watermark.floor(of: [1000], head: 1000, above: 990) == nil)
        #expect(Watermark.floor(of: [], head: 1000, above: 0) == nil)
    }
}
