import Foundation
import PluginKit
import PluginTestKit
import SyncTrials
import Testing

@testable import SyncPlugin

/// The requirements of all clouds, tested on each.
@Suite(.timeLimit(.minutes(10)))
struct ConformanceTests {
    private func key(_ number: UInt64) -> RecordKey { SimulatedStore.key(Int(number)) }

    private func operation(_ number: UInt64, _ record: UInt64, base: Int64, _ text: String) -> SaveOperation {
        let field = Field(key: "a", value: .text(text), stamp: Stamp(time: number << 16, device: 1))
        return SaveOperation(
            id: OperationID(device: 1, number: number), key: key(record), baseTag: base,
            version: Version(fields: [field]))
    }

    private func save(
        _ cloud: inout some CloudBackend, _ operations: [SaveOperation], _ token: ChangeToken
    ) throws -> [SaveResult] {
        guard case .saved(let results, _) = try cloud.answer(.save(token: token, operations: operations))
        else {
            throw Violation(invariant: .converges, detail: "no results")
        }
        return results
    }

    private func conforms(_ start: some CloudBackend) throws {
        var cloud = start
        let token = ChangeToken(epoch: 1, number: 0)
        #expect(
            try save(&cloud, [operation(1, 0, base: 0, "x"), operation(2, 1, base: 0, "y")], token) == [
                .saved(1), .saved(2),
            ])
        #expect(try save(&cloud, [operation(1, 0, base: 0, "x")], token) == [.duplicate(1)])
        // A refused record does not delay its batch.
        let mixed = try save(&cloud, [operation(3, 0, base: 0, "z"), operation(4, 2, base: 0, "w")], token)
        guard case .refused(let held?) = mixed[0] else {
            throw Violation(invariant: .converges, detail: "\(mixed)")
        }
        #expect(held.version == operation(1, 0, base: 0, "x").version)
        #expect(mixed[1] == .saved(3))
        guard case .page(let page) = try cloud.answer(.changes(since: token, limit: 2)) else {
            return #expect(Bool(false))
        }
        #expect(page.records.map(\.tag) == [1, 2])
        #expect(page.hasMore)
        #expect(page.token == ChangeToken(epoch: 1, number: 2))
        guard case .page(let rest) = try cloud.answer(.fetch(after: key(0), limit: 9)) else {
            return #expect(Bool(false))
        }
        #expect(rest.records.map(\.key) == [key(1), key(2)])
        #expect(try cloud.answer(.changes(since: ChangeToken(epoch: 9, number: 0), limit: 2)) == .expired)
        try digests(&cloud)
        try blobs(&cloud, token)
        try parts(&cloud, token)
        try deletion(&cloud, token)
        try digests(&cloud)
        try identity(&cloud)
        try history(&cloud)
        try collection(&cloud)
    }

    /// Digests of ranges match the records themselves, without deleted ones.
    private func digests(_ cloud: inout some CloudBackend) throws {
        let records = try cloud.state().records
        let ranges =
            [KeyRange.all, KeyRange(after: key(0), through: key(1)), KeyRange(after: key(1), through: nil)]
            + [KeyRange(after: nil, through: key(0)), KeyRange(after: key(7), through: key(8))]
        guard let found = try cloud.digests(of: ranges) else { return }
        for (range, digest) in zip(ranges, found) {
            let live = records.filter { range.has($0.key) && !$0.version.isDeleted }
            #expect(digest.count == live.count)
            var wanted = RangeDigest()
            for record in live {
                wanted.add(RangeDigest.digest(record.key, VersionCoding.bytes(record.version)))
            }
            #expect(digest == wanted)
        }
    }

    /// A known operation with other content was sent by a copy of the device.
    private func identity(_ cloud: inout some CloudBackend) throws {
        let state = try cloud.state()
        let token = ChangeToken(epoch: state.lineage.epoch, number: state.head)
        #expect(
            try save(&cloud, [operation(1, 0, base: 0, "other")], token) == [.reused])
        #expect(try save(&cloud, [operation(1, 9, base: 0, "x")], token) == [.reused])
        #expect(try cloud.state() == state)
        // A record of an unknown type is a record like any other.
        let unknown = SaveOperation(
            id: OperationID(device: 2, number: 1),
            key: RecordKey(type: RecordType(rawValue: 200), name: key(3).name), baseTag: 0,
            version: .opaque([99, 1, 2]))
        #expect(try save(&cloud, [unknown], token) == [.saved(state.head + 1)])
        #expect(try cloud.state().records.last?.version == .opaque([99, 1, 2]))
    }

    /// A zone that was restored and written to since has another history, although its numbers are as high.
    private func history(_ cloud: inout some CloudBackend) throws {
        let copy = try cloud.image()
        let start = try #require(copy.history.last)
        let token = ChangeToken(epoch: copy.lineage.epoch, number: copy.head)
        func write(_ number: UInt64) throws -> HistoryMark {
            let operations = [operation(number, number, base: 0, "n")]
            let reply = try cloud.answer(.save(token: token, witness: start, operations: operations))
            guard case .saved(let results, let mark?) = reply, results == [.saved(copy.head + 1)] else {
                throw Violation(invariant: .converges, detail: "\(reply)")
            }
            return mark
        }
        let lost = try write(80)
        // A page brings the marks after the witness, not those that the device has from its own save.
        for (witness, marks) in [(start, [lost]), (lost, [])] {
            guard case .page(let page) = try cloud.answer(.changes(since: token, witness: witness, limit: 9))
            else { return #expect(Bool(false)) }
            #expect(page.history == marks)
        }
        try cloud.restore(copy, epoch: nil)
        #expect(try cloud.state().lineage == copy.lineage)
        let other = try write(81)
        #expect(other.number == lost.number)
        #expect(other.hash != lost.hash)
        let head = ChangeToken(epoch: token.epoch, number: lost.number)
        #expect(try cloud.answer(.changes(since: head, witness: lost, limit: 9)) == .diverged(copy.lineage))
        #expect(try cloud.answer(.fetch(after: nil, witness: lost, limit: 9)) == .diverged(copy.lineage))
        let late = [operation(82, 82, base: 0, "n")]
        #expect(
            try cloud.answer(.save(token: head, witness: lost, operations: late)) == .diverged(copy.lineage))
        #expect(try cloud.answer(.common([lost, start])) == .common(start))
        #expect(try cloud.answer(.common([lost])) == .common(nil))
        try cloud.begin(epoch: 77)
        #expect(try cloud.answer(.changes(since: head, witness: other, limit: 9)) == .expired)
        #expect(try cloud.state().lineage.origin == copy.lineage.origin)
    }

    /// Operations whose answers their replica has received are discarded, and never performed again.
    private func collection(_ cloud: inout some CloudBackend) throws {
        let start = try cloud.image()
        #expect(start.floors.isEmpty)
        var token: ChangeToken {
            get throws {
                let state = try cloud.state()
                return ChangeToken(epoch: state.lineage.epoch, number: state.head)
            }
        }
        func operation(_ number: UInt64, device: UInt64 = 8, base: Int64 = 0, _ text: String = "x")
            -> SaveOperation
        {
            let field = Field(key: "a", value: .text(text), stamp: Stamp(time: 1 << 16, device: device))
            return SaveOperation(
                id: OperationID(device: device, number: number), key: key(100 * device + number),
                baseTag: base, version: Version(fields: [field]))
        }
        func report(_ settled: UInt64) throws {
            let mark = Watermark(device: 8, token: try token, settled: settled)
            #expect(try cloud.answer(.report(mark)) == .noted)
        }
        func known() throws -> Set<UInt64> {
            Set(try cloud.image().operations.keys.filter { $0.device == 8 }.map(\.number))
        }
        let head = start.head
        #expect(
            try save(&cloud, [operation(1), operation(2), operation(3), operation(1, device: 9)], token)
                == (1...4).map { .saved(head + $0) })
        // A few are not worth discarding.
        try report(2)
        #expect(try known() == [1, 2, 3])
        try cloud.collectOperations()
        #expect(try known() == [3])
        #expect(try cloud.image().floors == [8: 2])
        let others = [operation(1, device: 9), operation(3)]
        #expect(try save(&cloud, others, token) == [.duplicate(head + 4), .duplicate(head + 3)])
        #expect(try save(&cloud, [operation(1), operation(2, "y")], token) == [.reused, .reused])
        // It was deleted, and its tombstone discarded: a late copy whose token equals the floor would
        // recreate it.
        let gone = SaveOperation(
            id: OperationID(device: 9, number: 2), key: key(801), baseTag: head + 1,
            version: .tombstone(incarnation: 1, stamp: Stamp(time: 9, device: 9)))
        #expect(try save(&cloud, [gone], token) == [.saved(head + 5)])
        try cloud.forgetTombstones(upTo: head + 5)
        let state = try cloud.state()
        #expect(try save(&cloud, [operation(1), operation(4)], token) == [.reused, .saved(head + 6)])
        #expect(try cloud.state().records.filter { $0.tag < head + 6 } == state.records)
        // A late request has no effect.
        try report(1)
        try cloud.collectOperations()
        #expect(try cloud.image().floors == [8: 2])
        // A restored copy has the state of its time.
        let copy = try cloud.image()
        try report(4)
        // A copy of the device's data reports under its identity, and has sent less.
        try report(1)
        try cloud.collectOperations()
        #expect(try cloud.image().floors == [8: 4])
        #expect(try save(&cloud, [operation(3), operation(4)], token) == [.reused, .reused])
        try cloud.restore(copy, epoch: nil)
        #expect(try cloud.image().floors == [8: 2])
        #expect(try known() == [3, 4])
        #expect(try save(&cloud, [operation(2), operation(3)], token) == [.reused, .duplicate(head + 3)])
        // Many are discarded automatically.
        let many = (5..<75 as Range<UInt64>).map { operation($0) }
        #expect(try save(&cloud, many, token) == (1...70).map { .saved(head + 6 + $0) })
        try report(70)
        #expect(try cloud.image().floors == [8: 70])
        #expect(try known() == [71, 72, 73, 74])
        #expect(
            try cloud.image().operations[OperationID(device: 8, number: 72)]
                == DoneOperation(
                    tag: head + 74, digest: operation(72).digest))
        try cloud.restore(start, epoch: nil)
        #expect(try cloud.image() == start)
    }

    private func blobs(_ cloud: inout some CloudBackend, _ token: ChangeToken) throws {
        let blob = Blob(reference: BlobReference(Data([1, 2, 3])), bytes: [1, 2, 3])
        let field = Field(key: "p", value: .blob(blob.reference), stamp: Stamp(time: 1, device: 1))
        let named = SaveOperation(
            id: OperationID(device: 1, number: 50), key: key(7), baseTag: 0, version: Version(fields: [field])
        )
        #expect(try save(&cloud, [named], token) == [.missingBlob])
        #expect(try cloud.answer(.putBlobs([blob])) == .stored)
        #expect(try cloud.answer(.getBlobs([blob.reference])) == .blobs([blob]))
        #expect(try save(&cloud, [named], token) == [.saved(4)])
        // A damaged one is found by a check of its bytes, removed, and uploaded again.
        let absent = BlobReference(Data([9]))
        let question = CloudRequest.lacks([blob.reference, absent], looksInside: true)
        #expect(try cloud.answer(question) == .lacking([absent]))
        let damaged = BlobReference(Data([4, 5, 6]))
        _ = try cloud.answer(.putBlobs([Blob(reference: damaged, bytes: [4, 5, 7])]))
        #expect(try cloud.answer(.lacks([damaged, absent], looksInside: false)) == .lacking([absent]))
        #expect(try cloud.answer(.lacks([damaged], looksInside: true)) == .lacking([damaged]))
        #expect(try cloud.answer(.lacks([damaged], looksInside: false)) == .lacking([damaged]))
        #expect(try cloud.answer(.getBlobs([damaged])) == .blobs([]))
        let right = Blob(reference: damaged, bytes: [4, 5, 6])
        #expect(try cloud.answer(.putBlobs([right])) == .stored)
        #expect(try cloud.answer(.getBlobs([damaged])) == .blobs([right]))
        #expect(try cloud.answer(.lacks([damaged], looksInside: true)) == .lacking([]))
    }

    /// A large blob is sent in parts; it is available once all have arrived and match the digest.
    private func parts(_ cloud: inout some CloudBackend, _ token: ChangeToken) throws {
        let size = SyncSettings.blobPart
        let bytes = (0..<(2 * size + 9)).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let reference = BlobReference(Data(bytes))
        func part(_ start: Int, wrong: Bool = false) -> CloudRequest {
            var own = Array(bytes[start..<min(start + size, bytes.count)])
            if wrong { own[0] ^= 1 }
            return .putPart(BlobPart(reference: reference, offset: Int64(start), bytes: own))
        }
        let question = CloudRequest.putPart(BlobPart(reference: reference, offset: 0, bytes: []))
        let field = Field(key: "p", value: .blob(reference), stamp: Stamp(time: 1, device: 1))
        let named = SaveOperation(
            id: OperationID(device: 1, number: 55), key: key(8), baseTag: 0, version: Version(fields: [field])
        )
        #expect(try cloud.answer(.getPart(reference, from: 0)) == .part(nil))
        #expect(try cloud.answer(question) == .received(0))
        #expect(try cloud.answer(part(size)) == .received(0))
        for wrong in [0, size, 2 * size] {
            for start in [0, size] {
                #expect(
                    try cloud.answer(part(start, wrong: wrong == start)) == .received(Int64(start + size)))
                // Late, or asked again.
                #expect(try cloud.answer(part(start)) == .received(Int64(start + size)))
                #expect(try cloud.answer(question) == .received(Int64(start + size)))
            }
            #expect(try cloud.answer(.getPart(reference, from: 0)) == .part(nil))
            #expect(try save(&cloud, [named], token) == [.missingBlob])
            #expect(try cloud.answer(part(2 * size, wrong: wrong == 2 * size)) == .received(0))
            #expect(try save(&cloud, [named], token) == [.missingBlob])
        }
        for start in [0, size] { _ = try cloud.answer(part(start)) }
        #expect(try cloud.answer(part(2 * size)) == .received(reference.size))
        #expect(try cloud.answer(question) == .received(reference.size))
        var all: [UInt8] = []
        while all.count < bytes.count {
            guard case .part(let part?) = try cloud.answer(.getPart(reference, from: Int64(all.count))),
                part.offset == Int64(all.count), !part.bytes.isEmpty
            else { return #expect(Bool(false)) }
            all += part.bytes
        }
        #expect(all == bytes)
        // From the middle of a part.
        guard case .part(let part?) = try cloud.answer(.getPart(reference, from: 7)) else {
            return #expect(Bool(false))
        }
        #expect(part.bytes.elementsEqual(bytes[7...].prefix(part.bytes.count)))
        #expect(try cloud.image().blobs.contains(Blob(reference: reference, bytes: bytes)))
    }

    private func deletion(_ cloud: inout some CloudBackend, _ token: ChangeToken) throws {
        let copy = try cloud.image()
        let gone = SaveOperation(
            id: OperationID(device: 1, number: 60), key: key(1), baseTag: 2,
            version: .tombstone(incarnation: 1, stamp: Stamp(time: 9, device: 1)))
        #expect(try save(&cloud, [gone], token) == [.saved(5)])
        try cloud.forgetTombstones(upTo: 5)
        #expect(try cloud.answer(.changes(since: ChangeToken(epoch: 1, number: 4), limit: 9)) == .expired)
        #expect(try cloud.answer(.save(token: token, operations: [gone])) == .expired)
        let later = ChangeToken(epoch: 1, number: 5)
        #expect(try save(&cloud, [gone], later) == [.refused(nil)])
        try cloud.restore(copy, epoch: 2)
        #expect(try cloud.answer(.changes(since: later, limit: 9)) == .expired)
        let state = try cloud.state()
        #expect(state.head == 4)
        #expect(state.lineage.epoch == 2)
        #expect(state.records.count == 4)
    }

    @Test func memory() throws { try conforms(MemoryZone(epoch: 1)) }

    @Test func embedded() throws {
        let folder = try TemporaryFolder()
        try conforms(EmbeddedCloud(folder.url.appendingPathComponent("cloud.db"), zone: "z", epoch: 1))
    }

    /// `sync-bench --hunt` runs 300.
    @Test func schedulesOnAFileEndAsInMemory() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("cloud.db")
        #expect(try CloudComparison.difference(file: file, schedules: 0..<8, seed: 5) == nil)
    }

    @Test func objectsInMemory() throws {
        try conforms(S3Cloud(MemoryObjectStore(), epoch: 1))
        try conforms(S3Cloud(MemoryObjectStore(), epoch: 1, layout: .tiny))
        #expect(
            try CloudComparison.difference(
                objects: { _ in MemoryObjectStore() }, layout: .tiny, schedules: 0..<40, seed: 5) == nil)
    }

    @Test(.enabled(if: S3Server.isInstalled, "needs SeaweedFS (.ci/servers)"))
    func objects() throws {
        let server = try S3Server()
        // Names that need percent signs.
        for prefix in ["", "plain", "a ä+(x)!*'/y~z=&?#%41:@"] {
            try conforms(S3Cloud(server.address(prefix), epoch: 1))
        }
        #expect(
            try CloudComparison.difference(
                s3: server, schedules: 0..<8, seed: 5) == nil)
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "needs Debian's package postgresql"))
    func postgres() throws {
        let server = try PostgresServer()
        try conforms(try PostgresCloud(server.address("anna"), epoch: 1))
        try twoAccounts(server)
        #expect(
            try CloudComparison.difference(postgres: server.address("anna"), schedules: 0..<8, seed: 5) == nil
        )
        try olderTables(server)
        try badInput(server)
    }

    /// Tables of the third version, which kept all operations, can be used after the administrator's `cloud
    /// setup`.
    private func olderTables(_ server: PostgresServer) throws {
        let before = try PostgresCloud(server.address("anna"), epoch: 1)
        try before.restore(.empty, epoch: 1)
        #expect(
            try before.answer(
                .save(token: ChangeToken(epoch: 1, number: 0), operations: [operation(1, 0, base: 0, "x")]))
                == .saved([.saved(1)], try before.state().mark))
        let state = try before.state()
        try server.psql(
            "root",
            """
            DROP TABLE rutter.floors; ALTER TABLE rutter.devices DROP COLUMN settled;
            UPDATE rutter.format SET version = 3
            """)
        #expect(throws: RutterError.self) { try PostgresCloud(server.address("anna"), epoch: 1) }
        try CloudSetup.run(server.address("root"), accounts: ["anna"], quota: nil)
        let cloud = try PostgresCloud(server.address("anna"), epoch: 1)
        #expect(try cloud.state() == state)
        #expect(try cloud.image().operations.count == 1)
        try cloud.restore(.empty, epoch: 1)
        try conforms(cloud)
    }

    private func twoAccounts(_ server: PostgresServer) throws {
        #expect(try server.psql("anna", "SELECT count(*) FROM rutter.records").hasPrefix("6"))
        #expect(try server.psql("berta", "SELECT count(*) FROM rutter.records").hasPrefix("0"))
        #expect(try server.psql("berta", "DELETE FROM rutter.records").contains("DELETE 0"))
        #expect(throws: PostgresServer.Failure.self) {
            try server.psql(
                "berta", "INSERT INTO rutter.records VALUES ('anna', 1, 'x', 99, false, ''::bytea)")
        }
        let berta = try PostgresCloud(server.address("berta"), epoch: 1)
        #expect(try berta.state().records.isEmpty)
        #expect(try server.psql("anna", "SELECT count(*) FROM rutter.zones").hasPrefix("1"))
        // The account that connected first owns nothing, and cannot switch anything off.
        let tables = [
            "zones", "records", "operations", "floors", "blobs", "parts", "devices", "history", "quotas",
            "usage",
        ]
        for table in tables {
            for sql in [
                "ALTER TABLE rutter.\(table) DISABLE ROW LEVEL SECURITY",
                "DROP POLICY own ON rutter.\(table)", "ALTER TABLE rutter.\(table) OWNER TO anna",
            ] {
                #expect(throws: PostgresServer.Failure.self, "\(sql)") { try server.psql("anna", sql) }
            }
            #expect(
                try server.psql("berta", "SELECT count(*) FROM rutter.\(table) WHERE owner = 'anna'") == "0\n"
            )
        }
        for sql in [
            "SET ROLE rutter_owner", "UPDATE rutter.quotas SET bytes = 1", "CREATE TABLE rutter.own (x int)",
            "UPDATE rutter.usage SET bytes = 0",
        ] {
            #expect(throws: PostgresServer.Failure.self, "\(sql)") { try server.psql("anna", sql) }
        }
        // An account that was not admitted.
        try server.psql("root", "CREATE ROLE carl LOGIN PASSWORD 'secret-carl'")
        #expect(throws: RutterError.self) { try PostgresCloud(server.address("carl"), epoch: 1) }
        // Repeating the setup changes nothing.
        try CloudSetup.run(server.address("root"), accounts: ["anna"], quota: 4)
        let blob = Blob(reference: BlobReference(Data([1, 2, 3, 4, 5])), bytes: [1, 2, 3, 4, 5])
        let anna = try PostgresCloud(server.address("anna"), epoch: 1)
        #expect(throws: CloudFailure.self) { try anna.answer(.putBlobs([blob])) }
        try CloudSetup.run(server.address("root"), accounts: ["anna"], quota: 16 << 20)
        #expect(try anna.answer(.putBlobs([blob])) == .stored)
    }

    private func badInput(_ server: PostgresServer) throws {
        let wrong = server.address("anna").replacingOccurrences(of: "secret-anna", with: "wr0ng")
        do {
            _ = try PostgresCloud(wrong, epoch: 1)
            #expect(Bool(false), "a wrong password was taken")
        } catch let error as RutterError {
            #expect(error.code == "E-SYNC-CLOUD")
            #expect(!error.message.contains("wr0ng"))
            #expect(error.message.contains("authentication failed"))
        }
        #expect(throws: RutterError.self) {
            _ = try PostgresCloud(server.address("anna") + "?sslmode=verify-full", epoch: 1)
        }
        let cloud = try PostgresCloud(server.address("anna"), epoch: 1)
        for _ in 0..<2 {
            let before = try cloud.state()
            try server.stop(mode: "immediate")
            #expect(throws: CloudFailure.self) { try cloud.state() }
            try server.start()
            #expect(try cloud.state() == before)
        }
        try server.psql("root", "UPDATE rutter.format SET version = 99")
        #expect(throws: RutterError.self) { _ = try PostgresCloud(server.address("anna"), epoch: 1) }
    }
}
