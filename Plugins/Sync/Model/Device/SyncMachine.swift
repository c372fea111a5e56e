/// One sync of one device, as a state machine without input or output: it returns requests for the cloud and
/// receives the answers. Its state ends with the process; durable state is in the device's store.
///
/// The same code runs in the simulator, which loses, repeats and delays messages, and in `sync`.
package struct SyncMachine: Sendable {
    /// The direction of a sync.
    package enum Mode: String, Sendable, CaseIterable {
        /// Applies new changes of the cloud.
        case pull
        /// Sends the outbox.
        case push
        /// Pulls, then pushes.
        case now
    }

    /// The next step.
    enum Output: Sendable {
        /// Send a request to the cloud.
        case send(CloudRequest)
        /// Wait, then send the same request again.
        case wait(seconds: Double)
        /// The sync ended.
        case finished(Ending)
    }

    /// How a sync ended.
    enum Ending: Hashable, Sendable {
        /// Success.
        case done
        /// All attempts failed.
        case exhausted(String)
        /// The cloud refused permanently.
        case failed(String)
        /// It would delete this many records, and the caller has not allowed it.
        case wouldDelete(Int)
        /// The zone belongs to another account than the local records. Nothing was sent or applied.
        case otherAccount(UInt64)
    }

    enum Phase: Sendable {
        case idle
        case pulling
        case fetching
        case gettingBlobs(CloudPage, isFetch: Bool)
        /// Bytes of a large blob.
        case gettingPart(BlobReference, CloudPage, isFetch: Bool)
        case puttingBlobs
        case puttingPart(BlobReference, RecordKey)
        case pushing
        /// Checks that it is the right zone before anything is sent.
        case checking
        /// Requests a check of the blobs that this device received damaged.
        case verifyingBlobs
        /// Reports this device's position.
        case reporting
        /// Finds the point up to which the local and the zone's history are equal.
        case findingCommon
    }

    let rule: SyncRule
    /// Maximum number of operations in a request.
    let batch: Int
    /// Maximum number of records in a page.
    let page: Int
    /// Whether many deletions are allowed.
    var mayDeleteMany = false
    /// Whether it reports its position and its settled operations, so that the cloud may discard them.
    var reports = false

    private(set) var phase = Phase.idle
    /// The request that awaits an answer.
    private(set) var request: CloudRequest?
    /// The number of that request; answers to others are stale.
    private(set) var requestNumber: UInt64 = 0
    private(set) var counts = SyncCounts()
    private var mode = Mode.now
    private(set) var attempt = 0
    private var sent: [SaveOperation] = []
    /// Blobs to send, and the records from which they are read when their turn comes.
    private var blobs: [(reference: BlobReference, key: RecordKey)] = []
    /// Blobs still missing for a page, and the requested ones.
    private var missing: [BlobReference] = []
    private var requested: [BlobReference] = []
    /// The number of bytes of a large blob that the cloud had in its last answer, and how often it did not
    /// grow.
    private var progress = (held: Int64(-1), restarts: 0)
    /// Records whose blobs the cloud must store although the base references them too.
    private var withoutBlob: Set<RecordKey> = []
    private var seen: Set<RecordKey> = []
    private var idleBatches = 0
    /// The token of the first page of a full fetch.
    private var firstFetchToken: ChangeToken?
    /// The device's position when it sent its operations.
    private var token = ChangeToken(epoch: 0, number: 0)
    private var witness: HistoryMark?
    /// Whether this device has read the zone without storing marks, as an older version did: then only epochs
    /// show which of its records a restored zone lacks.
    private var isLegacy = false
    /// The marks of such a device's full fetch, stored when it is complete.
    private var fetchMarks: [HistoryMark] = []
    /// How often the zone had a different history.
    private var rewinds = 0
    /// The position when this sync began.
    private var startToken: ChangeToken?
    /// How often a requested blob was missing in the cloud.
    private var absences = 0
    /// Unavailable blobs: their records are held back.
    private var unobtainable: Set<BlobReference> = []
    /// Those of them received with wrong bytes.
    private var damaged: Set<BlobReference> = []
    /// The blobs of records held back by earlier syncs, once they have been retried in this sync.
    private var retried: Set<BlobReference>?
    /// Whether a refused record references a blob that must be downloaded first.
    private var needsPull = false

    init(rule: SyncRule, batch: Int = SyncSettings.batch, page: Int = SyncSettings.page) {
        self.rule = rule
        self.batch = batch
        self.page = page
    }

    /// Whether a sync is running.
    var isRunning: Bool { if case .idle = phase { false } else { true } }

    /// Whether it awaits the answer to a save.
    var isPushing: Bool { if case .pushing = phase { true } else { false } }

    // MARK: Events

    /// Starts a sync; first moves the edits of the app's store to the outbox.
    mutating func start<S: DeviceStore>(_ mode: Mode, in store: inout S, now: Int64) throws -> Output {
        reset()
        self.mode = mode
        startToken = store.header.token
        // A zone that was empty when it was read has no marks either.
        isLegacy = store.header.witness == nil && (store.header.token?.number ?? 0) > 0
        // Pulled records are compared with their rows anyway: a pull need not scan the whole store.
        for key in try mode == .pull && !store.mustExamineAll ? store.intentKeys() : store.changedKeys() {
            let (_, state) = try LocalChangeDetector.record(key, in: &store, now: now, rule: rule)
            if var state, state.parked == .exhausted {
                state.parked = nil
                try store.set(state, for: key)
            }
        }
        try store.commit()
        // Tags and tokens are valid within an epoch only: an unknown epoch is requested first.
        if mode == .push, let token = store.header.token {
            phase = .checking
            return send(.changes(since: token, witness: store.header.witness, limit: 0))
        }
        return pull(&store)
    }

    /// Handles an answer; ignores one to an earlier request.
    mutating func receive<S: DeviceStore>(
        _ reply: CloudReply, to number: UInt64, in store: inout S, now: Int64
    ) throws -> Output? {
        if number != requestNumber || request == nil { return nil }
        request = nil
        attempt = 0
        switch (phase, reply) {
        case (.pulling, .page(let page)): return try arrived(page, isFetch: false, &store, now)
        case (.fetching, .page(let page)): return try arrived(page, isFetch: true, &store, now)
        case (.gettingBlobs(let page, let isFetch), .blobs(let blobs)):
            for blob in blobs { try store.keep(blob) }
            let absent = try requested.filter { try !store.has($0) }
            damaged.formUnion(blobs.lazy.map(\.reference).filter(absent.contains))
            return try areAbsent(absent, page, isFetch: isFetch, &store, now)
        case (.gettingPart(let blob, let page, let isFetch), .part(let part)):
            return try got(part, of: blob, page, isFetch: isFetch, &store, now)
        case (.puttingBlobs, .stored): return try sendNextBlobs(store)
        case (.puttingPart(let blob, let key), .received(let held)):
            return try sendNextPart(blob, key, held: held, store)
        case (.pushing, .saved(let results, let mark)): return try saved(results, mark, &store, now)
        case (.verifyingBlobs, _): return try report(store)
        case (.reporting, _): return finish(.done)
        case (.checking, .page(let page)):
            if let other = Self.otherAccount(page.lineage, store.header) {
                return finish(.otherAccount(other))
            }
            return try push(&store)
        case (.findingCommon, .common(let mark)): return try rewind(to: mark, &store)
        case (_, .diverged(let lineage)): return try diverged(lineage, &store)
        case (_, .expired):
            seen = []
            firstFetchToken = nil
            fetchMarks = []
            return fetch(after: nil, &store)
        default: return try stop(.failed("the cloud's answer does not match the request"), &store)
        }
    }

    /// The request failed. Retries after a pause, up to the number of attempts.
    mutating func failed<S: DeviceStore>(_ failure: CloudFailure, in store: inout S) throws -> Output {
        // Everything is done; the next sync reports again.
        switch phase {
        case .verifyingBlobs, .reporting: return finish(.done)
        default: break
        }
        switch failure {
        case .permanent(let why): return try stop(.failed(why), &store)
        case .transient(let why):
            attempt += 1
            if attempt < SyncSettings.attempts {
                return .wait(seconds: SyncSettings.delay(after: attempt))
            }
            for operation in sent {
                guard var state = try store.state(operation.key), state.isDirty else { continue }
                state.parked = .exhausted
                try store.set(state, for: operation.key)
                try store.note(.parked, operation.key, "\(SyncSettings.attempts) attempts failed: \(why)")
            }
            return try stop(.exhausted(why), &store)
        }
    }

    /// Repeats the request after a pause, with a new number: an answer to the first is stale.
    mutating func again() -> CloudRequest? {
        requestNumber += 1
        return request
    }

    /// Discards everything, as when the process dies. Request numbers continue, so that an answer to an
    /// earlier process is not mistaken for a current one.
    mutating func reset() {
        phase = .idle
        request = nil
        counts = SyncCounts()
        attempt = 0
        sent = []
        blobs = []
        missing = []
        requested = []
        withoutBlob = []
        seen = []
        idleBatches = 0
        needsPull = false
        firstFetchToken = nil
        fetchMarks = []
        rewinds = 0
        absences = 0
        unobtainable = []
        damaged = []
        retried = nil
        startToken = nil
        requestNumber += 1
    }

    // MARK: Another history

    /// The account of a zone if it differs from that of the local records.
    private static func otherAccount(_ lineage: Lineage, _ header: DeviceHeader) -> UInt64? {
        if let account = header.account { return account == lineage.origin ? nil : lineage.origin }
        // Not stored by an older version: a continued history belongs to the same zone.
        guard let token = header.token, !lineage.starts.contains(where: { $0.epoch == token.epoch }) else {
            return nil
        }
        return lineage.origin
    }

    private mutating func diverged<S: DeviceStore>(_ lineage: Lineage, _ store: inout S) throws -> Output {
        if let other = Self.otherAccount(lineage, store.header) { return finish(.otherAccount(other)) }
        rewinds += 1
        if rewinds > SyncSettings.settlingRounds {
            return try stop(.failed("the cloud's history keeps changing"), &store)
        }
        seen = []
        firstFetchToken = nil
        fetchMarks = []
        phase = .findingCommon
        return send(.common(try store.rememberedMarks(limit: SyncSettings.marksCompared)))
    }

    /// The cloud was restored from a copy, and possibly written to since. What this device saved or read
    /// after the last common point counts as unsent: it is sent again, or merged with what replaced it.
    private mutating func rewind<S: DeviceStore>(
        to common: HistoryMark?, _ store: inout S
    ) throws -> Output {
        let number = common?.number ?? 0
        for key in try store.basedKeys(except: []) {
            guard var state = try store.state(key), state.tag > number else { continue }
            state.base = nil
            state.tag = 0
            state.pending = nil
            try store.set(state, for: key)
            try store.note(.sentAgain, key, Self.putBack)
        }
        counts.rewinds += 1
        // This device may never have read the version to which the zone was restored, if the record changed
        // again later. The changes after the common point do not include it; a full fetch does.
        store.header.token = nil
        store.header.witness = common
        try store.forgetMarks(after: number)
        try store.commit()
        return pull(&store)
    }

    private static let putBack = "missing in the restored cloud"

    /// A base received over the watch link is part of the history that its sender knew. This device's own
    /// mark does not cover it: the zone may have been restored since the sender read it, or be another zone.
    /// Unless both histories are known to be equal, the base is dropped. Otherwise a record that the zone
    /// lost would count as deleted, and an older version of it as a newer one.
    private func dropForeignBases<S: DeviceStore>(_ history: [HistoryMark], _ store: inout S) throws {
        var known: Set<HistoryMark>?
        for key in try store.basedKeys(except: []) {
            guard var state = try store.state(key), state.isBorrowed else { continue }
            let marks =
                try known ?? Set(history + store.rememberedMarks(limit: SyncSettings.marksCompared))
            known = marks
            if let mark = state.link?.mark, marks.contains(mark) { continue }
            state.base = nil
            try store.set(state, for: key)
            try store.note(.sentAgain, key, Self.foreign)
        }
    }

    private static let foreign =
        "received over the watch link from a device with an unknown history of the cloud"

    /// Stores the marks of the zone's history that were passed.
    private func note<S: DeviceStore>(_ marks: [HistoryMark], _ store: inout S) throws {
        let known = store.header.witness?.number ?? 0
        let new = marks.filter { $0.number > known }
        guard let last = new.last else { return }
        try store.remember(new)
        store.header.witness = last
    }

    // MARK: Pulling

    private mutating func pull<S: DeviceStore>(_ store: inout S) -> Output {
        guard let token = store.header.token else { return fetch(after: nil, &store) }
        phase = .pulling
        return send(.changes(since: token, witness: store.header.witness, limit: page))
    }

    private mutating func fetch<S: DeviceStore>(after key: RecordKey?, _ store: inout S) -> Output {
        phase = .fetching
        // A zone restored between two pages must be detected as well.
        return send(.fetch(after: key, witness: fetchMarks.last ?? store.header.witness, limit: page))
    }

    private mutating func arrived<S: DeviceStore>(
        _ page: CloudPage, isFetch: Bool, _ store: inout S, _ now: Int64
    ) throws -> Output {
        if let other = Self.otherAccount(page.lineage, store.header) { return finish(.otherAccount(other)) }
        if isFetch, firstFetchToken == nil { try dropForeignBases(page.history, &store) }
        var page = page
        if !isFetch, retried == nil {
            let come = Set(page.records.map(\.key))
            let held = store.heldBack.values.filter { !come.contains($0.key) }.sorted { $0.tag < $1.tag }
            retried = Set(held.flatMap(\.version.blobs))
            page.records = held + page.records
        }
        missing = try needed(by: &page, isFetch: isFetch, store)
        return try getNextBlobs(page, isFetch: isFetch, &store, now)
    }

    /// The missing blobs of a page. A page with many is cut, as if the cloud had answered with fewer records:
    /// received blobs are stored outside their rows until the page is applied.
    private func needed<S: DeviceStore>(
        by page: inout CloudPage, isFetch: Bool, _ store: S
    ) throws -> [BlobReference] {
        var needed: [BlobReference] = []
        var known: Set<BlobReference> = []
        var size: Int64 = 0
        for (index, record) in page.records.enumerated() {
            // Blobs in the row need not be downloaded again.
            let own = try record.version.blobs.filter { blob in
                try !known.contains(blob) && !unobtainable.contains(blob)
                    && isMissing(blob, of: record, store)
            }
            size += own.reduce(0) { $0 + $1.size }
            if size > SyncSettings.mostStaged, !needed.isEmpty, let last = page.records[..<index].last {
                page.records.removeSubrange(index...)
                // Records held back are before the current position.
                if !isFetch { page.token.number = max(last.tag, store.header.token?.number ?? 0) }
                page.hasMore = true
                break
            }
            for blob in own where known.insert(blob).inserted { needed.append(blob) }
        }
        return needed
    }

    /// Whether a record needs a blob that is neither staged nor in its row.
    private func isMissing<S: DeviceStore>(
        _ blob: BlobReference, of record: CloudRecord, _ store: S
    ) throws -> Bool {
        if try store.has(blob) { return false }
        guard let state = try store.state(record.key) else { return true }
        if state.parked == .unplaced {
            return try store.row(record.key)?.contains { $0.value.blob == blob } != true
        }
        // Nothing is applied from a known version.
        return !state.local.blobs.contains(blob) && (isLegacy || state.base != record.version)
    }

    /// Requests the next blobs of a page; when all are here, applies the page.
    private mutating func getNextBlobs<S: DeviceStore>(
        _ page: CloudPage, isFetch: Bool, _ store: inout S, _ now: Int64
    ) throws -> Output {
        if let large = missing.first, large.isLarge {
            missing.removeFirst()
            progress = (held: -1, restarts: 0)
            return try getNextPart(
                of: large, page, isFetch: isFetch, held: store.received(large), &store, now)
        }
        requested = Self.nextGroup(&missing) { $0.size }
        if requested.isEmpty { return try apply(page, isFetch: isFetch, &store, now) }
        phase = .gettingBlobs(page, isFetch: isFetch)
        return send(.getBlobs(requested))
    }

    /// Takes a group from the front, limited by size; at least one.
    private static func nextGroup<T>(_ all: inout [T], size: (T) -> Int64) -> [T] {
        var total: Int64 = 0
        let count = all.prefix { item in
            defer { total += size(item) }
            return total == 0 || total + size(item) <= Int64(SyncSettings.blobPart)
        }.count
        defer { all.removeFirst(count) }
        return Array(all.prefix(count))
    }

    private mutating func got<S: DeviceStore>(
        _ part: BlobPart?, of blob: BlobReference, _ page: CloudPage, isFetch: Bool, _ store: inout S,
        _ now: Int64
    ) throws -> Output {
        guard let part, part.reference == blob, !part.bytes.isEmpty, part.end <= blob.size else {
            return try areAbsent([blob], page, isFetch: isFetch, &store, now)
        }
        let held = try store.keep(part)
        if held == 0 { progress.restarts += 1 }
        let attempts = retried?.contains(blob) == true ? 1 : SyncSettings.blobRestarts
        if progress.restarts >= attempts {
            unobtainable.insert(blob)
            damaged.insert(blob)
            return try getNextBlobs(page, isFetch: isFetch, &store, now)
        }
        return try getNextPart(of: blob, page, isFetch: isFetch, held: held, &store, now)
    }

    /// Requests the part after the received bytes.
    private mutating func getNextPart<S: DeviceStore>(
        of blob: BlobReference, _ page: CloudPage, isFetch: Bool, held: Int64, _ store: inout S, _ now: Int64
    ) throws -> Output {
        if held == blob.size { return try getNextBlobs(page, isFetch: isFetch, &store, now) }
        phase = .gettingPart(blob, page, isFetch: isFetch)
        return send(.getPart(blob, from: held))
    }

    /// Blobs are missing or damaged in the cloud. Their records may have been changed since the page was
    /// read, and the old blobs collected: then a page read now references others. Finally the sync continues
    /// without them.
    private mutating func areAbsent<S: DeviceStore>(
        _ absent: [BlobReference], _ page: CloudPage, isFetch: Bool, _ store: inout S, _ now: Int64
    ) throws -> Output {
        let isNew = absent.contains { retried?.contains($0) != true }
        if isNew { absences += 1 }
        if isNew, absences <= SyncSettings.blobRestarts {
            if store.header.token == nil { seen = [] }
            unobtainable.formUnion(absent.filter { retried?.contains($0) == true })
            retried = nil
            return pull(&store)
        }
        unobtainable.formUnion(absent)
        return try getNextBlobs(page, isFetch: isFetch, &store, now)
    }

    /// A record is not applied without its blobs: the next sync would interpret them as removed here. It
    /// waits, together with local edits, until it changes in the cloud or its blobs are complete; every sync
    /// requests them.
    private func holdsBack<S: DeviceStore>(_ record: CloudRecord, _ store: inout S) throws -> Bool {
        if let why = try store.obstacle(record.key) {
            if store.heldBack[record.key] != record {
                store.heldBack[record.key] = record
                try store.note(.heldBack, record.key, why)
            }
            return true
        }
        guard
            let blob = try record.version.blobs.first(where: { try isMissing($0, of: record, store) })
        else {
            store.heldBack[record.key] = nil
            return false
        }
        if store.heldBack[record.key] != record {
            store.heldBack[record.key] = record
            try store.note(.heldBack, record.key, Self.damaged(blob))
        }
        return true
    }

    /// Why a record waits for a blob.
    static func damaged(_ blob: BlobReference) -> String {
        "the cloud's copy of its photo or track of \(blob.size) bytes is missing or damaged"
    }

    private mutating func apply<S: DeviceStore>(
        _ page: CloudPage, isFetch: Bool, _ store: inout S, _ now: Int64
    ) throws -> Output {
        if let count = try tooManyDeletions(page, store) { return finish(.wouldDelete(count)) }
        store.header.account = page.lineage.origin
        if isFetch, firstFetchToken == nil, !isLegacy {
            // All remaining records are fetched again. Until that is complete no token covers them: the old
            // one, although expired, would be valid again in a copy of the zone.
            store.heldBack = [:]
            store.header.token = nil
        }
        if isFetch, isLegacy { fetchMarks += page.history } else { try note(page.history, &store) }
        try store.prepare(page.records.map(\.key))
        for record in page.records {
            if isFetch { seen.insert(record.key) }
            if try holdsBack(record, &store) { continue }
            if try applyRecord(record, page.lineage, &store, now) {
                counts.pulled += 1
                if record.version.isDeleted { counts.deleted += 1 }
            }
        }
        if isFetch { return try fetched(page, &store, now) }
        store.header.token = page.token
        try store.commit()
        if page.hasMore { return pull(&store) }
        return mode == .pull ? try end(&store) : try push(&store)
    }

    private mutating func fetched<S: DeviceStore>(
        _ page: CloudPage, _ store: inout S, _ now: Int64
    ) throws -> Output {
        if firstFetchToken == nil { firstFetchToken = page.token }
        if page.hasMore, let last = page.records.last {
            try store.commit()
            return fetch(after: last.key, &store)
        }
        let absent = try store.basedKeys(except: seen)
        if let count = try missingDeletions(absent, page.lineage, store) {
            return finish(.wouldDelete(count))
        }
        for key in absent {
            try missing(key, page.lineage, &store, now)
        }
        // Records changed while the pages were read follow with the changes after the first page.
        store.header.token = firstFetchToken
        firstFetchToken = nil
        seen = []
        try note(fetchMarks, &store)
        fetchMarks = []
        isLegacy = false
        try store.commit()
        return pull(&store)
    }

    /// A record missing in a full fetch.
    private mutating func missing<S: DeviceStore>(
        _ key: RecordKey, _ lineage: Lineage, _ store: inout S, _ now: Int64
    ) throws {
        guard var state = try store.state(key) else { return }
        if state.local.isDeleted, state.base?.isDeleted == true, !isLost(state, lineage) { return }
        if isLost(state, lineage) {
            state.base = nil
            state.tag = 0
            state.epoch = lineage.epoch
            state.pending = nil
            try store.set(state, for: key)
            try store.note(.sentAgain, key, "missing in the restored cloud")
        } else {
            try IncomingChange.forget(key, in: &store, now: now, rule: rule)
            counts.deleted += 1
        }
    }

    /// Whether a record was saved in a history that the cloud no longer has.
    private func isLost(_ state: SyncedRecordState, _ lineage: Lineage) -> Bool {
        isLegacy && state.epoch != lineage.epoch && state.tag > lineage.shared(with: state.epoch)
    }

    private func applyRecord<S: DeviceStore>(
        _ record: CloudRecord, _ lineage: Lineage, _ store: inout S, _ now: Int64
    ) throws -> Bool {
        try IncomingChange.apply(
            record, lineage: lineage, isLegacy: isLegacy, into: &store, now: now, rule: rule)
    }

    private func tooManyDeletions<S: DeviceStore>(_ page: CloudPage, _ store: S) throws -> Int? {
        if mayDeleteMany { return nil }
        var count = 0
        for record in page.records where record.version.isDeleted {
            if let state = try store.state(record.key), !state.local.isDeleted { count += 1 }
        }
        let deletions = count + counts.deleted
        return try Self.isMass(deletions, of: store.liveCount() + counts.deleted) ? deletions : nil
    }

    private func missingDeletions<S: DeviceStore>(
        _ absent: [RecordKey], _ lineage: Lineage, _ store: S
    ) throws -> Int? {
        if mayDeleteMany { return nil }
        var count = 0
        for key in absent {
            guard let state = try store.state(key), !state.local.isDeleted else {
                continue
            }
            if !isLost(state, lineage) { count += 1 }
        }
        return try Self.isMass(count, of: store.liveCount()) ? count : nil
    }

    /// Whether the number of deletions is more than a user makes by hand. Records are counted only if that
    /// decides.
    static func isMass(_ deletions: Int, of all: @autoclosure () throws -> Int) rethrows -> Bool {
        try deletions >= SyncSettings.fewDeletions
            && Double(deletions) > Double(all()) * SyncSettings.massDeletion
    }

    // MARK: Pushing

    private mutating func push<S: DeviceStore>(_ store: inout S) throws -> Output {
        let keys = try store.outbox(limit: batch)
        if keys.isEmpty || idleBatches >= SyncSettings.settlingRounds { return try end(&store) }
        sent = []
        blobs = []
        for key in keys {
            guard var state = try store.state(key) else { continue }
            if let why = Self.excess(state.pending?.version ?? state.local) {
                try park(key, &state, why, &store)
                continue
            }
            let operation = prepare(key, &state, &store.header)
            for blob in operation.version.blobs {
                let isKnown = state.base?.blobs.contains(blob) ?? false
                if !isKnown || withoutBlob.contains(key), !blobs.contains(where: { $0.reference == blob }) {
                    blobs.append((blob, key))
                }
            }
            try store.set(state, for: key)
            sent.append(operation)
        }
        if sent.isEmpty { return try push(&store) }
        withoutBlob = []
        // Operations are durable before they are sent: sent again after a crash, they are identical.
        try store.commit()
        token = store.header.token ?? ChangeToken(epoch: 0, number: 0)
        witness = store.header.witness
        return try sendNextBlobs(store)
    }

    /// Parks a record that the cloud rejects permanently; the others continue.
    private mutating func park<S: DeviceStore>(
        _ key: RecordKey, _ state: inout SyncedRecordState, _ why: String, _ store: inout S
    ) throws {
        counts.parked += 1
        state.parked = .rejected(why)
        state.pending = nil
        try store.set(state, for: key)
        try store.note(.parked, key, why)
    }

    /// Why a version is too large for any cloud and is not sent.
    static func excess(_ version: Version) -> String? {
        let size = version.fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount }
        if size > SyncSettings.largestRecord {
            return "the record has \(size) bytes; the maximum is \(SyncSettings.largestRecord)"
        }
        guard let blob = version.blobs.first(where: { $0.size > SyncSettings.largestBlob }) else {
            return nil
        }
        return "its photo or track has \(blob.size) bytes; the maximum is \(SyncSettings.largestBlob)"
    }

    private func prepare(_ key: RecordKey, _ state: inout SyncedRecordState, _ header: inout DeviceHeader)
        -> SaveOperation
    {
        let pending =
            state.pending
            ?? Pending(
                id: OperationID(device: header.device, number: header.nextOperation), baseTag: state.tag,
                version: state.local)
        if state.pending == nil { header.nextOperation += 1 }
        state.pending = pending
        return SaveOperation(
            id: pending.id, key: key, baseTag: pending.baseTag, version: pending.version)
    }

    /// The next blobs; when all are sent, the records that reference them.
    private mutating func sendNextBlobs<S: DeviceStore>(_ store: S) throws -> Output {
        while let next = blobs.first {
            if next.reference.isLarge {
                blobs.removeFirst()
                // Bytes already in the cloud are not sent: another device may have the same photo.
                progress = (held: -1, restarts: 0)
                phase = .puttingPart(next.reference, next.key)
                return send(.putPart(BlobPart(reference: next.reference, offset: 0, bytes: [])))
            }
            // Read late, so that only a few are in memory at a time.
            let group = try Self.nextGroup(&blobs) { $0.reference.size }
                .compactMap { try store.blob($0.reference, of: $0.key) }
            if group.isEmpty { continue }
            phase = .puttingBlobs
            return send(.putBlobs(group))
        }
        return sendOperations()
    }

    /// Sends the part after the bytes that the cloud has. A blob that was given up or that the record no
    /// longer contains is reported as missing when the record is saved, which triggers the handling.
    private mutating func sendNextPart<S: DeviceStore>(
        _ blob: BlobReference, _ key: RecordKey, held: Int64, _ store: S
    ) throws -> Output {
        if held <= progress.held { progress.restarts += 1 }
        progress.held = held
        guard held < blob.size, progress.restarts <= SyncSettings.blobRestarts,
            let part = try store.part(of: blob, in: key, from: held)
        else { return try sendNextBlobs(store) }
        return send(.putPart(part))
    }

    private mutating func sendOperations() -> Output {
        phase = .pushing
        return send(.save(token: token, witness: witness, operations: sent))
    }

    private mutating func saved<S: DeviceStore>(
        _ results: [SaveResult], _ mark: HistoryMark?, _ store: inout S, _ now: Int64
    ) throws -> Output {
        var isProgress = false
        var isReused = false
        if let mark { try note([mark], &store) }
        for (operation, result) in zip(sent, results) {
            guard var state = try store.state(operation.key) else { continue }
            let isAwaited = state.pending?.id == operation.id
            switch result {
            case .saved(let tag), .duplicate(let tag):
                // An answer to an abandoned operation does not concern the current one.
                guard isAwaited else { continue }
                isProgress = true
                counts.pushed += 1
                try acknowledge(operation, tag, &state, &store)
            case .refused(let record):
                guard isAwaited else { continue }
                counts.refused += 1
                try store.note(.refused, operation.key, "the cloud has another version")
                try refused(operation, record, &store, now)
            case .reused:
                if !isReused { try store.note(.renewed, operation.key, Self.copied) }
                isReused = true
            case .missingBlob:
                withoutBlob.insert(operation.key)
                guard isAwaited else { continue }
                // Certainly not performed. The blob may have been removed here as well: then the current
                // content is sent.
                state.pending = nil
                try store.set(state, for: operation.key)
            case .rejected(let why):
                try park(operation.key, &state, why, &store)
            }
        }
        if isReused {
            counts.renewals += 1
            try store.renew()
        }
        idleBatches = isProgress ? 0 : idleBatches + 1
        if needsPull, idleBatches < SyncSettings.settlingRounds {
            needsPull = false
            try store.commit()
            return pull(&store)
        }
        // Durable together with what is sent next: if a crash loses the answer, it is sent again.
        return try push(&store)
    }

    private static let copied =
        "the cloud has other data for operations of this device: its data is a copy; it got a new identity"

    private func acknowledge<S: DeviceStore>(
        _ operation: SaveOperation, _ tag: Int64, _ state: inout SyncedRecordState, _ store: inout S
    ) throws {
        // The sent version is saved. Later edits differ from it and remain to be sent.
        if state.base != nil { state.remember() }
        state.base = state.pending?.version
        state.pending = nil
        state.tag = tag
        state.epoch = store.header.token?.epoch ?? 0
        try store.set(state, for: operation.key)
        // A late answer is about an older version than the one that waits for its photo.
        if let held = store.heldBack[operation.key], held.tag <= tag { store.heldBack[operation.key] = nil }
        // If the change directly follows the position, nothing between the two was skipped.
        if let token = store.header.token, tag == token.number + 1 {
            store.header.token = ChangeToken(epoch: token.epoch, number: tag)
        }
    }

    private mutating func refused<S: DeviceStore>(
        _ operation: SaveOperation, _ record: CloudRecord?, _ store: inout S, _ now: Int64
    ) throws {
        guard let record else {
            return try IncomingChange.forget(operation.key, in: &store, now: now, rule: rule)
        }
        if let why = try store.obstacle(operation.key), var state = try store.state(operation.key) {
            _ = try holdsBack(record, &store)
            state.pending = nil
            state.parked = .exhausted
            try store.set(state, for: operation.key)
            return try store.note(.parked, operation.key, "cannot be merged yet: \(why)")
        }
        // Blobs that the record references must be here first: they are downloaded by the next pull.
        for blob in record.version.blobs where try !store.has(blob) {
            guard var state = try store.state(operation.key) else { return }
            state.pending = nil
            if let held = store.heldBack[operation.key], held.tag >= record.tag {
                counts.parked += 1
                state.parked = .exhausted
                try store.note(.parked, operation.key, "cannot be merged yet: \(Self.damaged(blob))")
            } else {
                needsPull = true
            }
            try store.set(state, for: operation.key)
            return
        }
        let epoch = store.header.token?.epoch ?? 0
        let lineage = Lineage(starts: [EpochStart(epoch: epoch, number: 0)])
        _ = try applyRecord(record, lineage, &store, now)
    }

    // MARK: Parts

    private mutating func send(_ request: CloudRequest) -> Output {
        self.request = request
        requestNumber += 1
        attempt = 0
        return .send(request)
    }

    /// Ends before everything was sent. The time of the user's edits is stored all the same.
    private mutating func stop<S: DeviceStore>(_ ending: Ending, _ store: inout S) throws -> Output {
        try store.keepEdits()
        try store.commit()
        return finish(ending)
    }

    private mutating func end<S: DeviceStore>(_ store: inout S) throws -> Output {
        try store.commit()
        counts.heldBack = store.heldBack.count
        if damaged.isEmpty { return try report(store) }
        // Blobs that the cloud drops can be uploaded again by a device that has them.
        phase = .verifyingBlobs
        return send(.lacks(damaged.sorted(), looksInside: true))
    }

    private mutating func report<S: DeviceStore>(_ store: S) throws -> Output {
        if reports, let token = store.header.token, token != startToken, try store.outbox(limit: 1).isEmpty {
            phase = .reporting
            let next = try store.oldestPending() ?? store.header.nextOperation
            return send(.report(Watermark(device: store.header.device, token: token, settled: next - 1)))
        }
        return finish(.done)
    }

    private mutating func finish(_ ending: Ending) -> Output {
        phase = .idle
        request = nil
        return .finished(ending)
    }
}

/// The counts of a sync.
package struct SyncCounts: Hashable, Sendable {
    /// Records that the cloud acknowledged.
    package var pushed = 0
    /// Received records that changed something.
    package var pulled = 0
    /// Records deleted here.
    var deleted = 0
    /// Saves refused because the cloud had another version.
    var refused = 0
    /// Records parked because the cloud rejected them permanently.
    var parked = 0
    /// Records that wait for photos or tracks.
    package var heldBack = 0
    /// How often the device got a new identity.
    package var renewals = 0
    /// How often the cloud had a different history.
    package var rewinds = 0

    package init() {}
}
