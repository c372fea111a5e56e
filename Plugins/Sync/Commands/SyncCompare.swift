import PluginKit

/// `sync compare`
struct SyncCompare: CommandProvider {
    let service: SyncService
    static let columns = ["record", "type", "difference", "why", "heal"]

    var name: String { "sync compare" }

    var command: Command {
        Command(
            name, "compare the device and the cloud by content",
            details: """
                Compares digests of ranges of records, independent of the device's token, and reads the ranges that differ. An object \
                store keeps digests in the pages above its records. Differences that the next sync resolves anyway are \
                listed too. --heal marks the others, so that the next sync sends or fetches them again; nothing is \
                overwritten, the two sides are merged. Photos and tracks missing in the cloud are listed too and sent by --heal.
                """,
            RunSync.cloud, .flag("heal", "let the next sync resolve all differences"),
            output: .rows(Self.columns), effect: .changes,
            examples: [
                .init(
                    "an unsent edit", "sync compare | get why",
                    after: ["device add phone anna", "waypoint add 46.5,7.9 --label Hut | get label"],
                    gives: "edited here and not sent yet")
            ],
            searchTerms: [
                "who has which version", "differences between devices", "difference", "verify", "repair",
            ]
        ) { context, name, heals in
            let device = try service.device(context)
            var cloud = try service.cloud(name, device, context)
            let lock = heals ? try DeviceLock(try service.folder(device, context)) : nil
            defer { lock?.release() }
            var store = try service.storeAsEdited(device, context)
            var comparison = ContentComparison(header: store.header, heldBack: store.heldBack)
            let states = try store.states.list()
            let (aside, unheld, altered) = (
                try store.setAside(), try store.unheld(), heals ? [] : try store.altered()
            )
            var ranges = RangeComparison(states.map { ($0.key, $0.state.local) })
            let records: [CloudRecord]
            let read: [KeyRange]
            let lacking: Set<BlobReference>
            do throws(CloudFailure) {
                comparison.otherAccount = comparison.other(try cloud.lineage())
                read = try ranges.differences(&cloud)
                records = try Self.records(of: read, &cloud)
                lacking = try BlobHealing.lacking(states, &cloud)
            } catch { throw SyncErrors.cloud("\(error)", at: .parameter("cloud")) }
            for record in records { comparison.see(record, try store.state(record.key)) }
            for (key, state) in states {
                // Elsewhere both sides are equal, except for records created here and deleted before they
                // were sent.
                let isRead = read.contains { $0.has(key) }
                if isRead || state.base == nil && state.local.isDeleted { comparison.rest(key, state) }
            }
            if let other = comparison.otherAccount {
                try SyncDriver.check(.otherAccount(other))
            }
            for (key, state) in states where state.base != nil {
                guard let blob = state.local.blobs.first(where: lacking.contains) else { continue }
                comparison.lacks(blob, key)
            }
            if heals {
                try heal(comparison.differences, &store)
                do {
                    try BlobHealing.send(
                        lacking, of: comparison.differences.filter(\.isOfBlob).map(\.key), in: store,
                        to: &cloud)
                } catch let
                    failure as CloudFailure
                { throw SyncErrors.cloud("\(failure)", at: .parameter("cloud")) }
            }
            context.tracing?.keep(
                "records of the device and of the cloud",
                from: .start(
                    [("read", .integer(records.count)), ("requests", .integer(ranges.requests))],
                    why:
                        "digests of ranges are compared; where they differ, all records of the cloud and of the device"
                ),
                candidates: comparison.compared(states, records) { key in !read.contains { $0.has(key) } },
                to: .end(
                    [("differences", .integer(comparison.differences.count))],
                    why: "all records of both sides are compared"))
            return .table(
                columns: Self.columns,
                cells: comparison.differences.sorted { $0.key < $1.key }.map { difference in
                    [
                        .text(RecordText.short(difference.key)), .text(difference.key.type.word),
                        .text(difference.what), .text(difference.why),
                        .text(
                            difference.fix
                                ?? (difference.isSettled
                                    ? "the next sync"
                                    : !heals ? "--heal" : difference.isOfBlob ? "sent" : "marked")),
                    ]
                }
                    + Self.cells(
                        aside + unheld, "set aside here", without: Set(comparison.differences.map(\.key)))
                    + Self.cells(
                        altered, "different in the app's store",
                        without: Set(comparison.differences.map(\.key) + aside.compactMap(\.key))))
        }.deciding(
            "sync compare", after: SyncExample.conflict)
    }

    /// What of the device no comparison reaches, because it is set aside.
    private static func cells(
        _ aside: [AsideEntry], _ what: String, without seen: Set<RecordKey>
    ) -> [[Value]] {
        aside.filter { entry in entry.key.map { !seen.contains($0) } ?? true }.map { entry in
            [
                .text(entry.key.map { RecordText.short($0) } ?? entry.place), .text(entry.type.word),
                .text(what), .text(entry.why), .text(entry.fix),
            ]
        }
    }

    /// The records of some ranges.
    static func records(
        of ranges: [KeyRange], _ cloud: inout any CloudBackend
    ) throws(CloudFailure) -> [CloudRecord] {
        var records: [CloudRecord] = []
        for range in ranges {
            // Records beyond the end of a range would be read in vain.
            let limit = range == .all ? SyncSettings.page : SyncSettings.pageOfRange
            var last = range.after
            while true {
                guard case .page(let page) = try cloud.answer(.fetch(after: last, limit: limit)) else {
                    throw .permanent("the cloud's answer does not match the request")
                }
                records += page.records.filter { range.has($0.key) }
                guard page.hasMore, let next = page.records.last?.key, range.has(next) else { break }
                if Task.isCancelled { throw .transient("interrupted") }
                last = next
            }
        }
        return records
    }

    private func heal(_ differences: [ContentComparison.Difference], _ store: inout FolderStore) throws {
        let open = differences.filter { !$0.isSettled && !$0.isOfBlob }
        if open.isEmpty { return }
        for difference in open {
            guard var state = try store.state(difference.key) else { continue }
            state.base = nil
            state.tag = 0
            state.pending = nil
            state.parked = nil
            try store.set(state, for: difference.key)
            store.note(.sentAgain, difference.key, "found by sync compare: \(difference.why)")
        }
        store.header.token = nil
        store.keepEdits()
        try store.commit()
    }
}

/// The differences between a device's records and a zone's.
struct ContentComparison {
    /// One record that differs.
    struct Difference {
        let key: RecordKey
        let what: String
        let why: String
        /// Whether the next sync resolves it.
        let isSettled: Bool
        /// Whether the records are equal and only a blob is missing.
        var isOfBlob = false
        /// What the user must do, if no sync resolves it.
        var fix: String?
    }

    private let header: DeviceHeader
    private let heldBack: [RecordKey: CloudRecord]
    private(set) var differences: [Difference] = []
    /// The account of the zone, if it differs from the device's.
    var otherAccount: UInt64?
    private var seen: Set<RecordKey> = []

    init(header: DeviceHeader, heldBack: [RecordKey: CloudRecord]) {
        self.header = header
        self.heldBack = heldBack
    }

    /// The account of a zone, if it differs from the device's.
    func other(_ lineage: Lineage) -> UInt64? {
        header.account.flatMap { $0 == lineage.origin ? nil : lineage.origin }
    }

    /// Compares a record of the zone with the device's copy.
    mutating func see(_ record: CloudRecord, _ state: SyncedRecordState?) {
        seen.insert(record.key)
        if heldBack[record.key] == record {
            return add(
                record.key, state == nil ? "only in the cloud" : "newer in the cloud",
                "it waits: \(SyncErrors.photo.title)", true)
        }
        let read = header.token?.number ?? 0
        guard let state else {
            if record.version.isDeleted { return }
            let isNew = record.tag > read
            add(
                record.key, "only in the cloud",
                isNew
                    ? "change \(record.tag) was not read yet"
                    : "it was read as change \(record.tag) and is gone here",
                isNew || header.token == nil)
            return
        }
        if state.local == record.version { return }
        if record.tag > state.tag {
            add(
                record.key, state.isDirty ? "edited on both sides" : "newer in the cloud",
                record.tag > read
                    ? "change \(record.tag) was not read yet" : "change \(record.tag) was skipped",
                record.tag > read)
        } else if record.tag < state.tag {
            add(
                record.key, "newer here",
                "the cloud had change \(state.tag) and now has \(record.tag): it was restored", false)
        } else if state.base == record.version {
            edited(record.key, state)
        } else {
            add(record.key, "different content", "both have it as change \(record.tag)", false)
        }
    }

    /// Both sides have the record, and the cloud lacks one of its blobs.
    mutating func lacks(_ blob: BlobReference, _ key: RecordKey) {
        if differences.contains(where: { $0.key == key }) { return }
        differences.append(
            Difference(
                key: key, what: "photo or track missing in the cloud",
                why: "the cloud does not have its \(blob.size) bytes", isSettled: false, isOfBlob: true))
    }

    /// A step for each record of either side.
    func compared(
        _ states: [(key: RecordKey, state: SyncedRecordState)], _ records: [CloudRecord],
        isEqual: (RecordKey) -> Bool
    ) -> [TraceStep] {
        let keys = Set(states.map(\.key) + records.map(\.key)).sorted()
        let tags = Dictionary(records.map { ($0.key, $0.tag) }, uniquingKeysWith: { $1 })
        let here = Dictionary(states.map { ($0.key, $0.state) }, uniquingKeysWith: { $1 })
        return keys.map { key in
            let difference = differences.first { $0.key == key }
            return .candidate(
                [
                    ("record", .text(RecordText.short(key))), ("type", .text(key.type.word)),
                    ("edited", .boolean(here[key]?.isDirty ?? false)),
                    ("here", Value(here[key]) { .integer(Int($0.tag)) }),
                    (
                        "cloud",
                        Value(tags[key] ?? (isEqual(key) ? here[key]?.tag : nil)) { .integer(Int($0)) }
                    ),
                    ("difference", Value(difference) { .text($0.what) }),
                ], difference == nil ? .kept : difference?.isSettled == true ? .waiting : .refused,
                why: difference?.why ?? "both sides are equal")
        }
    }

    /// Compares a record of the device; one that the zone lacks is a difference.
    mutating func rest(_ key: RecordKey, _ state: SyncedRecordState) {
        if seen.contains(key) { return }
        if state.base == nil, state.isDirty { return edited(key, state) }
        if state.local.isDeleted { return }
        add(key, "only here", "the cloud had it as change \(state.tag) and no longer has it", false)
    }

    private mutating func edited(_ key: RecordKey, _ state: SyncedRecordState) {
        let what = state.base == nil ? "only here" : "newer here"
        guard case .rejected(let reason)? = state.parked else {
            return add(key, what, "edited here and not sent yet", true)
        }
        // It stays as it is until it is changed.
        differences.append(
            Difference(
                key: key, what: what, why: "parked: \(reason)", isSettled: true, fix: "change it here"))
    }

    private mutating func add(_ key: RecordKey, _ what: String, _ why: String, _ isSettled: Bool) {
        differences.append(Difference(key: key, what: what, why: why, isSettled: isSettled))
    }
}
