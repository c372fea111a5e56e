import Foundation
import PluginKit

/// The cloud in an object store with Amazon's S3 protocol, for many machines and without a server or locks of
/// our own. A zone is a head object and immutable batches of pages; a request with changes writes a batch
/// that is not yet visible and then replaces the head, on the condition that it is unchanged. Of concurrent
/// writers one succeeds; the others read again and answer from the new state.
package final class S3Cloud: CloudBackend, ZoneTransactions {
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
        /// Seconds between polls: every one is a request, which a store may charge for.
        static let poll = 5.0
    }

    private let store: any ObjectStore
    private let cache: PageCache
    private let objects: S3Blobs
    private let layout: ZoneLayout
    private let epoch: UInt64
    private let random: ZoneRandom
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
    package init(
        _ store: any ObjectStore, epoch: UInt64, layout: ZoneLayout = ZoneLayout(),
        random: ZoneRandom = .system
    ) throws {
        self.layout = layout
        self.random = random
        self.store = store
        cache = PageCache(store)
        objects = S3Blobs(store: store)
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
        try ConditionalProbe(store: store, random: random).run()
        if !isThere {
            var head = ZoneHead(lineage: Lineage(starts: [EpochStart(epoch: epoch, number: 0)]))
            head.commit = random.next()
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

    func read<T>(_ body: (inout S3Reader) throws -> T) throws(CloudFailure) -> T {
        try reading { zone in
            var reader = S3Reader(state: zone, store: store, objects: objects)
            return try body(&reader)
        }
    }

    private func reading<T>(_ body: (StoredZone) throws -> T) throws(CloudFailure) -> T {
        try request { try settled(body) }
    }

    // MARK: Committing

    /// Runs a body on a draft and commits its changes. The body runs again if another writer was first, and
    /// must answer from the draft's new state.
    func write<T>(_ body: (inout S3Writer) throws -> T) throws(CloudFailure) -> T {
        try request {
            let deadline = ContinuousClock.now + .seconds(Settings.patience)
            var pause = Settings.firstPause
            while true {
                let outcome = try settled { zone -> (T, Bool) in
                    let draft = ZoneDraft(zone, store, layout, random)
                    var writer = S3Writer(draft, store: store, objects: objects)
                    let value = try body(&writer)
                    return (value, try draft.isChanged ? commit(draft) : true)
                }
                if outcome.1 { return outcome.0 }
                if ContinuousClock.now > deadline {
                    throw CloudFailure.transient("other devices keep writing")
                }
                try wait(pause * (0.5 + random.share() / 2))
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
        var cloud = self
        return try cloud.reply(to: request)
    }

    func fetch(
        after key: RecordKey?, _ witness: HistoryMark?, limit: Int
    ) throws(CloudFailure) -> CloudReply {
        try read { zone in
            var zone = zone.alone(limit <= SyncSettings.pageOfRange)
            return try zone.fetch(after: key, witness, limit: limit)
        }
    }

    package func latest() throws(CloudFailure) -> Int64 { try read { try $0.position(nil).head } }

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

    package func state() throws(CloudFailure) -> ZoneState { try read { try $0.wholeState() } }
    package func outline() throws(CloudFailure) -> ZoneImage { try read { try $0.image(withBytes: false) } }
    package func image() throws(CloudFailure) -> ZoneImage { try read { try $0.image(withBytes: true) } }
    package func restore(_ image: ZoneImage, epoch: UInt64?) throws(CloudFailure) {
        try write { try $0.adopt(image, epoch: epoch) }
    }
    package func begin(epoch: UInt64) throws(CloudFailure) { try write { try $0.beginEpoch(epoch) } }
    package func forgetTombstones(upTo number: Int64) throws(CloudFailure) {
        try write { try $0.discardTombstones(upTo: number) }
    }
    package func collectOperations() throws(CloudFailure) {
        try write { try $0.discardSettledOperations() }
    }

    // MARK: Discarding

    /// A report is an object of its own: only what it allows to discard needs a new head.
    func report(_ mark: Watermark) throws(CloudFailure) -> Int64? {
        let gone = try read { zone in try zone.note(mark, at: zone.position(nil)) }
        if gone.isEmpty { return nil }
        try collecting { zone in
            try zone.discard(gone, of: mark.device, at: zone.position(nil))
            return try gone.floor.map { try self.collector.close(below: $0, zone.state) } ?? []
        }
        // Its blobs are collected with it.
        return nil
    }

    package func collectBlobs(below number: Int64) throws(CloudFailure) {
        try collecting { try self.collector.close(below: number, $0.state) }
    }

    private var collector: S3Collector { S3Collector(store: store, blobs: objects) }

    /// Commits a draft, then deletes the objects that `body` returns as unreferenced. A sweep finds those
    /// left over.
    private func collecting(_ body: (inout S3Writer) throws -> [String]) throws(CloudFailure) {
        let gone = try write(body)
        for name in gone { try? store.delete(name) }
    }

    // MARK: Blobs

    func put(_ blobs: [Blob]) throws(CloudFailure) {
        try reading { zone in for blob in blobs { try self.objects.put(blob, zone) } }
    }

    func blobs(_ references: [BlobReference]) throws(CloudFailure) -> [Blob] {
        try reading { zone in try references.compactMap { try self.objects.blob($0, zone) } }
    }

    func receive(_ part: BlobPart) throws(CloudFailure) -> Int64 {
        try reading { zone in
            var store = S3Parts(objects, zone)
            return try store.put(part)
        }
    }

    func part(of blob: BlobReference, from offset: Int64) throws(CloudFailure) -> BlobPart? {
        try reading { try self.objects.part(of: blob, from: offset, $0) }
    }

    func lacking(
        _ references: [BlobReference], looksInside: Bool
    ) throws(CloudFailure) -> [BlobReference] {
        try reading { zone in
            if looksInside { return try references.filter { try !self.objects.isRight($0, zone) } }
            let there = Set(try self.objects.references(zone))
            return references.filter { !there.contains($0) }
        }
    }
}

extension NativeLibrary {
    /// libcurl, for object stores.
    static let objectStore = NativeLibrary(
        "a cloud in an object store", packages: "libcurl4", headers: "libcurl4-openssl-dev",
        isThere: { NativeLibrary.http.isAvailable ? 1 : 0 })
}
