import Foundation
import PluginKit

/// The cloud in an object store with Amazon's S3 protocol, for many machines and without a server or locks of
/// our own. A zone is a head object and immutable batches of pages; a request with changes writes a batch
/// that is not yet visible and then replaces the head, on the condition that it is unchanged. Of concurrent
/// writers one succeeds; the others read again and answer from the new state.
package final class S3Cloud: CloudBackend {
    private enum Settings {
        /// Seconds for which a writer retries.
        static let patience = 30.0
        /// Seconds of the first pause after losing to another writer; doubled each time, plus a random share.
        static let firstPause = 0.02
        static let longestPause = 1.0
        /// Seconds between checks for cancellation.
        static let slice = 0.05
        /// How often a reader restarts when its head is outdated.
        static let readings = 8
        /// Bytes of records in a page of changes or of a fetch.
        static let page = 8 << 20
        /// Seconds between polls: every one is a request, which a store may charge for.
        static let poll = 5.0
    }

    private let store: any ObjectStore
    private let cache: PageCache
    private let blobs: S3Blobs
    private let layout: ZoneLayout
    private let epoch: UInt64
    /// Whether the store passed the probe, and the zone exists.
    private var isReady = false
    /// Seconds waited since the last poll.
    private var waited = 0.0

    /// A cloud at an address.
    package convenience init(_ address: S3Address, epoch: UInt64) throws {
        for library in S3Store.libraries { try library.require() }
        try self.init(S3Store(address), epoch: epoch)
    }

    /// A cloud in a store. Throws if the store refuses permanently or ignores conditional writes; if it is
    /// unreachable at present, the requests report it.
    package init(_ store: any ObjectStore, epoch: UInt64, layout: ZoneLayout = ZoneLayout()) throws {
        self.layout = layout
        self.store = store
        cache = PageCache(store)
        blobs = S3Blobs(store: store)
        self.epoch = epoch
        do { try prepare() } catch let failure as CloudFailure {
            switch failure {
            case .transient: break
            case .permanent(let why): throw SyncErrors.cloud(why, at: .parameter("cloud"))
            }
        }
    }

    private func prepare() throws {
        if isReady { return }
        // First, since it shows whether the bucket exists.
        let isThere = try store.get(ZoneHead.name, longest: ZoneHead.longest) != nil
        try ConditionalProbe(store: store).run()
        if !isThere {
            var head = ZoneHead(lineage: Lineage(starts: [EpochStart(epoch: epoch, number: 0)]))
            head.commit = UInt64.random(in: 0 ... .max)
            // If another device was first, its zone is used.
            _ = try store.put(ZoneHead.name, head.bytes, .absent)
        }
        isReady = true
    }

    // MARK: Reading a head

    private func current() throws -> StoredZone {
        guard let object = try store.get(ZoneHead.name, longest: ZoneHead.longest) else {
            throw SyncErrors.schema("the cloud does not contain its zone")
        }
        guard let head = ZoneHead(bytes: object.bytes) else {
            throw SyncErrors.schema("the head of the zone is damaged, or of a newer version")
        }
        if object.tag.isEmpty {
            throw CloudFailure.permanent("the store returns no versions of objects (ETag)")
        }
        return StoredZone(head: head, tag: object.tag, cache: cache)
    }

    /// Runs a body on a head, and again on a newer one if commits of others have removed its objects.
    private func settled<T>(_ body: (StoredZone) throws -> T) throws -> T {
        var last: UInt64?
        for _ in 0..<Settings.readings {
            let zone = try current()
            do { return try body(zone) } catch let outdated as OutdatedHead {
                if zone.head.revision == last {
                    throw SyncErrors.schema("the object \(outdated.name) of the cloud is missing")
                }
                last = zone.head.revision
            }
        }
        throw CloudFailure.transient("the zone changed during every attempt to read it")
    }

    private func request<T>(_ body: () throws -> T) throws(CloudFailure) -> T {
        do {
            try prepare()
            return try body()
        } catch let failure as CloudFailure {
            throw failure
        } catch let error as RutterError {
            throw .permanent(error.message)
        } catch {
            throw .permanent("\(error)")
        }
    }

    private func reading<T>(_ body: (StoredZone) throws -> T) throws(CloudFailure) -> T {
        try request { try settled(body) }
    }

    // MARK: Committing

    /// Runs a body on a draft and commits its changes. The body runs again if another writer was first, and
    /// must answer from the draft's new state.
    private func writing<T>(_ body: (ZoneDraft) throws -> T) throws(CloudFailure) -> T {
        try request {
            let deadline = ContinuousClock.now + .seconds(Settings.patience)
            var pause = Settings.firstPause
            while true {
                let outcome = try settled { zone -> (T, Bool) in
                    let draft = ZoneDraft(zone, store, layout)
                    let value = try body(draft)
                    return (value, try draft.isChanged ? commit(draft) : true)
                }
                if outcome.1 { return outcome.0 }
                if ContinuousClock.now > deadline {
                    throw CloudFailure.transient("other devices keep writing")
                }
                try wait(pause * Double.random(in: 0.5...1))
                pause = min(2 * pause, Settings.longestPause)
            }
        }
    }

    /// Replaces the head by a draft's; returns whether it succeeded.
    private func commit(_ draft: ZoneDraft) throws -> Bool {
        try draft.finish()
        do {
            if case .done = try store.put(ZoneHead.name, draft.head.bytes, .matches(draft.base.tag)) {
                tidy(draft)
                return true
            }
        } catch CloudFailure.transient(let why) {
            // Perhaps only the answer is lost.
            guard let now = try? current() else { throw CloudFailure.transient(why) }
            if now.head.commit == draft.head.commit {
                tidy(draft)
                return true
            }
            // It may still arrive. A repeated request is answered from the state at that time.
            if now.tag == draft.base.tag { throw CloudFailure.transient(why) }
        }
        // A write that was sent twice conflicts with itself.
        let now = try current()
        if now.head.commit == draft.head.commit {
            tidy(draft)
            return true
        }
        // A listed batch was committed, and another commit followed. An unlisted one will never be committed:
        // its head is based on another.
        if now.tag != draft.base.tag {
            for name in draft.written where now.head.batch(name.number)?.name != name {
                try? store.delete(name.name)
            }
        }
        return false
    }

    /// Deletes objects no longer listed by a head. Their readers restart.
    private func tidy(_ draft: ZoneDraft) {
        for name in draft.dropped { try? store.delete(name.name) }
        if draft.head.revision / layout.sweeps != draft.base.head.revision / layout.sweeps {
            try? S3Garbage(store: store).sweep(StoredZone(head: draft.head, tag: "", cache: cache))
        }
    }

    private func wait(_ seconds: Double) throws(CloudFailure) {
        var rest = seconds
        while rest > 0 {
            if Task.isCancelled { throw .transient("interrupted") }
            Thread.sleep(forTimeInterval: min(rest, Settings.slice))
            rest -= Settings.slice
        }
    }

    // MARK: Requests

    package func answer(_ request: CloudRequest) throws(CloudFailure) -> CloudReply {
        switch request {
        case .save(let token, let witness, let operations):
            return try writing { try self.save(token, witness, operations, $0) }
        case .changes(let token, let witness, let limit):
            if let reply = try reading({ try self.changes(token, witness, limit, $0) }) { return reply }
            // The device's token is beyond the head: the zone is an old copy. A new epoch begins.
            try begin(epoch: ZoneNumbers.epoch(after: token))
            return .expired
        case .fetch(let key, let witness, let limit):
            return try reading { try self.fetch(key, witness, limit, $0) }
        case .common(let marks):
            return try reading { zone in .common(try marks.first { try Self.knows($0, zone) }) }
        case .putBlobs(let blobs):
            return try reading { zone in
                for blob in blobs { try self.blobs.put(blob, zone) }
                return .stored
            }
        case .getBlobs(let references):
            return try reading { zone in
                .blobs(try references.compactMap { try self.blobs.blob($0, zone) })
            }
        case .putPart(let part): return try reading { .received(try self.blobs.put(part, $0)) }
        case .report(let mark):
            try note(mark)
            return .noted
        case .lacks(let references, let looksInside):
            return try reading { zone in
                if !looksInside {
                    let there = Set(try self.blobs.references(zone))
                    return .lacking(references.filter { !there.contains($0) })
                }
                return .lacking(try references.filter { try !self.blobs.isRight($0, zone) })
            }
        case .getPart(let reference, let offset):
            return try reading { .part(try self.blobs.part(of: reference, from: offset, $0)) }
        }
    }

    /// Whether a device with this witness has read the same history.
    private static func knows(_ witness: HistoryMark?, _ zone: some Snapshot) throws -> Bool {
        guard let witness, witness != zone.head.mark else { return true }
        let value = try zone.values(.history, [ZoneKeys.number(witness.number)])[0]
        return value.map { ZoneKeys.word($0) } == witness.hash
    }

    // MARK: Saving

    private func save(
        _ token: ChangeToken, _ witness: HistoryMark?, _ operations: [SaveOperation], _ draft: ZoneDraft
    ) throws -> CloudReply {
        let head = draft.head
        if try !Self.knows(witness, draft) { return .diverged(head.lineage) }
        if token.epoch != head.lineage.epoch || token.number < head.floor { return .expired }
        var changes = try ZoneChanges(draft, operations)
        let blobs = try Set(operations.flatMap(\.version.blobs)).filter {
            try self.blobs.has($0, draft)
        }
        let results = try operations.map { try changes.save($0, blobs) }
        try changes.write(to: draft)
        return .saved(results, draft.head.mark)
    }

    // MARK: Reading

    /// `nil` if the device's token is beyond the head: the zone is an old copy.
    private func changes(
        _ token: ChangeToken, _ witness: HistoryMark?, _ limit: Int, _ zone: StoredZone
    ) throws -> CloudReply? {
        let head = zone.head
        if try !Self.knows(witness, zone) { return .diverged(head.lineage) }
        if token.epoch == head.lineage.epoch, token.number > head.head { return nil }
        if token.epoch != head.lineage.epoch || token.number < head.floor { return .expired }
        var keys: [[UInt8]] = []
        try zone.scan(.changes, from: ZoneKeys.number(token.number + 1)) { entry in
            keys.append(Array(entry.value.prefix(17)))
            return keys.count <= limit
        }
        var hasMore = keys.count > limit
        if hasMore { keys.removeLast() }
        var records: [CloudRecord] = []
        var size = 0
        for start in stride(from: 0, to: keys.count, by: Self.readTogether) {
            if size > Settings.page {
                hasMore = true
                break
            }
            let part = keys[start..<min(start + Self.readTogether, keys.count)].sorted {
                $0.lexicographicallyPrecedes($1)
            }
            var found: [CloudRecord] = []
            for (key, value) in zip(part, try zone.values(.records, part)) {
                guard let value else { throw SyncErrors.schema("a record of the cloud is missing") }
                size += value.count
                found.append(try ZoneKeys.record(key, value))
            }
            records += found.sorted { $0.tag < $1.tag }
        }
        let read = ChangeToken(epoch: token.epoch, number: records.last?.tag ?? token.number)
        return .page(
            CloudPage(
                records: records, token: read, hasMore: hasMore, lineage: head.lineage,
                history: try Self.passed(
                    after: max(token.number, witness?.number ?? 0), upTo: hasMore ? head.head : read.number,
                    zone)))
    }

    /// Number of records looked up at a time.
    private static let readTogether = 256

    /// The marks after a number, up to the one at another number or the first after it.
    private static func passed(after start: Int64, upTo end: Int64, _ zone: StoredZone) throws
        -> [HistoryMark]
    {
        var marks: [HistoryMark] = []
        if start >= end { return marks }
        try zone.scan(.history, from: ZoneKeys.number(start + 1)) { entry in
            marks.append(ZoneKeys.mark(entry))
            return marks.last.map { $0.number < end } ?? false
        }
        return marks
    }

    private func fetch(
        _ key: RecordKey?, _ witness: HistoryMark?, _ limit: Int, _ whole: StoredZone
    ) throws -> CloudReply {
        var zone = whole
        zone.readsAlone = limit <= SyncSettings.pageOfRange
        let head = zone.head
        if try !Self.knows(witness, zone) { return .diverged(head.lineage) }
        var records: [CloudRecord] = []
        var size = 0
        var hasMore = false
        let start = key.map(ZoneKeys.record)
        try zone.scan(.records, from: start ?? []) { entry in
            if entry.key == start { return true }
            hasMore = records.count == limit || size > Settings.page
            if hasMore { return false }
            records.append(try ZoneKeys.record(entry.key, entry.value))
            size += entry.value.count
            return true
        }
        return .page(
            CloudPage(
                records: records, token: ChangeToken(epoch: head.lineage.epoch, number: head.head),
                hasMore: hasMore, lineage: head.lineage,
                history: try zone.last(SyncSettings.marksOfFetch, of: .history).map(ZoneKeys.mark)))
    }

    // MARK: The whole zone

    package func latest() throws(CloudFailure) -> Int64 { try reading { $0.head.head } }

    /// The store sends no notifications: it is polled every few seconds.
    package func awaitHint(seconds: Double) throws(CloudFailure) -> Bool {
        try wait(seconds)
        waited += seconds
        guard waited >= Settings.poll else { return false }
        waited = 0
        return true
    }

    package func differences(from own: (KeyRange) -> RangeDigest) throws(CloudFailure) -> [KeyRange]? {
        try reading { try $0.differences(from: own) }
    }

    package func state() throws(CloudFailure) -> ZoneState { try reading { try Self.state($0) } }

    private static func state(_ zone: StoredZone) throws -> ZoneState {
        var records: [CloudRecord] = []
        try zone.scan(.records) {
            records.append(try ZoneKeys.record($0.key, $0.value))
            return true
        }
        let head = zone.head
        return ZoneState(
            records: records, head: head.head, floor: head.floor, lineage: head.lineage, mark: head.mark)
    }

    package func outline() throws(CloudFailure) -> ZoneImage { try copy(withBlobs: false) }
    package func image() throws(CloudFailure) -> ZoneImage { try copy(withBlobs: true) }

    private func copy(withBlobs: Bool) throws(CloudFailure) -> ZoneImage {
        try reading { zone in
            let state = try Self.state(zone)
            var image = ZoneImage(
                records: state.records, head: state.head, floor: state.floor, lineage: state.lineage)
            var marks: [HistoryMark] = []
            try zone.scan(.history) {
                marks.append(ZoneKeys.mark($0))
                return true
            }
            image.history = History(marks)
            try zone.scan(.operations) {
                if let replica = ZoneKeys.replica($0.key) {
                    image.floors[replica] = ZoneKeys.word($0.value)
                } else {
                    image.operations[ZoneKeys.operationID($0.key)] = ZoneKeys.done($0.value)
                }
                return true
            }
            for reference in try self.blobs.references(zone) {
                let blob =
                    withBlobs
                    ? try self.blobs.whole(reference, zone) : Blob(reference: reference, bytes: [])
                if let blob { image.blobs.append(blob) }
            }
            image.blobs.sort { $0.reference.name < $1.reference.name }
            return image
        }
    }

    package func restore(_ image: ZoneImage, epoch: UInt64?) throws(CloudFailure) {
        try writing { draft in
            // In a separate folder, so that the head alone decides which blobs exist.
            let folder = BatchName(number: draft.head.revision, salt: UInt64.random(in: 0 ... .max))
            draft.clear()
            draft.set { head in
                (head.head, head.floor, head.lineage) = (image.head, image.floor, image.lineage)
                head.mark = image.history.last
                (head.copy, head.blobs, head.aging) = (folder, folder, nil)
                if let epoch { head.lineage.starts.append(EpochStart(epoch: epoch, number: image.head)) }
            }
            for blob in image.blobs { try self.blobs.put(blob, draft) }
            try ZoneChanges.write(image, to: draft)
        }
    }

    /// Stores a device's position. Each device has its own object; outdated values only delay the discarding.
    private func note(_ mark: Watermark) throws(CloudFailure) {
        let (floor, settles) = try reading { zone -> (Int64?, Bool) in
            let head = zone.head
            guard mark.token.epoch == head.lineage.epoch, mark.token.number <= head.head else {
                return (nil, false)
            }
            _ = try store.put(
                "\(Self.folder(head))/\(BatchName.digits(mark.device))",
                ZoneKeys.number(mark.token.number) + ZoneKeys.bytes(mark.settled), .always)
            let forgotten = try zone.values(.operations, [ZoneKeys.replica(mark.device)])[0]
            let settles = Watermark.isWorthwhile(
                mark.settled, above: forgotten.map { ZoneKeys.word($0) } ?? 0)
            // Listing costs a request: not before the zone could discard something.
            guard mark.token.number - head.floor >= SyncSettings.leastCollected else { return (nil, settles) }
            let numbers = try watermarks(head).map(\.token.number)
            return (Watermark.floor(of: numbers, head: head.head, above: head.floor), settles)
        }
        if floor == nil, !settles { return }
        try collecting { draft in
            if settles { try ZoneChanges.forget(mark.device, upTo: mark.settled, in: draft) }
            guard let floor else { return [] }
            try self.forget(upTo: floor, draft)
            return try self.collector.close(below: floor, draft)
        }
    }

    private static func folder(_ head: ZoneHead) -> String { "\(ZoneHead.devicesFolder)/\(head.copy.text)" }

    /// The positions reported by devices.
    private func watermarks(_ head: ZoneHead) throws -> [Watermark] {
        let folder = Self.folder(head)
        var names: [String] = []
        try store.list(folder) { names += $0.map(\.name) }
        return try names.sorted().compactMap { name in
            guard let device = UInt64(name, radix: 16),
                let bytes = try store.get("\(folder)/\(name)", longest: 64)?.bytes
            else { return nil }
            // An older version did not store settled operations.
            return Watermark(
                device: device,
                token: ChangeToken(
                    epoch: head.lineage.epoch, number: Int64(bitPattern: ZoneKeys.word(bytes.prefix(8)))),
                settled: ZoneKeys.word(bytes.dropFirst(8).prefix(8)))
        }
    }

    package func collectOperations() throws(CloudFailure) {
        let marks = try reading { try watermarks($0.head) }
        if marks.isEmpty { return }
        try writing { draft in
            for mark in marks { try ZoneChanges.forget(mark.device, upTo: mark.settled, in: draft) }
        }
    }

    package func begin(epoch: UInt64) throws(CloudFailure) {
        try writing { draft in
            // Repeated after a lost answer.
            if draft.head.lineage.epoch == epoch { return }
            draft.set { $0.lineage.starts.append(EpochStart(epoch: epoch, number: $0.head)) }
        }
    }

    package func forgetTombstones(upTo number: Int64) throws(CloudFailure) {
        try writing { try self.forget(upTo: number, $0) }
    }

    private func forget(upTo number: Int64, _ draft: ZoneDraft) throws {
        let floor = max(draft.head.floor, min(number, draft.head.head))
        draft.set { $0.floor = floor }
        var gone: [(tag: [UInt8], key: [UInt8])] = []
        try draft.scan(.changes) { entry in
            guard Int64(bitPattern: ZoneKeys.word(entry.key)) <= floor else { return false }
            if entry.value.last == 1 { gone.append((entry.key, Array(entry.value.prefix(17)))) }
            return true
        }
        try draft.update(.changes, gone.map { ($0.tag, nil) })
        try draft.update(
            .records,
            gone.map { ($0.key, nil) }.sorted { $0.0.lexicographicallyPrecedes($1.0) })
    }

    package func collectBlobs(below number: Int64) throws(CloudFailure) {
        try collecting { try self.collector.close(below: number, $0) }
    }

    private var collector: S3Collector { S3Collector(store: store, blobs: blobs) }

    /// Commits a draft, then deletes the objects that `body` returns as unreferenced. A sweep finds those
    /// left over.
    private func collecting(_ body: (ZoneDraft) throws -> [String]) throws(CloudFailure) {
        let gone = try writing(body)
        for name in gone { try? store.delete(name) }
    }
}

extension NativeLibrary {
    /// libcurl, for object stores.
    static let objectStore = NativeLibrary(
        "a cloud in an object store", packages: "libcurl4-openssl-dev",
        isThere: { NativeLibrary.http.isAvailable ? 1 : 0 })
}
