import CivilTime
import Foundation
import GRDB
import PluginTestKit
import SyncTrials
import Testing
import TrailStores

@testable import SyncPlugin

/// Photos sent in parts: interrupted, repeated, changed and damaged in transit.
@Suite(.timeLimit(.minutes(10)))
struct BlobTransferTests {
    private static let now = Timestamp(milliseconds: 1_770_364_800_000)
    /// Three parts and a bit.
    private static let size = 3 * SyncSettings.blobPart + 5
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The fate of a request.
    enum Fate {
        case arrives
        /// It is performed, and its answer is lost.
        case lostReply
        /// It is never performed.
        case lostRequest
    }

    /// The outcome of a sync.
    struct Outcome {
        var ending: SyncMachine.Ending?
        /// Bytes of sent and of received parts.
        var sent = 0
        var came = 0
        var counts = SyncCounts()
    }

    private func device(_ name: String, _ number: UInt64) throws -> FolderStore {
        let url = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return try FolderStore(url, device: number, now: Self.now)
    }

    private func rows(_ device: String) throws -> DatabaseQueue {
        try DatabaseQueue(path: folder.url.appendingPathComponent("\(device)/waypoints.db").path)
    }

    /// Bytes in which photos of different seeds differ everywhere. They repeat after a prime number of bytes, so that no
    /// part of a photo equals another one.
    private static func photo(_ seed: UInt8, size: Int = Self.size) -> Data {
        let block = (0..<4099).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) ^ seed }
        var photo = Data(capacity: size + block.count)
        while photo.count < size { photo.append(contentsOf: block) }
        return photo.prefix(size)
    }

    private func setPhoto(_ device: String, _ photo: Data, number: Int = 1) throws {
        let id = String(format: "00000000-0000-4000-8000-%012X", number)
        try rows(device).write { db in
            try db.execute(
                sql: """
                    INSERT INTO waypoints (id, latitude, longitude, timestamp, label, has_photo, photo_data)
                    VALUES (?, 46.5, 7.9, '2026-02-06T08:00:00.000Z', 'Hut', 1, ?)
                    ON CONFLICT (id) DO UPDATE SET photo_data = excluded.photo_data
                    """, arguments: [id, photo])
        }
    }

    private func photos(_ device: String) throws -> [Data?] {
        try rows(device).read {
            try Optional<Data>.fetchAll($0, sql: "SELECT photo_data FROM waypoints ORDER BY id")
        }
    }

    /// A sync whose requests have the fates that `fate` returns. If a request is lost permanently, its
    /// process ends and leaves everything as it is.
    private func sync(
        _ store: FolderStore, _ cloud: any CloudBackend,
        _ fate: (CloudRequest) throws -> Fate = { _ in .arrives }
    ) throws -> Outcome {
        var (store, cloud, outcome) = (store, cloud, Outcome())
        var machine = SyncMachine(rule: .merge)
        var output = try machine.start(.now, in: &store, now: Self.now.milliseconds)
        while true {
            switch output {
            case .finished(let ending):
                (outcome.ending, outcome.counts) = (ending, machine.counts)
                return outcome
            case .wait:
                output = machine.again().map { .send($0) } ?? .finished(.done)
            case .send(let request):
                if case .putPart(let part) = request { outcome.sent += part.bytes.count }
                let fate = try fate(request)
                if fate == .lostRequest { return outcome }
                let reply = try cloud.answer(request)
                if fate == .lostReply {
                    output = try machine.failed(.transient("no answer"), in: &store)
                    continue
                }
                if case .part(let part?) = reply { outcome.came += part.bytes.count }
                output =
                    try machine.receive(
                        reply, to: machine.requestNumber, in: &store, now: Self.now.milliseconds)
                    ?? .finished(.failed("nobody waited for this"))
            }
        }
    }

    // MARK: On every back end

    /// A cloud that can be opened again and again.
    private func onEach(_ body: (String, () throws -> any CloudBackend) throws -> Void) throws {
        let file = folder.url.appendingPathComponent("cloud.db")
        try body("file") { try EmbeddedCloud(file, zone: "z", epoch: 1) }
        let objects = MemoryObjectStore()
        try body("objects") { try S3Cloud(objects, epoch: 1) }
        if PostgresServer.isInstalled {
            let server = try PostgresServer()
            try body("postgres") { try PostgresCloud(server.address("anna"), epoch: 1) }
        }
        if S3Server.isInstalled {
            let server = try S3Server()
            try body("s3") { try S3Cloud(server.address("photos"), epoch: 1) }
        }
    }

    /// The process ends in the middle of each direction; the next one resumes.
    @Test func aTransferThatWasCutGoesOn() throws {
        try onEach { name, open in
            let (a, b) = ("a-\(name)", "b-\(name)")
            _ = try device(a, 1)
            try setPhoto(a, Self.photo(1))
            var parts = 0
            let first = try sync(device(a, 1), open()) { request in
                guard case .putPart(let part) = request, !part.bytes.isEmpty else { return .arrives }
                parts += 1
                return parts == 3 ? .lostRequest : .arrives
            }
            #expect(first.ending == nil)
            var between = try open()
            #expect(try between.outlineBlobs().isEmpty, "\(name)")
            let second = try sync(device(a, 1), open())
            #expect(second.ending == .done)
            // The object store is asked for parts by their names, which takes the bytes as far as its library only.
            if !["objects", "s3"].contains(name) {
                #expect(second.sent == Self.size - 2 * SyncSettings.blobPart, "\(name)")
            }
            var got = 0
            let third = try sync(device(b, 2), open()) { request in
                guard case .getPart = request else { return .arrives }
                got += 1
                return got == 3 ? .lostRequest : .arrives
            }
            #expect(third.came == 2 * SyncSettings.blobPart)
            #expect(try photos(b).isEmpty)
            let fourth = try sync(device(b, 2), open())
            #expect(fourth.came == Self.size - 2 * SyncSettings.blobPart, "\(name)")
            #expect(try photos(b) == [Self.photo(1)], "\(name)")
            // Stored once: neither beside the rows nor in sync.db.
            let left = try FileManager.default.contentsOfDirectory(
                atPath: folder.url.appendingPathComponent("\(b)/sync.blobs").path)
            #expect(left.isEmpty)
            // Nothing looks like an edit.
            #expect(try sync(device(b, 2), open()).counts.pushed == 0)
        }
    }

    /// No part in an object store is sent twice.
    @Test func partsInAnObjectStoreAreSentOnce() throws {
        let objects = MemoryObjectStore()
        _ = try device("a", 1)
        try setPhoto("a", Self.photo(1))
        var parts = 0
        _ = try sync(device("a", 1), S3Cloud(objects, epoch: 1)) { request in
            guard case .putPart(let part) = request, !part.bytes.isEmpty else { return .arrives }
            parts += 1
            return parts == 3 ? .lostRequest : .arrives
        }
        let names = objects.names.filter { $0.contains(".parts/") }
        #expect(names.count == 2)
        let version = try names.map { try objects.get($0, longest: 9 << 20)?.tag }
        #expect(try sync(device("a", 1), S3Cloud(objects, epoch: 1)).ending == .done)
        #expect(try names.map { try objects.get($0, longest: 9 << 20)?.tag } == version)
        #expect(objects.names.count { $0.contains(".parts/") } == 4)
    }

    /// Every answer to a part is lost once.
    @Test func lostAnswersChangeNothing() throws {
        try onEach { name, open in
            let (a, b) = ("a-\(name)", "b-\(name)")
            _ = try device(a, 1)
            try setPhoto(a, Self.photo(2))
            var last: CloudRequest?
            func lossy(_ request: CloudRequest) -> Fate {
                switch request {
                case .putPart, .getPart:
                    defer { last = request }
                    return request == last ? .arrives : .lostReply
                default: return .arrives
                }
            }
            #expect(try sync(device(a, 1), open(), lossy).ending == .done)
            #expect(try sync(device(b, 2), open(), lossy).ending == .done)
            #expect(try photos(b) == [Self.photo(2)], "\(name)")
        }
    }

    /// Two devices send the same photo, part by part in turns, each over a connection of its own.
    @Test func twoDevicesSendTheSamePhotoAtOnce() throws {
        try onEach { name, open in
            let names = ["a-\(name)", "b-\(name)"]
            for (index, name) in names.enumerated() {
                _ = try device(name, UInt64(index + 1))
                try setPhoto(name, Self.photo(3), number: index + 1)
            }
            var stores = try names.enumerated().map { try device($1, UInt64($0 + 1)) }
            var clouds = try names.map { _ in try open() }
            var machines = names.map { _ in SyncMachine(rule: .merge) }
            var outputs = try names.indices.map {
                try machines[$0].start(.now, in: &stores[$0], now: Self.now.milliseconds)
            }
            var sent = 0
            var isRunning = true
            while isRunning {
                isRunning = false
                for index in names.indices {
                    guard case .send(let request) = outputs[index] else { continue }
                    isRunning = true
                    if case .putPart(let part) = request { sent += part.bytes.count }
                    let reply = try clouds[index].answer(request)
                    outputs[index] = try #require(
                        try machines[index].receive(
                            reply, to: machines[index].requestNumber, in: &stores[index],
                            now: Self.now.milliseconds))
                }
            }
            for output in outputs {
                guard case .finished(.done) = output else {
                    return #expect(Bool(false), "\(name): \(output)")
                }
            }
            #expect(sent <= 2 * Self.size)
            var cloud = try open()
            #expect(try cloud.outlineBlobs().count == 1, "\(name)")
            #expect(try cloud.state().records.count == 2)
            #expect(try sync(device("c-\(name)", 3), open()).ending == .done)
            #expect(try photos("c-\(name)") == [Self.photo(3), Self.photo(3)])
        }
    }

    /// The user takes another photo of the same size during the upload of the first.
    @Test func aPhotoThatIsReplacedOnItsWay() throws {
        try onEach { name, open in
            let a = "a-\(name)"
            _ = try device(a, 1)
            try setPhoto(a, Self.photo(4))
            var parts = 0
            let outcome = try sync(device(a, 1), open()) { request in
                if case .putPart(let part) = request, !part.bytes.isEmpty { parts += 1 }
                if parts == 2 {
                    try setPhoto(a, Self.photo(5))
                    parts += 1
                }
                return .arrives
            }
            #expect(outcome.ending == .done)
            _ = try sync(device(a, 1), open())
            var cloud = try open()
            #expect(
                try cloud.state().records.first?.version.blobs == [BlobReference(Self.photo(5))], "\(name)")
            #expect(try sync(device("b-\(name)", 2), open()).ending == .done)
            #expect(try photos("b-\(name)") == [Self.photo(5)], "\(name)")
        }
    }

    // MARK: Damage

    /// Clouds in which the bytes of a photo can be changed directly.
    private func onEachThatBreaks(
        _ body: (String, any CloudBackend, (BlobReference) throws -> Void) throws -> Void
    ) throws {
        let file = folder.url.appendingPathComponent("breaks.db")
        try body("file", EmbeddedCloud(file, zone: "z", epoch: 1)) { blob in
            try DatabaseQueue(path: file.path).write { db in
                for table in ["parts", "blobs"] {
                    try db.execute(
                        sql: """
                            UPDATE \(table) SET content = zeroblob(length(content))
                            WHERE name = ? AND length(content) > 0
                            """, arguments: [blob.name])
                }
            }
        }
        let objects = MemoryObjectStore()
        try body("objects", S3Cloud(objects, epoch: 1)) { blob in
            let names = objects.names.filter { $0.contains(blob.name) && !$0.hasSuffix(".list") }
            for name in names { objects.change(name) { $0[0] ^= 0x55 } }
        }
    }

    /// The received bytes do not match the digest: only that record waits, and is never applied without its
    /// photo, which the next sync would interpret as removed by the user. The cloud finds the damage itself,
    /// and accepts the photo again.
    @Test(arguments: [900, Self.size])
    func aDamagedPhotoHoldsItsRecordAloneBack(size: Int) throws {
        try onEachThatBreaks { name, start, damage in
            var cloud = start
            let (a, b) = ("a-\(name)", "b-\(name)")
            let photos = (1...3).map { Self.photo(UInt8($0 * 60), size: $0 == 2 ? size : 700 + $0) }
            let broken = BlobReference(photos[1])
            _ = try device(a, 1)
            for (index, photo) in photos.enumerated() { try setPhoto(a, photo, number: index + 1) }
            #expect(try sync(device(a, 1), cloud).ending == .done)
            try damage(broken)
            for _ in 0..<2 {
                let outcome = try sync(device(b, 2), cloud)
                #expect(outcome.ending == .done, "\(name)")
                #expect(outcome.counts.heldBack == 1)
                #expect(outcome.counts.pushed == 0)
                #expect(try self.photos(b) == [photos[0], photos[2]], "\(name)")
            }
            #expect(try device(b, 2).heldBack.values.map(\.version.blobs) == [[broken]])
            // The cloud has checked its blobs, and dropped the damaged one.
            #expect(try cloud.answer(.lacks([broken], looksInside: false)) == .lacking([broken]), "\(name)")
            #expect(
                try cloud.answer(.lacks(photos.map { BlobReference($0) }, looksInside: true))
                    == .lacking([broken]), "\(name)")
            // Other records are synced in both directions.
            try setPhoto(b, Self.photo(99, size: 50), number: 3)
            #expect(try sync(device(b, 2), cloud).counts.pushed == 1)
            #expect(try sync(device(a, 1), cloud).ending == .done)
            #expect(try self.photos(a) == [photos[0], photos[1], Self.photo(99, size: 50)], "\(name)")
            // A device that has it uploads it again.
            let blob = Blob(reference: broken, bytes: Array(photos[1]))
            #expect(try cloud.answer(.putBlobs([blob])) == .stored)
            let healed = try sync(device(b, 2), cloud)
            #expect(healed.counts.heldBack == 0)
            #expect(healed.counts.pulled == 1)
            #expect(try self.photos(b) == self.photos(a), "\(name)")
            #expect(try device(b, 2).heldBack.isEmpty)
            #expect(try sync(device(b, 2), cloud).counts.pushed == 0)
        }
    }

    /// A record gets another photo, which is damaged, and was edited here in the meantime: the edit waits
    /// with it, visibly, and both are applied when the photo is complete. If it is deleted in the cloud,
    /// nothing waits any more.
    @Test func anEditWaitsForThePhotoOfItsRecord() throws {
        try onEachThatBreaks { name, start, damage in
            let cloud = start
            let (a, b) = ("a-\(name)", "b-\(name)")
            for (device, number) in [(a, 1), (b, 2)] { _ = try self.device(device, UInt64(number)) }
            for number in 1...2 { try setPhoto(a, Self.photo(5, size: 700), number: number) }
            for name in [a, b] { #expect(try sync(device(name, name == a ? 1 : 2), cloud).ending == .done) }
            let new = Self.photo(6)
            for number in 1...2 { try setPhoto(a, new, number: number) }
            #expect(try sync(device(a, 1), cloud).ending == .done)
            try damage(BlobReference(new))
            try rows(b).write {
                try $0.execute(sql: "UPDATE waypoints SET label = 'Edited' WHERE id LIKE '%1'")
            }
            for _ in 0..<2 {
                let outcome = try sync(device(b, 2), cloud)
                #expect(outcome.ending == .done, "\(name)")
                #expect((outcome.counts.heldBack, outcome.counts.parked) == (2, 1))
                #expect(try photos(b) == [Self.photo(5, size: 700), Self.photo(5, size: 700)])
            }
            #expect(try sync(device(a, 1), cloud).ending == .done)
            #expect(try photos(a) == [new, new], "\(name): nothing was taken for removed")
            try rows(a).write { try $0.execute(sql: "DELETE FROM waypoints WHERE id LIKE '%2'") }
            #expect(try sync(device(a, 1), cloud).ending == .done)
            let deleted = try sync(device(b, 2), cloud)
            #expect(deleted.counts.heldBack == 1)
            let blob = Blob(reference: BlobReference(new), bytes: Array(new))
            var healing = cloud
            #expect(try healing.answer(.putBlobs([blob])) == .stored)
            for name in [b, a] { #expect(try sync(device(name, name == a ? 1 : 2), cloud).ending == .done) }
            for device in [a, b] {
                #expect(try photos(device) == [new], "\(device)")
                #expect(
                    try rows(device).read { try String.fetchAll($0, sql: "SELECT label FROM waypoints") }
                        == ["Edited"], "\(device)")
            }
            #expect(try device(b, 2).states.list().allSatisfy { $0.state.parked == nil }, "\(name)")
        }
    }

    /// A rehearsal stores nothing.
    @Test(arguments: [900, Self.size])
    func aPlanKeepsNoPhoto(size: Int) throws {
        let file = folder.url.appendingPathComponent("cloud.db")
        let cloud = try EmbeddedCloud(file, zone: "z", epoch: 1)
        _ = try device("a", 1)
        try setPhoto("a", Self.photo(7, size: size))
        let changes = try SyncDryRun(rule: .merge, now: Self.now.milliseconds).run(
            device("a", 1), cloud.outline())
        #expect(changes.map(\.direction) == ["push"])
        #expect(try sync(device("a", 1), cloud).ending == .done)
        let pulls = try SyncDryRun(rule: .merge, now: Self.now.milliseconds).run(
            device("b", 2), cloud.outline())
        #expect(pulls.map(\.direction) == ["pull"])
        #expect(try sync(device("b", 2), cloud).ending == .done)
        #expect(try photos("b") == [Self.photo(7, size: size)])
    }

    /// A cloud of an older version has large photos whole.
    @Test func aPhotoThatIsKeptWholeComesInParts() throws {
        let file = folder.url.appendingPathComponent("cloud.db")
        let blob = Blob(reference: BlobReference(Self.photo(8)), bytes: Array(Self.photo(8)))
        _ = try device("a", 1)
        try setPhoto("a", Self.photo(8))
        let objects = MemoryObjectStore()
        for cloud in [try EmbeddedCloud(file, zone: "z", epoch: 1), try S3Cloud(objects, epoch: 1)]
            as [any CloudBackend]
        {
            var cloud = cloud
            #expect(try cloud.answer(.putBlobs([blob])) == .stored)
            let name = cloud is S3Cloud ? "b" : "c"
            let outcome = try sync(device(name + "-a", 1), cloud)
            #expect(outcome.ending == .done)
            let sender = "\(name)-a"
            try setPhoto(sender, Self.photo(8))
            // It exists there: nothing is transferred.
            #expect(try sync(device(sender, 1), cloud).sent == 0)
            #expect(try sync(device(name, 2), cloud).came == Self.size)
            #expect(try photos(name) == [Self.photo(8)])
        }
    }

    /// Many photos are received a few at a time, so that the device never stores all of them twice.
    @Test func aPageOfManyPhotosIsCut() throws {
        let cloud = try EmbeddedCloud(folder.url.appendingPathComponent("cloud.db"), zone: "z", epoch: 1)
        _ = try device("a", 1)
        let large = 24 << 20
        for number in 1...4 { try setPhoto("a", Self.photo(UInt8(number), size: large), number: number) }
        #expect(try sync(device("a", 1), cloud).ending == .done)
        let store = try device("b", 2)
        var most = 0
        let staged = folder.url.appendingPathComponent("b/sync.blobs").path
        let outcome = try sync(store, cloud) { _ in
            most = max(most, (try? FileManager.default.contentsOfDirectory(atPath: staged))?.count ?? 0)
            return .arrives
        }
        #expect(outcome.ending == .done)
        #expect(most == 2)
        #expect(try photos("b").map { $0?.count } == [large, large, large, large])
        #expect(try photos("b") == photos("a"))
        #expect(try sync(device("b", 2), cloud).counts.pushed == 0)
    }
}

extension CloudBackend {
    /// The blobs that are whole.
    fileprivate mutating func outlineBlobs() throws -> [BlobReference] {
        try outline().blobs.map(\.reference)
    }
}
