import Foundation
import PluginKit
import PluginTestKit
import SyncTrials
import Synchronization
import Testing

@testable import SyncPlugin

/// A zone in an object store: concurrent writers, lost answers, untrustworthy stores.
@Suite(.timeLimit(.minutes(10)))
struct ObjectZoneTests {
    static func operation(
        _ device: UInt64, _ number: UInt64, _ record: Int, base: Int64, _ text: String
    ) -> SaveOperation {
        let field = Field(key: "a", value: .text(text), stamp: Stamp(time: number << 16, device: device))
        return SaveOperation(
            id: OperationID(device: device, number: number), key: SimulatedStore.key(record), baseTag: base,
            version: Version(fields: [field]))
    }

    /// The same requests to a zone of tiny pages and to the one in memory: every answer must be the same.
    @Test(arguments: 0..<6)
    func everyAnswerIsThatOfTheReference(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let store = MemoryObjectStore()
        let cloud = try S3Cloud(store, epoch: 1, layout: .tiny)
        var memory = MemoryZone(epoch: 1)
        var numbers: [UInt64] = [0, 0, 0]
        for step in 0..<250 {
            let state = memory.state()
            let token = ChangeToken(
                epoch: random.below(20) == 0 ? 7 : state.lineage.epoch,
                number: random.below(3) == 0 ? Int64(random.below(Int(state.head) + 1)) : state.head)
            let request: CloudRequest
            switch random.below(10) {
            case 0..<6:
                let operations = (0..<(1 + random.below(12))).map { _ -> SaveOperation in
                    let device = random.below(3)
                    let isAgain = random.below(8) == 0 && numbers[device] > 0
                    if !isAgain { numbers[device] += 1 }
                    let record = random.below(120)
                    let held = memory.record(SimulatedStore.key(record))?.tag ?? 0
                    var operation = Self.operation(
                        UInt64(device), numbers[device], record, base: random.below(9) == 0 ? held / 2 : held,
                        String(repeating: "x", count: random.below(90)))
                    if random.below(6) == 0 {
                        operation = SaveOperation(
                            id: operation.id, key: operation.key, baseTag: operation.baseTag,
                            version: .tombstone(incarnation: 1, stamp: Stamp(time: 9, device: 1)))
                    }
                    return operation
                }
                request = .save(
                    token: token, witness: random.below(4) == 0 ? state.mark : nil, operations: operations)
            case 6: request = .changes(since: token, witness: state.mark, limit: 1 + random.below(30))
            case 7:
                request = .fetch(
                    after: random.below(3) == 0 ? nil : SimulatedStore.key(random.below(120)),
                    limit: random.below(30))
            case 8:
                request = .common([HistoryMark(number: 3, hash: 1)] + memory.image().history.marks.suffix(3))
            default:
                let number = Int64(random.below(Int(state.head) + 1))
                if random.below(3) == 0 {
                    memory.forgetTombstones(upTo: number)
                    try cloud.forgetTombstones(upTo: number)
                }
                request = .changes(since: token, limit: 5)
            }
            #expect(try cloud.answer(request) == memory.answer(request), "step \(step): \(request)")
            if step % 50 == 49 {
                #expect(try cloud.image() == memory.image())
                // Another connection, without anything in memory.
                let other = try S3Cloud(store, epoch: 99, layout: .tiny)
                #expect(try other.image() == memory.image())
                let copy = memory.image()
                try cloud.restore(copy, epoch: nil)
            }
        }
        let head = try Self.head(store)
        #expect(
            store.names == (head.batches.map(\.name.name) + [ZoneHead.name]).sorted(),
            "what nobody lists is deleted")
        let used = head.batches.reduce(0) { $0 + $1.live }
        let most = ZoneLayout.tiny.mostBatches + 1 + 2 * used / ZoneLayout.tiny.batch
        #expect(head.batches.count <= most, "pages of sparse batches move together")
    }

    /// Concurrent writers over a network that loses, repeats and delays requests and answers: everything
    /// acknowledged exists, each operation once.
    @Test(arguments: 0..<6)
    func writersAtOnce(_ seed: UInt64) throws {
        let store = MemoryObjectStore(seed: seed, faults: 0.15)
        let failures = Mutex<[String]>([])
        let acknowledged = Mutex<[OperationID: Int64]>([:])
        let opened = try (0..<5).map { _ in UncheckedBox(try Self.open(store)) }
        DispatchQueue.concurrentPerform(iterations: opened.count) { index in
            do {
                let device = UInt64(index + 1)
                let cloud = opened[index].value
                var number: UInt64 = 0
                for _ in 0..<25 {
                    // One record that all want, and one of its own.
                    let token = ChangeToken(epoch: 1, number: 0)
                    let held = try Self.insist { try cloud.state() }
                    let shared = held.records.first { $0.key == SimulatedStore.key(0) }?.tag ?? 0
                    let own = held.records.first { $0.key == SimulatedStore.key(index + 1) }?.tag ?? 0
                    let operations = [
                        Self.operation(device, number + 1, 0, base: shared, "\(index)"),
                        Self.operation(device, number + 2, index + 1, base: own, "\(number)"),
                    ]
                    number += 2
                    let reply = try Self.insist {
                        try cloud.answer(.save(token: token, operations: operations))
                    }
                    guard case .saved(let results, _) = reply else {
                        failures.withLock { $0.append("\(reply)") }
                        return
                    }
                    for (operation, result) in zip(operations, results) {
                        switch result {
                        case .saved(let tag), .duplicate(let tag):
                            acknowledged.withLock { $0[operation.id] = tag }
                        case .refused where operation.key == SimulatedStore.key(0): break
                        default: failures.withLock { $0.append("\(operation.id): \(result)") }
                        }
                    }
                }
            } catch { failures.withLock { $0.append("\(error)") } }
        }
        #expect(failures.withLock { $0 } == [])
        store.heal()
        let cloud = try S3Cloud(store, epoch: 9, layout: .tiny)
        let image = try cloud.image()
        let done = acknowledged.withLock { $0 }
        #expect(done.count > 5 * 25)
        for (id, tag) in done { #expect(image.operations[id]?.tag == tag, "\(id)") }
        // Every operation once, in one history.
        #expect(Set(image.operations.values.map(\.tag)).count == image.operations.count)
        #expect(image.head == Int64(image.operations.count))
        var hash: UInt64 = 0
        for (id, operation) in image.operations.sorted(by: { $0.value.tag < $1.value.tag }) {
            hash = HistoryMark.hash(hash, adding: id, digest: try #require(operation.digest))
        }
        #expect(image.history.last == HistoryMark(number: image.head, hash: hash))
        for index in 0..<5 {
            let held = try #require(image.records.first { $0.key == SimulatedStore.key(index + 1) })
            #expect(held.version.fields.first?.value == .text("48"))
        }
    }

    static func open(_ store: MemoryObjectStore) throws -> S3Cloud {
        // The probe must not be fooled by the network: a store that answers wrongly is refused.
        for _ in 0..<200 { if let cloud = try? S3Cloud(store, epoch: 1, layout: .tiny) { return cloud } }
        return try S3Cloud(store, epoch: 1, layout: .tiny)
    }

    /// Asks again like a device does.
    static func insist<T>(_ body: () throws -> T) throws -> T {
        for _ in 0..<500 {
            do { return try body() } catch CloudFailure.transient { continue }
        }
        return try body()
    }

    /// The head was replaced although its answer was lost: repeating the request must not save twice.
    @Test func aLostAnswerIsFoundOut() throws {
        let store = FaultyPut(MemoryObjectStore())
        let cloud = try S3Cloud(store, epoch: 1)
        let token = ChangeToken(epoch: 1, number: 0)
        func save(_ number: UInt64) throws -> CloudReply {
            try cloud.answer(
                .save(token: token, operations: [Self.operation(1, number, Int(number), base: 0, "x")]))
        }
        func results(_ reply: CloudReply) -> [SaveResult] {
            if case .saved(let results, _) = reply { results } else { [] }
        }
        store.next = .lostReply
        #expect(results(try save(1)) == [.saved(1)], "the head says whose it is")
        store.next = .lostRequest
        #expect(throws: CloudFailure.transient("the answer was lost")) { try save(2) }
        #expect(results(try save(2)) == [.saved(2)])
        // Another device commits upon it before its writer looks again.
        let other = try S3Cloud(store, epoch: 1)
        store.next = .lostReply
        store.afterwards = {
            _ = try? other.answer(
                .save(token: token, operations: [Self.operation(2, 1, 9, base: 0, "y")]))
        }
        #expect(results(try save(3)) == [.duplicate(3)])
        #expect(try cloud.state().head == 4)
        // Sent twice by the library: the second write fails because of the first.
        store.next = .sentTwice
        #expect(results(try save(5)) == [.saved(5)])
        store.next = .lostReply
        try cloud.begin(epoch: 5)
        #expect(try cloud.state().lineage.starts.map(\.epoch) == [1, 5])
    }

    /// A batch without a head, of a killed writer, is never visible, and is removed; one that may still be
    /// committed is kept.
    @Test func whatNoHeadListsIsNeverSeen() throws {
        let store = MemoryObjectStore()
        let cloud = try S3Cloud(store, epoch: 1, layout: .tiny)
        let token = ChangeToken(epoch: 1, number: 0)
        for name in [
            BatchName(number: 0, salt: 1), BatchName(number: 1, salt: 1), BatchName(number: 1 << 40, salt: 1),
        ] {
            _ = try store.put(name.name, [1, 2, 3], .absent)
        }
        for number in 1...UInt64(40) {
            _ = try cloud.answer(
                .save(token: token, operations: [Self.operation(1, number, Int(number), base: 0, "x")]))
        }
        #expect(try cloud.state().records.count == 40)
        let left = store.names.filter { $0.hasSuffix(BatchName.digits(1)) }
        #expect(left == [BatchName(number: 1 << 40, salt: 1).name])
    }

    /// Blobs of a zone that was replaced by a restore are removed as well; those of the current
    /// zone stay.
    @Test func blobsOfAnOlderZoneGo() throws {
        let store = MemoryObjectStore()
        let cloud = try S3Cloud(store, epoch: 1, layout: .tiny)
        let blob = Blob(reference: BlobReference(Data([1, 2, 3])), bytes: [1, 2, 3])
        let other = Blob(reference: BlobReference(Data([4])), bytes: [4])
        #expect(try cloud.answer(.putBlobs([blob])) == .stored)
        let copy = try cloud.image()
        #expect(try cloud.answer(.putBlobs([other])) == .stored)
        for _ in 0..<3 { try cloud.restore(copy, epoch: nil) }
        for number in 1...UInt64(40) {
            _ = try cloud.answer(
                .save(
                    token: ChangeToken(epoch: 1, number: 0),
                    operations: [Self.operation(1, number, Int(number), base: 0, "x")]))
        }
        #expect(try cloud.answer(.getBlobs([blob.reference, other.reference])) == .blobs([blob]))
        #expect(store.names.filter { $0.hasPrefix(ZoneHead.blobsFolder) }.count == 1)
    }

    /// A zone that an older version wrote: one folder of blobs, no tree of them.
    @Test func aZoneOfTheFirstFormatGoesOn() throws {
        let store = MemoryObjectStore()
        let photos = [Self.photo(1), Self.photo(2)]
        do {
            let cloud = try S3Cloud(store, epoch: 1, layout: .tiny)
            _ = try cloud.answer(.putBlobs(photos))
            _ = try cloud.answer(
                .save(token: ChangeToken(epoch: 1, number: 0), operations: [Self.naming(photos[0], 1, 1)]))
            _ = try cloud.answer(
                .report(Watermark(device: 5, token: ChangeToken(epoch: 1, number: 1))))
        }
        let tag = try #require(try store.get(ZoneHead.name, longest: .max)?.tag)
        let first = Self.firstFormat(try Self.head(store))
        _ = try store.put(ZoneHead.name, first, .matches(tag))
        #expect(try Self.head(store).copy == Self.head(store).blobs)
        let cloud = try S3Cloud(store, epoch: 1, layout: .tiny)
        #expect(try cloud.answer(.getBlobs(photos.map(\.reference))) == .blobs(photos))
        for _ in 0..<3 { try cloud.collectBlobs(below: .max) }
        #expect(try cloud.answer(.getBlobs(photos.map(\.reference))) == .blobs([photos[0]]))
        #expect(store.names.filter { $0.hasPrefix(ZoneHead.blobsFolder) }.count == 1)
        #expect(store.names.filter { $0.hasPrefix(ZoneHead.devicesFolder) }.count == 1)
    }

    /// A zone of the second format, whose writers kept all operations and reported only their read position.
    @Test func aZoneOfTheSecondFormatGoesOn() throws {
        let store = MemoryObjectStore()
        do {
            let cloud = try S3Cloud(store, epoch: 1, layout: .tiny)
            for number in 1...UInt64(70) {
                _ = try cloud.answer(
                    .save(
                        token: ChangeToken(epoch: 1, number: 0),
                        operations: [Self.operation(1, number, Int(number), base: 0, "x")]))
            }
            let place = "\(ZoneHead.devicesFolder)/\(try Self.head(store).copy.text)/\(BatchName.digits(1))"
            _ = try store.put(place, ZoneKeys.number(70), .always)
        }
        let object = try #require(try store.get(ZoneHead.name, longest: .max))
        var bytes = Array(object.bytes.dropLast(8))
        bytes.replaceSubrange(0..<14, with: Array("rutter zone 2\n".utf8))
        var writer = ByteWriter()
        for byte in bytes { writer.add(byte: byte) }
        writer.add(writer.withBytes { ContentHash.hash($0, seed: 0) })
        _ = try store.put(ZoneHead.name, writer.bytes, .matches(object.tag))
        let cloud = try S3Cloud(store, epoch: 1, layout: .tiny)
        try cloud.collectOperations()
        #expect(try cloud.image().operations.count == 70)
        _ = try cloud.answer(
            .report(Watermark(device: 1, token: ChangeToken(epoch: 1, number: 70), settled: 66)))
        #expect(try cloud.image().floors == [1: 66])
        #expect(try cloud.image().operations.count == 4)
        // A version that does not know the format stops reading.
        let format = try #require(try store.get(ZoneHead.name, longest: .max)?.bytes.prefix(14))
        #expect(String(decoding: format, as: UTF8.self) == "rutter zone 3\n")
    }

    /// A head as the first format has it.
    private static func firstFormat(_ head: ZoneHead) -> [UInt8] {
        var writer = ByteWriter()
        for byte in Array("rutter zone 1\n".utf8) { writer.add(byte: byte) }
        writer.add(head.revision)
        writer.add(head.commit)
        writer.add(head.lineage.bytes)
        writer.add(head.head)
        writer.add(head.floor)
        writer.add(byte: head.mark == nil ? 0 : 1)
        writer.add(head.mark?.number ?? 0)
        writer.add(head.mark?.hash ?? 0)
        writer.add(head.blobs.number)
        writer.add(head.blobs.salt)
        for root in head.roots.prefix(4) {
            writer.add(byte: root == nil ? 0 : 1)
            root?.add(to: &writer)
        }
        writer.add(count: head.batches.count)
        for batch in head.batches {
            writer.add(batch.name.number)
            writer.add(batch.name.salt)
            writer.add(count: batch.size)
            writer.add(count: batch.live)
        }
        writer.add(writer.withBytes { ContentHash.hash($0, seed: 0) })
        return writer.bytes
    }

    static func head(_ store: MemoryObjectStore) throws -> ZoneHead {
        try #require(try store.get(ZoneHead.name, longest: .max).flatMap { ZoneHead(bytes: $0.bytes) })
    }

    @Test func damageIsNoticed() throws {
        let store = MemoryObjectStore()
        let cloud = try S3Cloud(store, epoch: 1, layout: .tiny)
        let token = ChangeToken(epoch: 1, number: 0)
        let operations = (1...60).map { Self.operation(1, UInt64($0), $0, base: 0, "text \($0)") }
        _ = try cloud.answer(.save(token: token, operations: operations))
        for name in store.names {
            let other = MemoryObjectStore()
            for name in store.names {
                guard let object = try store.get(name, longest: .max) else { continue }
                _ = try other.put(name, object.bytes, .always)
            }
            other.change(name) { $0[$0.count / 2] ^= 1 }
            #expect(throws: (any Error).self, "\(name)") { try Self.readAll(other) }
            other.change(name) { $0.removeLast() }
            #expect(throws: (any Error).self, "\(name)") { try Self.readAll(other) }
            if name == ZoneHead.name { continue }
            other.remove(name)
            #expect(throws: CloudFailure.self, "\(name)") { try Self.readAll(other) }
        }
    }

    private static func readAll(_ store: MemoryObjectStore) throws {
        let cloud = try S3Cloud(store, epoch: 1)
        _ = try cloud.image()
        _ = try cloud.answer(.changes(since: ChangeToken(epoch: 1, number: 0), limit: 999))
    }

    /// Stores that ignore one condition each: all are refused before a zone is created.
    @Test(arguments: UntrustedStore.Fault.allCases)
    func anUntrustedStoreIsRefused(_ fault: UntrustedStore.Fault) throws {
        let store = UntrustedStore(fault)
        let error = #expect(throws: RutterError.self) { try S3Cloud(store, epoch: 1) }
        #expect(error?.code == "E-SYNC-UNSAFE")
        #expect(error?.place == .parameter("cloud"))
        #expect(error?.fix?.isEmpty == false)
        #expect(store.base.names == [], "nothing is left behind")
    }

    /// A server that ignores conditions of writes.
    @Test(.enabled(if: S3Server.ignoringIsInstalled, "needs moto 4 (.ci/servers)"))
    func aServerThatIgnoresConditionsIsRefused() throws {
        let port = try S3Server.withoutConditions()
        defer { port.stop() }
        let error = #expect(throws: RutterError.self) {
            try S3Cloud(
                S3Address("s3://\(S3Server.bucket)/anna", environment: port.environment), epoch: 1)
        }
        #expect(error?.code == "E-SYNC-UNSAFE")
        #expect(error?.message.contains("If-None-Match") == true)
    }

    @Test func aPageIsBoundedByItsBytes() throws {
        let cloud = try S3Cloud(MemoryObjectStore(), epoch: 1)
        let text = String(repeating: "x", count: 900_000)
        let token = ChangeToken(epoch: 1, number: 0)
        for number in 1...UInt64(30) {
            _ = try cloud.answer(
                .save(token: token, operations: [Self.operation(1, number, Int(number), base: 0, text)]))
        }
        var read: [CloudRecord] = []
        while true {
            guard
                case .page(let page) = try cloud.answer(.fetch(after: read.last?.key, limit: 2000))
            else { return #expect(Bool(false)) }
            #expect((1...12).contains(page.records.count))
            read += page.records
            if !page.hasMore { break }
        }
        #expect(read.count == 30)
    }
}
