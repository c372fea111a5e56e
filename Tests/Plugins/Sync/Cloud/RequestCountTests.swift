import Foundation
import GRDB
import PluginTestKit
import SyncTrials
import Synchronization
import Testing

@testable import SyncPlugin

/// What each kind of request costs the clouds: statements of SQLite, messages to PostgreSQL, requests to an
/// object store. A figure may fall; one that rises makes every sync of everybody slower.
@Suite(.timeLimit(.minutes(5)))
struct RequestCountTests {
    private static let photo: [UInt8] = (0..<(SyncSettings.blobPart + 10)).map {
        UInt8(truncatingIfNeeded: $0)
    }

    private func key(_ number: Int) -> RecordKey { SimulatedStore.key(number) }

    private func operation(
        _ number: Int, _ record: Int, base: Int64 = 0, blob: BlobReference? = nil
    ) -> SaveOperation {
        var fields = [Field(key: "a", value: .integer(Int64(number)), stamp: Stamp(time: 1, device: 1))]
        if let blob {
            fields.append(Field(key: "photo", value: .blob(blob), stamp: Stamp(time: 1, device: 1)))
        }
        return SaveOperation(
            id: OperationID(device: 1, number: UInt64(number)), key: key(record), baseTag: base,
            version: Version(fields: fields))
    }

    /// Runs one request of each kind, in an order in which every one has something to do, and returns what
    /// `count` added for each.
    private func costs(_ start: some CloudBackend, _ count: () -> Int) throws -> [String: Int] {
        var cloud = start
        var costs: [String: Int] = [:]
        var witness: HistoryMark?
        let token = ChangeToken(epoch: 1, number: 0)
        func measure(_ name: String, _ request: CloudRequest) throws -> CloudReply {
            let before = count()
            let reply = try cloud.answer(request)
            costs[name] = count() - before
            if case .saved(_, let mark) = reply { witness = mark }
            return reply
        }
        func save(_ name: String, _ operations: [SaveOperation]) throws {
            _ = try measure(name, .save(token: token, witness: witness, operations: operations))
        }
        let small = Blob(reference: BlobReference(Data("photo".utf8)), bytes: Array("photo".utf8))
        let large = BlobReference(Data(Self.photo))
        _ = try measure("put a small blob", .putBlobs([small]))
        _ = try measure("query a part", .putPart(BlobPart(reference: large, offset: 0, bytes: [])))
        let half = SyncSettings.blobPart
        _ = try measure(
            "first part", .putPart(BlobPart(reference: large, offset: 0, bytes: Array(Self.photo[..<half]))))
        let end = BlobPart(reference: large, offset: Int64(half), bytes: Array(Self.photo[half...]))
        let whole = try measure("last part", .putPart(end))
        #expect(whole == .received(large.size))
        try save("save one", [operation(1, 0)])
        try save("save fifty", (2...51).map { operation($0, $0) })
        try save("save with a blob", [operation(52, 52, blob: small.reference)])
        try save("save again", (2...51).map { operation($0, $0) })
        try save("ten refused", (53...62).map { operation($0, $0 - 51, base: 999) })
        try save("one record twice", [operation(63, 70), operation(64, 70, base: 53)])
        _ = try measure(
            "nothing new", .changes(since: ChangeToken(epoch: 1, number: 54), witness: witness, limit: 9))
        _ = try measure("a page of changes", .changes(since: token, limit: 20))
        _ = try measure("a page of all", .fetch(after: key(3), witness: witness, limit: 20))
        _ = try measure("common", .common([HistoryMark(number: 3, hash: 1), witness].compactMap { $0 }))
        _ = try measure("get a blob", .getBlobs([small.reference]))
        _ = try measure("get a part", .getPart(large, from: Int64(half)))
        _ = try measure("lacks", .lacks([small.reference, large], looksInside: false))
        _ = try measure("looks inside", .lacks([small.reference, large], looksInside: true))
        _ = try measure(
            "report", .report(Watermark(device: 1, token: ChangeToken(epoch: 1, number: 54), settled: 3)))
        let before = count()
        _ = try cloud.latest()
        costs["latest"] = count() - before
        return costs
    }

    private func holds(
        _ name: String, _ costs: [String: Int], within limits: [String: Int],
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(costs.keys.sorted() == limits.keys.sorted(), sourceLocation: location)
        for (request, cost) in costs.sorted(by: { $0.key < $1.key }) {
            #expect(
                cost <= limits[request] ?? 0, "\(name): \(request) \(cost)", sourceLocation: location)
        }
    }

    @Test func embedded() throws {
        let folder = try TemporaryFolder()
        let cloud = try EmbeddedCloud(folder.url.appendingPathComponent("cloud.db"), zone: "z", epoch: 1)
        let statements = Counter()
        try cloud.connection.write { db in db.trace(options: .statement) { _ in statements.add() } }
        let costs = try costs(cloud) { statements.value }
        holds(
            "file", costs,
            within: [
                "a page of all": 8,
                "a page of changes": 7,
                "common": 6,
                "first part": 7,
                "get a blob": 6,
                "get a part": 6,
                "lacks": 4,
                "last part": 9,
                "latest": 5,
                "looks inside": 7,
                "nothing new": 7,
                "one record twice": 13,
                "put a small blob": 4,
                "query a part": 6,
                "report": 6,
                "save again": 106,
                "save fifty": 61,
                "save one": 11,
                "save with a blob": 13,
                "ten refused": 28,
            ])
    }

    @Test func objects() throws {
        let store = MemoryObjectStore()
        let costs = try costs(S3Cloud(store, epoch: 1)) { store.requests }
        holds(
            "objects", costs,
            within: [
                "a page of all": 1,
                "a page of changes": 1,
                "common": 1,
                "first part": 3,
                "get a blob": 2,
                "get a part": 3,
                "lacks": 2,
                "last part": 4,
                "latest": 1,
                "looks inside": 5,
                "nothing new": 1,
                "one record twice": 4,
                "put a small blob": 3,
                "query a part": 3,
                "report": 3,
                "save again": 1,
                "save fifty": 4,
                "save one": 3,
                "save with a blob": 5,
                "ten refused": 1,
            ])
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "needs Debian's package postgresql"))
    func postgres() throws {
        let server = try PostgresServer()
        let cloud = try PostgresCloud(server.address("anna"), epoch: 1)
        let costs = try costs(cloud) { cloud.connection.sent }
        holds(
            "postgres", costs,
            within: [
                "a page of all": 5,
                "a page of changes": 5,
                "common": 3,
                "first part": 5,
                "get a blob": 3,
                "get a part": 3,
                "lacks": 3,
                "last part": 7,
                "latest": 3,
                "looks inside": 5,
                "nothing new": 3,
                "one record twice": 15,
                "put a small blob": 3,
                "query a part": 4,
                "report": 7,
                "save again": 6,
                "save fifty": 10,
                "save one": 10,
                "save with a blob": 11,
                "ten refused": 7,
            ])
    }
}

/// A count that several threads may raise.
private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}
