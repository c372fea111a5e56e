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

    var phase = Phase.idle
    /// The request that awaits an answer.
    var request: CloudRequest?
    /// The number of that request; answers to others are stale.
    var requestNumber: UInt64 = 0
    var counts = SyncCounts()
    var mode = Mode.now
    var attempt = 0
    var sent: [SaveOperation] = []
    /// Blobs to send, and the records from which they are read when their turn comes.
    var blobs: [(reference: BlobReference, key: RecordKey)] = []
    /// Blobs still missing for a page, and the requested ones.
    var missing: [BlobReference] = []
    var requested: [BlobReference] = []
    /// The number of bytes of a large blob that the cloud had in its last answer, and how often it did not
    /// grow.
    var progress = (held: Int64(-1), restarts: 0)
    /// Records whose blobs the cloud must store although the base references them too.
    var withoutBlob: Set<RecordKey> = []
    var seen: Set<RecordKey> = []
    var idleBatches = 0
    /// The token of the first page of a full fetch.
    var firstFetchToken: ChangeToken?
    /// The device's position when it sent its operations.
    var token = ChangeToken(epoch: 0, number: 0)
    var witness: HistoryMark?
    /// Whether this device has read the zone without storing marks, as an older version did: then only epochs
    /// show which of its records a restored zone lacks.
    var isLegacy = false
    /// The marks of such a device's full fetch, stored when it is complete.
    var fetchMarks: [HistoryMark] = []
    /// How often the zone had a different history.
    var rewinds = 0
    /// The position when this sync began.
    var startToken: ChangeToken?
    /// The oldest operation without a known answer when this sync began.
    var startPending: UInt64?
    /// How often a requested blob was missing in the cloud.
    var absences = 0
    /// Unavailable blobs: their records are held back.
    var unobtainable: Set<BlobReference> = []
    /// Those of them received with wrong bytes.
    var damaged: Set<BlobReference> = []
    /// The blobs of records held back by earlier syncs, once they have been retried in this sync.
    var retried: Set<BlobReference>?
    /// Whether a refused record references a blob that must be downloaded first.
    var needsPull = false

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
        startPending = try store.oldestPending()
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
        try commit(&store)
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
        case (.reporting, _): return try reported(&store)
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
        // Everything is done; the next sync reports a newer position. What was given up is reported until the cloud knows it.
        if case .reporting = phase, case .transient = failure, store.header.owesReport,
            attempt + 1 < SyncSettings.attempts
        {
            attempt += 1
            return .wait(seconds: SyncSettings.delay(after: attempt))
        }
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
        startPending = nil
        requestNumber += 1
    }

    // MARK: Parts

    mutating func send(_ request: CloudRequest) -> Output {
        self.request = request
        requestNumber += 1
        attempt = 0
        return .send(request)
    }

    /// Ends before everything was sent. The time of the user's edits is stored all the same.
    mutating func stop<S: DeviceStore>(_ ending: Ending, _ store: inout S) throws -> Output {
        try store.keepEdits()
        try commit(&store)
        return finish(ending)
    }

    mutating func end<S: DeviceStore>(_ store: inout S) throws -> Output {
        try commit(&store)
        counts.heldBack = store.heldBack.count
        if damaged.isEmpty { return try report(store) }
        // Blobs that the cloud drops can be uploaded again by a device that has them.
        phase = .verifyingBlobs
        return send(.lacks(damaged.sorted(), looksInside: true))
    }

    mutating func report<S: DeviceStore>(_ store: S) throws -> Output {
        guard reports, let token = store.header.token, try store.outbox(limit: 1).isEmpty else {
            return finish(.done)
        }
        // An operation that was given up may still arrive: only the report tells the cloud that it must not be performed.
        if token != startToken || store.header.owesReport {
            phase = .reporting
            let next = try store.oldestPending() ?? store.header.nextOperation
            return send(.report(Watermark(device: store.header.device, token: token, settled: next - 1)))
        }
        return finish(.done)
    }

    mutating func reported<S: DeviceStore>(_ store: inout S) throws -> Output {
        if store.header.owesReport {
            store.header.owesReport = false
            try store.commit()
        }
        return finish(.done)
    }

    /// Makes everything durable, and with it that an operation was given up: a report that a crash prevents, or that is lost, is
    /// owed to the next sync.
    func commit<S: DeviceStore>(_ store: inout S) throws {
        if let startPending, !store.header.owesReport, try store.oldestPending() != startPending {
            store.header.owesReport = true
        }
        try store.commit()
    }

    mutating func finish(_ ending: Ending) -> Output {
        phase = .idle
        request = nil
        return .finished(ending)
    }
}
