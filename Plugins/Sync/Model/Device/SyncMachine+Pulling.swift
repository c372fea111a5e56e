// Pulling: pages of changes and full fetches, the blobs that they need, and what is held back.

extension SyncMachine {
    mutating func pull<S: DeviceStore>(_ store: inout S) -> Output {
        guard let token = store.header.token else { return fetch(after: nil, &store) }
        phase = .pulling
        return send(.changes(since: token, witness: store.header.witness, limit: page))
    }

    mutating func fetch<S: DeviceStore>(after key: RecordKey?, _ store: inout S) -> Output {
        phase = .fetching
        // A zone restored between two pages must be detected as well.
        return send(.fetch(after: key, witness: fetchMarks.last ?? store.header.witness, limit: page))
    }

    mutating func arrived<S: DeviceStore>(
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
    func needed<S: DeviceStore>(
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
    func isMissing<S: DeviceStore>(
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
    mutating func getNextBlobs<S: DeviceStore>(
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
    static func nextGroup<T>(_ all: inout [T], size: (T) -> Int64) -> [T] {
        var total: Int64 = 0
        let count = all.prefix { item in
            defer { total += size(item) }
            return total == 0 || total + size(item) <= Int64(SyncSettings.blobPart)
        }.count
        defer { all.removeFirst(count) }
        return Array(all.prefix(count))
    }

    mutating func got<S: DeviceStore>(
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
    mutating func getNextPart<S: DeviceStore>(
        of blob: BlobReference, _ page: CloudPage, isFetch: Bool, held: Int64, _ store: inout S, _ now: Int64
    ) throws -> Output {
        if held == blob.size { return try getNextBlobs(page, isFetch: isFetch, &store, now) }
        phase = .gettingPart(blob, page, isFetch: isFetch)
        return send(.getPart(blob, from: held))
    }

    /// Blobs are missing or damaged in the cloud. Their records may have been changed since the page was
    /// read, and the old blobs collected: then a page read now references others. Finally the sync continues
    /// without them.
    mutating func areAbsent<S: DeviceStore>(
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
    func holdsBack<S: DeviceStore>(_ record: CloudRecord, _ store: inout S) throws -> Bool {
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

    mutating func apply<S: DeviceStore>(
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
        try commit(&store)
        if page.hasMore { return pull(&store) }
        return mode == .pull ? try end(&store) : try push(&store)
    }

    mutating func fetched<S: DeviceStore>(
        _ page: CloudPage, _ store: inout S, _ now: Int64
    ) throws -> Output {
        if firstFetchToken == nil { firstFetchToken = page.token }
        if page.hasMore, let last = page.records.last {
            try commit(&store)
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
        try commit(&store)
        return pull(&store)
    }

    /// A record missing in a full fetch.
    mutating func missing<S: DeviceStore>(
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
            if try IncomingChange.forget(key, in: &store, now: now, rule: rule) { counts.deleted += 1 }
        }
    }

    /// Whether a record was saved in a history that the cloud no longer has.
    func isLost(_ state: SyncedRecordState, _ lineage: Lineage) -> Bool {
        isLegacy && state.epoch != lineage.epoch && state.tag > lineage.shared(with: state.epoch)
    }

    func applyRecord<S: DeviceStore>(
        _ record: CloudRecord, _ lineage: Lineage, _ store: inout S, _ now: Int64
    ) throws -> Bool {
        try IncomingChange.apply(
            record, lineage: lineage, isLegacy: isLegacy, into: &store, now: now, rule: rule)
    }

    func tooManyDeletions<S: DeviceStore>(_ page: CloudPage, _ store: S) throws -> Int? {
        if mayDeleteMany { return nil }
        var count = 0
        for record in page.records where record.version.isDeleted {
            if let state = try store.state(record.key), !state.local.isDeleted { count += 1 }
        }
        let deletions = count + counts.deleted
        return try Self.isMass(deletions, of: store.liveCount() + counts.deleted) ? deletions : nil
    }

    func missingDeletions<S: DeviceStore>(
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
}
