/// Creates parcels for the watch link and merges received ones, by the rules of the cloud.
package enum LinkMerge {
    /// The outcome of merging a parcel.
    package enum Outcome: String, Sendable {
        /// It changed the local record.
        case applied
        /// It contained nothing new, or only values older than the local ones.
        case stale
        /// Both sides had changed the same field; the losing value is in the conflict log.
        case conflict
        /// Nothing is known of the receiver's row, because it or its store cannot be read: the parcel is merged later.
        case waits

        /// In words.
        var words: String {
            switch self {
            case .applied: ""
            case .stale: "nothing new"
            case .conflict: "both sides changed the same field; sync conflicts lists the lost value"
            case .waits: "waits: the receiver's row or its store cannot be read"
            }
        }
    }

    /// A record as it is sent; `nil` if there is nothing to send. `carries` selects the fields that are sent.
    static func parcel<S: DeviceStore>(
        _ key: RecordKey, in store: inout S, now: Int64, rule: SyncRule, carries: (String) -> Bool
    ) throws -> LinkParcel? {
        try LocalChangeDetector.catchUp(in: &store, now: now, rule: rule)
        guard var state = try LocalChangeDetector.record(key, in: &store, now: now, rule: rule).state,
            canHold(state, of: key, store)
        else { return nil }
        var trace = state.knowledge
        // A base received from another device is passed on with the history of its sender.
        if !state.isBorrowed { trace.mark = store.header.witness }
        state.link = trace
        try store.set(state, for: key)
        func reduced(_ version: Version) -> Version {
            var version = version
            version.fields.removeAll { !carries($0.key) }
            return version
        }
        return LinkParcel(
            key: key, version: reduced(state.local), trace: trace,
            base: state.base.map(reduced))
    }

    /// Merges a parcel into the local record. The traces show what both sides know; the rest is the merge of
    /// the cloud.
    package static func merge<S: DeviceStore>(
        _ parcel: LinkParcel, into store: inout S, now: Int64, rule: SyncRule
    ) throws -> Outcome {
        try LocalChangeDetector.catchUp(in: &store, now: now, rule: rule)
        // An edit in a row that cannot be read would count as known to both sides, and be lost with the merge.
        if try store.obstacle(parcel.key) != nil { return .waits }
        let (row, known) = try LocalChangeDetector.record(parcel.key, in: &store, now: now, rule: rule)
        store.header.clock.see(parcel.version)
        guard let known else { return try insert(parcel, in: &store) }
        var state = known
        if !canHold(state, of: parcel.key, store) { return .stale }
        var trace = state.knowledge
        let (server, taken) = news(parcel, for: state)
        let base = ancestor(state.local, knownTo: parcel.trace, server, knownTo: trace)
        let outcome = Merge.threeWay(base: base, local: state.local, server: server, rule: rule)
        MergeRecorder.current?.see(
            parcel.key, base: base, local: state.local, server: server, outcome, rule)
        for loser in outcome.losers { try store.keep(loser, of: parcel.key) }
        trace.see(parcel.trace, where: taken.contains)
        trace.see(outcome.version)
        let isChanged = outcome.version != state.local
        if isChanged {
            state.parked = nil
            try store.note(.linked, parcel.key, "changed over the watch link")
        }
        state.local = outcome.version
        state.link = trace
        try store.set(state, for: parcel.key)
        let wanted = store.row(of: outcome.version, type: parcel.key.type)
        if wanted != row { try store.plan(parcel.key, before: row, after: wanted) }
        return !outcome.losers.isEmpty ? .conflict : isChanged ? .applied : .stale
    }

    /// Whether the local version can be read, and the last cloud version has been merged into it.
    private static func canHold<S: DeviceStore>(
        _ state: SyncedRecordState, of key: RecordKey, _ store: S
    ) -> Bool {
        store.canHold(state.local, type: key.type)
            && state.base.map { store.canHold($0, type: key.type) } ?? true
    }

    /// A record unknown to this device. If the cloud has had it, it may have been deleted and discarded
    /// since: then the next sync fetches everything, and removes the record if it is missing there and the
    /// sender knew that history.
    private static func insert<S: DeviceStore>(_ parcel: LinkParcel, in store: inout S) throws -> Outcome {
        if parcel.version.isDeleted, parcel.base == nil { return .stale }
        var trace = LinkTrace(mark: parcel.trace.mark)
        trace.see(parcel.trace, where: taken(of: parcel.version, parcel).contains)
        trace.see(parcel.version)
        try store.set(
            SyncedRecordState(base: parcel.base, local: parcel.version, link: trace), for: parcel.key)
        if parcel.base != nil { store.header.token = nil }
        try store.plan(
            parcel.key, before: nil, after: store.row(of: parcel.version, type: parcel.key.type))
        try store.note(.linked, parcel.key, "received over the watch link")
        return .applied
    }

    /// The parcel's version, in which fields without news have their local values, and the keys of those
    /// fields: fields that are not sent, or whose value both sides have unchanged from the cloud, which then
    /// sends the later of the two itself.
    private static func news(
        _ parcel: LinkParcel, for state: SyncedRecordState
    ) -> (version: Version, taken: Set<String>) {
        var version = parcel.version
        var taken = taken(of: version, parcel)
        let local = state.local
        if version.isDeleted || local.isDeleted || version.incarnation != local.incarnation {
            return (version, taken)
        }
        for field in local.fields {
            guard let sent = version[field.key] else {
                version.set(field)
                continue
            }
            if sent == field || parcel.base?[field.key] != sent || state.base?[field.key] != field {
                continue
            }
            version.set(field)
            taken.remove(field.key)
        }
        return (version, taken)
    }

    /// The fields for which the receiver adopts the sender's knowledge: those that are sent. A deletion has
    /// none and stands for all of its sender's knowledge.
    private static func taken(of version: Version, _ parcel: LinkParcel) -> Set<String> {
        Set((version.isDeleted ? parcel.trace.fields.map(\.key) : version.fields.map(\.key)))
    }

    /// The common version as far as it matters: for each field, the value that the other side has knowingly
    /// overwritten.
    private static func ancestor(
        _ local: Version, knownTo theirs: LinkTrace, _ server: Version, knownTo mine: LinkTrace
    ) -> Version? {
        if local.isDeleted, theirs.knows(deletion: local) { return local }
        if server.isDeleted, mine.knows(deletion: server) { return server }
        let isOneLive = local.isDeleted != server.isDeleted
        var base = Version(incarnation: min(local.incarnation, server.incarnation))
        if isOneLive { base.incarnation = local.isDeleted ? server.incarnation : local.incarnation }
        if local.incarnation != server.incarnation, !isOneLive {
            // The older side's writes that the newer side knew are not lost with it.
            let (older, known) =
                local.incarnation < server.incarnation ? (local, theirs) : (server, mine)
            for field in older.fields where known.knows(field) { base.set(field) }
            return base
        }
        for field in local.fields where theirs.knows(field) { base.set(field) }
        for field in server.fields where mine.knows(field) && base[field.key] == nil {
            base.set(field)
        }
        return base
    }
}
