import Foundation
import PluginKit
import PluginTestKit
import SyncTrials
import Synchronization
import Testing

@testable import SyncPlugin

/// Photos of a zone in an object store, which are collected while others use them.
extension ObjectZoneTests {
    static func photo(_ number: Int, size: Int = 40) -> Blob {
        var data = Data(repeating: UInt8(number & 0xff), count: size)
        data.append(contentsOf: "\(number)".utf8)
        return Blob(reference: BlobReference(data), bytes: Array(data))
    }

    /// The record with a number references a photo.
    static func naming(
        _ photo: Blob, _ device: UInt64, _ number: UInt64, _ record: Int = 1, base: Int64 = 0
    ) -> SaveOperation {
        let field = Field(
            key: "p", value: .blob(photo.reference), stamp: Stamp(time: number << 16, device: device))
        return SaveOperation(
            id: OperationID(device: device, number: number), key: SimulatedStore.key(record), baseTag: base,
            version: Version(fields: [field]))
    }

    /// Devices upload photos, the same ones repeatedly, and remove them, while another collects all the time,
    /// over a network that loses, repeats and delays writes and deletions: every saved record has its photo,
    /// and in the end nothing else is left.
    @Test(arguments: 0..<8)
    func noPhotoInUseIsCollected(_ seed: UInt64) throws {
        let store = MemoryObjectStore(seed: seed &+ 77, faults: 0.1)
        let failures = Mutex<[String]>([])
        let opened = try (0..<4).map { _ in UncheckedBox(try Self.open(store)) }
        let left = Mutex(opened.count - 1)
        DispatchQueue.concurrentPerform(iterations: opened.count) { index in
            let cloud = opened[index].value
            do {
                if index == 0 {
                    while left.withLock({ $0 > 0 }) {
                        try Self.insist { try cloud.collectBlobs(below: .max) }
                    }
                    return
                }
                defer { left.withLock { $0 -= 1 } }
                var random = SplitMix(seed: seed &* 31 &+ UInt64(index))
                var tag: Int64 = 0
                var number: UInt64 = 0
                for _ in 0..<30 {
                    let chosen = random.below(5)
                    let photo = Self.photo(chosen, size: chosen == 0 ? SyncSettings.blobPart + 9 : 40)
                    try Self.insist { try Self.send(photo, cloud) }
                    number += 1
                    for _ in 0..<200 {
                        let operation = Self.naming(photo, UInt64(index), number, index, base: tag)
                        let reply = try Self.insist {
                            try cloud.answer(
                                .save(token: ChangeToken(epoch: 1, number: 0), operations: [operation]))
                        }
                        guard case .saved(let results, _) = reply, let result = results.first else {
                            return failures.withLock { $0.append("\(reply)") }
                        }
                        if case .missingBlob = result {
                            try Self.insist { try Self.send(photo, cloud) }
                            continue
                        }
                        switch result {
                        case .saved(let new), .duplicate(let new): tag = new
                        default: failures.withLock { $0.append("\(result)") }
                        }
                        break
                    }
                    // An acknowledged photo exists until the record references another.
                    let held = try Self.insist { try Self.read(photo, cloud) }
                    if held != photo.bytes { failures.withLock { $0.append("\(chosen) is gone") } }
                }
            } catch { failures.withLock { $0.append("\(error)") } }
        }
        #expect(failures.withLock { $0 } == [])
        store.heal()
        let cloud = try S3Cloud(store, epoch: 9, layout: .tiny)
        for _ in 0..<3 { try cloud.collectBlobs(below: .max) }
        // Until the next sweep.
        for number in 1...UInt64(20) {
            _ = try cloud.answer(
                .save(
                    token: ChangeToken(epoch: 1, number: 0),
                    operations: [Self.operation(9, number, 100 + Int(number), base: 0, "x")]))
        }
        let image = try cloud.image()
        let named = Set(image.records.flatMap(\.version.blobs))
        #expect(Set(image.blobs.map(\.reference)) == named)
        for blob in image.blobs { #expect(BlobReference(Data(blob.bytes)) == blob.reference) }
        let there = store.names.filter { $0.hasPrefix(ZoneHead.blobsFolder) }
        #expect(there.count == named.reduce(0) { $0 + ($1.isLarge ? 3 : 1) }, "\(there)")
    }

    /// Another device collects between a writer's check for a photo and its commit, and vice versa.
    @Test func aCollectionRightBeforeACommit() throws {
        let store = FaultyPut(MemoryObjectStore())
        let cloud = try S3Cloud(store, epoch: 1)
        let other = try S3Cloud(store, epoch: 1)
        let token = ChangeToken(epoch: 1, number: 0)
        func save(_ operation: SaveOperation) throws -> SaveResult? {
            guard case .saved(let results, _) = try cloud.answer(.save(token: token, operations: [operation]))
            else { return nil }
            return results.first
        }
        let photo = Self.photo(1)
        _ = try cloud.answer(.putBlobs([photo]))
        store.before = { for _ in 0..<2 { try? other.collectBlobs(below: .max) } }
        #expect(try save(Self.naming(photo, 1, 1)) == .missingBlob)
        #expect(try cloud.outline().blobs.isEmpty)
        // It is uploaded again, under a name other than that of the deleted object.
        _ = try cloud.answer(.putBlobs([photo]))
        try other.collectBlobs(below: .max)
        store.before = { _ = try? save(Self.naming(photo, 1, 1)) }
        try other.collectBlobs(below: .max)
        #expect(try other.answer(.getBlobs([photo.reference])) == .blobs([photo]))
        #expect(try cloud.state().records.first?.version.blobs == [photo.reference])
        for _ in 0..<3 { try other.collectBlobs(below: .max) }
        #expect(try other.answer(.getBlobs([photo.reference])) == .blobs([photo]))
        // Blobs in a folder that devices may still use are kept, unless those devices have
        // reported.
        let coming = Self.photo(2)
        _ = try cloud.answer(.putBlobs([coming]))
        for _ in 0..<3 { try other.collectBlobs(below: 1) }
        #expect(try save(Self.naming(coming, 1, 2, 2)) == .saved(2))
    }

    private static func send(_ photo: Blob, _ cloud: S3Cloud) throws {
        guard photo.reference.isLarge else {
            _ = try cloud.answer(.putBlobs([photo]))
            return
        }
        for _ in 0..<50 {
            var held: Int64 = 0
            var question: [UInt8] = []
            repeat {
                let part = BlobPart(reference: photo.reference, offset: held, bytes: question)
                guard case .received(let count) = try cloud.answer(.putPart(part)) else { return }
                if count == photo.reference.size { return }
                if count < held { break }
                held = count
                question = Array(photo.bytes[Int(held)...].prefix(SyncSettings.blobPart))
            } while true
        }
    }

    private static func read(_ photo: Blob, _ cloud: S3Cloud) throws -> [UInt8] {
        if !photo.reference.isLarge {
            guard case .blobs(let blobs) = try cloud.answer(.getBlobs([photo.reference])) else { return [] }
            return blobs.first?.bytes ?? []
        }
        var bytes: [UInt8] = []
        while bytes.count < photo.bytes.count {
            guard
                case .part(let part?) = try cloud.answer(
                    .getPart(photo.reference, from: Int64(bytes.count)))
            else { return bytes }
            bytes += part.bytes
        }
        return bytes
    }
}
