/// One sync of one device, as a state machine without input or output: it returns requests for the cloud and
/// receives the answers. Its state ends with the process; whatever must survive is in the device's store.
///
/// The same code runs in the simulator, which loses, repeats and delays messages, and in `sync now`.
package struct SyncMachine: Sendable {
    /// The direction of a sync.
    package enum Mode: String, Sendable, CaseIterable {
        /// Applies new changes of the cloud.
        case pull
        /// Sends the outbox.
        case push
        /// First the one, then the other.
        case now
    }

    /// The next step.
    enum Output: Sendable {
        /// Ask the cloud.
        case send(CloudRequest)
        /// Wait, then ask the same again.
        case wait(seconds: Double)
        /// It is over.
        case finished(Ending)
    }

    /// How a sync ended.
    enum Ending: Hashable, Sendable {
        /// As it should.
        case done
        /// All attempts failed.
        case exhausted(String)
        /// The cloud refused for good.
        case failed(String)
        /// It would delete this many records, which the caller has not allowed.
        case wouldDelete(Int)
        /// The zone belongs to another account than the records here. Nothing was sent or taken.
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
        /// Whether it is the right zone, before anything is sent.
        case checking
        /// Whether the cloud finds damaged what this device has found damaged.
        case doubting
        /// How far this device has read.
        case reporting
        /// Up to where the history here and the zone's are one.
        case findingCommon
    }

    let rule: SyncRule
    /// Most operations in a request.
    let batch: Int
    /// Most records in a page.
    let page: Int
    /// Whether it may delete as many records as it has to.
    var mayDeleteMany = false
    /// Whether it tells the cloud how far it has read and what it knows the answers to, so that the cloud may forget.
    var reports = false

    private(set) var phase = Phase.idle
    /// The request that an answer is awaited for.
    private(set) var request: CloudRequest?
    /// The number of that request; answers to others are stale.
    private(set) var requestNumber: UInt64 = 0
    private(set) var counts = SyncCounts()
    private var mode = Mode.now
    private var attempt = 0
    private var sent: [SaveOperation] = []
    /// Blobs to send, and the records that they are read from when their turn comes.
    private var blobs: [(reference: BlobReference, key: RecordKey)] = []
    /// Blobs that are still to be got for a page, and those that are asked for.
    private var missing: [BlobReference] = []
    private var asked: [BlobReference] = []
    /// How many bytes of a large blob the cloud had by its last answer, and how often they became no more.
    private var progress = (held: Int64(-1), restarts: 0)
    /// Records whose blobs the cloud is asked to keep although the base names them too.
    private var withoutBlob: Set<RecordKey> = []
    private var seen: Set<RecordKey> = []
    private var idleBatches = 0
    /// The token of the first page of a full fetch.
    private var firstFetchToken: ChangeToken?
    /// How far the device had read when it sent its operations.
    private var token = ChangeToken(epoch: 0, number: 0)
    private var witness: HistoryMark?
    /// Whether this device has read the zone without noting marks, as an older version did: then epochs alone tell which of its
    /// records a restored zone lacks.
    private var isLegacy = false
    /// The marks of a full fetch of such a device, which are noted when it is complete.
    private var fetchMarks: [HistoryMark] = []
    /// How often the zone was found to have another history.
    private var rewinds = 0
    /// How far the zone was read when this sync began.
    private var startToken: ChangeToken?
    /// How often a blob was asked for that the cloud did not have.
    private var absences = 0
    /// Blobs that cannot be had: their records are held back.
    private var unobtainable: Set<BlobReference> = []
    /// Those among them of which wrong bytes came.
    private var damaged: Set<BlobReference> = []
    /// The blobs of records that were held back by earlier syncs, once they have their turn in this one.
    private var retried: Set<BlobReference>?
    /// Whether a refused record names a blob that has to be got first.
    private var needsPull = false

    init(rule: SyncRule, batch: Int = SyncSettings.batch, page: Int = SyncSettings.page) {
        self.rule = rule
        self.batch = batch
        self.page = page
    }

    /// Whether a sync runs.
    var isRunning: Bool { if case .idle = phase { false } else { true } }

    /// Whether it awaits the answer to a save.
    var isPushing: Bool { if case .pushing = phase { true } else { false } }

    // MARK: Events

    /// Starts; first moves the edits of the app's store to the outbox.
    mutating func start<S: DeviceStore>(_ mode: Mode, in store: inout S, now: Int64) throws -> Output {
        reset()
        self.mode = mode
        startToken = store.header.token
        // A zone that was empty when it was read has no marks either.
        isLegacy = store.header.witness == nil && (store.header.token?.number ?? 0) > 0
        // What comes in is held against the row it meets anyway: a pull need not look at the whole store.
        for key in try mode == .pull ? store.intentKeys() : store.changedKeys() {
            let (_, state) = try LocalChangeDetector.record(key, in: &store, now: now, rule: rule)
            if var state, state.parked == .exhausted {
                state.parked = nil
                try store.set(state, for: key)
            }
        }
        try store.commit()
        // Tags and tokens mean something in an epoch only: one that is not known yet is asked for first.
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
            let absent = try asked.filter { try !store.has($0) }
            damaged.formUnion(blobs.lazy.map(\.reference).filter(absent.contains))
            return try areAbsent(absent, page, isFetch: isFetch, &store, now)
        case (.gettingPart(let blob, let page, let isFetch), .part(let part)):
            return try got(part, of: blob, page, isFetch: isFetch, &store, now)
        case (.puttingBlobs, .stored): return try sendNextBlobs(store)
        case (.puttingPart(let blob, let key), .received(let held)):
            return try sendNextPart(blob, key, held: held, store)
        case (.pushing, .saved(let results, let mark)): return try saved(results, mark, &store, now)
        case (.doubting, _): return try report(store)
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
        default: return try stop(.failed("the cloud answered something else than it was asked"), &store)
        }
    }

    /// The request failed. Tries again after a pause, up to the number of attempts.
    mutating func failed<S: DeviceStore>(_ failure: CloudFailure, in store: inout S) throws -> Output {
        // Everything is done; the next sync tells.
        switch phase {
        case .doubting, .reporting: return finish(.done)
        default: break
        }
        switch failure {
        case .permanent(let why): return try stop(.failed(why), &store)
        case .transient(let why):
            attempt += 1
            if attempt < SyncSettings.attempts {
                return .wait(seconds: SyncSettings.firstDelay * Double(1 << (attempt - 1)))
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

    /// The request once more, after a pause. It gets another number: an answer to the first is stale.
    mutating func again() -> CloudRequest? {
        requestNumber += 1
        return request
    }

    /// Forgets everything, as when the process dies. The numbers of requests go on, so that no answer to an earlier
    /// process is taken for one to this.
    mutating func reset() {
        phase = .idle
        request = nil
        counts = SyncCounts()
        attempt = 0
        sent = []
        blobs = []
        missing = []
        asked = []
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

    /// The account of a zone, if it is not the one that the records here are of.
    private static func otherAccount(_ lineage: Lineage, _ header: DeviceHeader) -> UInt64? {
        if let account = header.account { return account == lineage.origin ? nil : lineage.origin }
        // Not yet noted by an older version: a history that goes on is the same zone's.
        guard let token = header.token, !lineage.starts.contains(where: { $0.epoch == token.epoch }) else {
            return nil
        }
        return lineage.origin
    }

    private mutating func diverged<S: DeviceStore>(_ lineage: Lineage, _ store: inout S) throws -> Output {
        if let other = Self.otherAccount(lineage, store.header) { return finish(.otherAccount(other)) }
        rewinds += 1
        if rewinds > SyncSettings.settlingRounds {
            return try stop(.failed("the cloud's history changes again and again"), &store)
        }
        seen = []
        firstFetchToken = nil
        fetchMarks = []
        phase = .findingCommon
        return send(.common(try store.rememberedMarks(limit: SyncSettings.marksAsked)))
    }

    /// The cloud was put back from a copy, and maybe written to since. What this device saved or read after the last moment that
    /// both know counts as not sent: it is sent again, or merged with what has taken its place.
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
        // Of a record that changed again after what was read, this device never saw the version that the zone is back at: the
        // changes after the common moment do not bring it, reading everything does.
        store.header.token = nil
        store.header.witness = common
        try store.forgetMarks(after: number)
        try store.commit()
        return pull(&store)
    }

    private static let putBack = "the cloud was restored from a copy that does not have it"

    /// A base that came over the watch link is part of the history that its sender knew. This device's own mark says nothing about
    /// that one: the zone may have been put back since the sender read it, or be another's. Where it cannot be told that both are
    /// one the base is none. Else a record that the zone lost would count as deleted, and an older version of it as a newer one.
    private func dropForeignBases<S: DeviceStore>(_ history: [HistoryMark], _ store: inout S) throws {
        var known: Set<HistoryMark>?
        for key in try store.basedKeys(except: []) {
            guard var state = try store.state(key), state.isBorrowed else { continue }
            let marks =
                try known ?? Set(history + store.rememberedMarks(limit: SyncSettings.marksAsked))
            known = marks
            if let mark = state.link?.mark, marks.contains(mark) { continue }
            state.base = nil
            try store.set(state, for: key)
            try store.note(.sentAgain, key, Self.foreign)
        }
    }

    private static let foreign =
        "it came over the watch link from a device that is not known to have read the same history of the cloud"

    /// Notes which moments of the zone's history were passed.
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
        // A zone that is put back between two pages must be noticed as well.
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

    /// The blobs of a page that are not here. A page with many is cut, as if the cloud had answered with fewer records: what
    /// comes in waits outside its rows until the page is applied.
    private func needed<S: DeviceStore>(
        by page: inout CloudPage, isFetch: Bool, _ store: S
    ) throws -> [BlobReference] {
        var needed: [BlobReference] = []
        var known: Set<BlobReference> = []
        var size: Int64 = 0
        for (index, record) in page.records.enumerated() {
            // What the row has need not come again.
            let own = try record.version.blobs.filter { blob in
                try !known.contains(blob) && !unobtainable.contains(blob)
                    && isMissing(blob, of: record, store)
            }
            size += own.reduce(0) { $0 + $1.size }
            if size > SyncSettings.mostStaged, !needed.isEmpty, let last = page.records[..<index].last {
                page.records.removeSubrange(index...)
                // What was held back was passed long ago.
                if !isFetch { page.token.number = max(last.tag, store.header.token?.number ?? 0) }
                page.hasMore = true
                break
            }
            for blob in own where known.insert(blob).inserted { needed.append(blob) }
        }
        return needed
    }

    /// Whether a record needs a blob that neither waits here nor is in its row.
    private func isMissing<S: DeviceStore>(
        _ blob: BlobReference, of record: CloudRecord, _ store: S
    ) throws -> Bool {
        if try store.has(blob) { return false }
        guard let state = try store.state(record.key) else { return true }
        // Of a version that is known nothing is taken.
        return !state.local.blobs.contains(blob) && (isLegacy || state.base != record.version)
    }

    /// Asks for the next few blobs of a page, and when there are none left, applies it.
    private mutating func getNextBlobs<S: DeviceStore>(
        _ page: CloudPage, isFetch: Bool, _ store: inout S, _ now: Int64
    ) throws -> Output {
        if let large = missing.first, large.isLarge {
            missing.removeFirst()
            progress = (held: -1, restarts: 0)
            return try getNextPart(
                of: large, page, isFetch: isFetch, held: store.received(large), &store, now)
        }
        asked = Self.nextGroup(&missing) { $0.size }
        if asked.isEmpty { return try apply(page, isFetch: isFetch, &store, now) }
        phase = .gettingBlobs(page, isFetch: isFetch)
        return send(.getBlobs(asked))
    }

    /// Takes as many from the front as go together; at least one.
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

    /// Asks for what comes after the bytes that are here.
    private mutating func getNextPart<S: DeviceStore>(
        of blob: BlobReference, _ page: CloudPage, isFetch: Bool, held: Int64, _ store: inout S, _ now: Int64
    ) throws -> Output {
        if held == blob.size { return try getNextBlobs(page, isFetch: isFetch, &store, now) }
        phase = .gettingPart(blob, page, isFetch: isFetch)
        return send(.getPart(blob, from: held))
    }

    /// The cloud does not have blobs, or they are damaged. Their records may have been changed since the page was read, and what they
    /// named collected: then a page that is read now names others. In the end they are done without.
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

    /// A record is not taken without its blobs: the next sync would take them for removed here. It waits, with what was edited here
    /// meanwhile, until it changes in the cloud or its blobs are whole; every sync asks for them.
    private func holdsBack<S: DeviceStore>(_ record: CloudRecord, _ store: inout S) throws -> Bool {
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
            // Whatever is still there comes again. Until all has come no token covers it: the old one, although expired, is valid once more
            // in a copy of the zone.
            store.heldBack = [:]
            store.header.token = nil
        }
        if isFetch, isLegacy { fetchMarks += page.history } else { try note(page.history, &store) }
        try store.prepare(page.records.map(\.key))
        for record in page.records {
            if isFetch { seen.insert(record.key) }
            if try holdsBack(record, &store) { continue }
            if try take(record, page.lineage, &store, now) {
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
        // What changed while the pages were read comes with the changes after the first page.
        store.header.token = firstFetchToken
        firstFetchToken = nil
        seen = []
        try note(fetchMarks, &store)
        fetchMarks = []
        isLegacy = false
        try store.commit()
        return pull(&store)
    }

    /// A record that a full fetch did not bring.
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
            try store.note(.sentAgain, key, "the cloud was restored from a copy that does not have it")
        } else {
            try Application.forget(key, in: &store, now: now, rule: rule)
            counts.deleted += 1
        }
    }

    /// Whether a record was saved in a history that the cloud no longer has.
    private func isLost(_ state: SyncedRecordState, _ lineage: Lineage) -> Bool {
        isLegacy && state.epoch != lineage.epoch && state.tag > lineage.shared(with: state.epoch)
    }

    private func take<S: DeviceStore>(
        _ record: CloudRecord, _ lineage: Lineage, _ store: inout S, _ now: Int64
    ) throws -> Bool {
        try Application.take(
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

    /// Whether so many deletions of so many records are more than one does by hand. The records are counted only where that
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
        // What is sent is durable before it goes: sent again after a crash, it is the same operation.
        try store.commit()
        token = store.header.token ?? ChangeToken(epoch: 0, number: 0)
        witness = store.header.witness
        return try sendNextBlobs(store)
    }

    /// Lets a record wait that the cloud refuses for good; the others go on.
    private mutating func park<S: DeviceStore>(
        _ key: RecordKey, _ state: inout SyncedRecordState, _ why: String, _ store: inout S
    ) throws {
        counts.parked += 1
        state.parked = .rejected(why)
        state.pending = nil
        try store.set(state, for: key)
        try store.note(.parked, key, why)
    }

    /// Why a version is too large for any cloud; it is then not sent at all.
    static func excess(_ version: Version) -> String? {
        let size = version.fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount }
        if size > SyncSettings.largestRecord {
            return "the record has \(size) bytes; \(SyncSettings.largestRecord) are allowed"
        }
        guard let blob = version.blobs.first(where: { $0.size > SyncSettings.largestBlob }) else {
            return nil
        }
        return "its photo or track has \(blob.size) bytes; \(SyncSettings.largestBlob) are allowed"
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

    /// The next few blobs, and when there are none left, the records that name them.
    private mutating func sendNextBlobs<S: DeviceStore>(_ store: S) throws -> Output {
        while let next = blobs.first {
            if next.reference.isLarge {
                blobs.removeFirst()
                // What the cloud has of it need not be sent: another device may have the same photo.
                progress = (held: -1, restarts: 0)
                phase = .puttingPart(next.reference, next.key)
                return send(.putPart(BlobPart(reference: next.reference, offset: 0, bytes: [])))
            }
            // Read only now: a few are in memory at a time.
            let group = try Self.nextGroup(&blobs) { $0.reference.size }
                .compactMap { try store.blob($0.reference, of: $0.key) }
            if group.isEmpty { continue }
            phase = .puttingBlobs
            return send(.putBlobs(group))
        }
        return sendOperations()
    }

    /// Sends what comes after the bytes that the cloud has. One that is given up, or that the record does not hold any more, is
    /// missing when the record comes, which tells what is to be done.
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
                // An answer about an operation that was given up since says nothing about the present one.
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
                // Surely not done. The blob may be gone here as well by now: then what is here now is sent.
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
        // Durable together with what is sent next: an answer that a crash forgets is given again.
        return try push(&store)
    }

    private static let copied =
        "operations of this device were done with other contents, or long ago: its data is a copy; it got a new identity"

    private func acknowledge<S: DeviceStore>(
        _ operation: SaveOperation, _ tag: Int64, _ state: inout SyncedRecordState, _ store: inout S
    ) throws {
        // The sent version is saved. Later edits still differ from it and remain to be sent.
        if state.base != nil { state.remember() }
        state.base = state.pending?.version
        state.pending = nil
        state.tag = tag
        state.epoch = store.header.token?.epoch ?? 0
        try store.set(state, for: operation.key)
        // An answer that comes late is about an older version than the one that waits for its photo.
        if let held = store.heldBack[operation.key], held.tag <= tag { store.heldBack[operation.key] = nil }
        // The change right after what was read is this one: nothing between the two was skipped.
        if let token = store.header.token, tag == token.number + 1 {
            store.header.token = ChangeToken(epoch: token.epoch, number: tag)
        }
    }

    private mutating func refused<S: DeviceStore>(
        _ operation: SaveOperation, _ record: CloudRecord?, _ store: inout S, _ now: Int64
    ) throws {
        guard let record else {
            return try Application.forget(operation.key, in: &store, now: now, rule: rule)
        }
        // What the record names must be here before the record is: its blobs come with the next pull.
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
        _ = try take(record, lineage, &store, now)
    }

    // MARK: Parts

    private mutating func send(_ request: CloudRequest) -> Output {
        self.request = request
        requestNumber += 1
        attempt = 0
        return .send(request)
    }

    /// Ends without having sent everything. When the user edited what is known by now all the same.
    private mutating func stop<S: DeviceStore>(_ ending: Ending, _ store: inout S) throws -> Output {
        try store.keepEdits()
        try store.commit()
        return finish(ending)
    }

    private mutating func end<S: DeviceStore>(_ store: inout S) throws -> Output {
        try store.commit()
        counts.heldBack = store.heldBack.count
        if damaged.isEmpty { return try report(store) }
        // What it drops it will take from whoever sends it again.
        phase = .doubting
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
    /// Records that came in and changed something.
    package var pulled = 0
    /// Records that were deleted here.
    var deleted = 0
    /// Saves that were refused because the cloud had another version.
    var refused = 0
    /// Records that wait because the cloud refused them for good.
    var parked = 0
    /// Records that wait for photos or tracks.
    package var heldBack = 0
    /// How often the device got another identity.
    package var renewals = 0
    /// How often the cloud was found to have another history.
    package var rewinds = 0

    package init() {}
}
