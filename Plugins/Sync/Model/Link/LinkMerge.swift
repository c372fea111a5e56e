/// Sends records over the watch link and merges those that come, by the rules of the cloud.
package enum LinkMerge {
    /// What became of a parcel.
    package enum Outcome: String, Sendable {
        /// It changed the record here.
        case applied
        /// What it says was known, or is overruled by what is newer here.
        case stale
        /// Both sides had changed the same; what lost is in the conflict log.
        case conflict

        /// In words.
        var words: String {
            switch self {
            case .applied: ""
            case .stale: "nothing in it was new"
            case .conflict: "both sides had changed the same; sync conflicts shows what lost"
            }
        }
    }

    /// A record as it is sent; `nil` where there is nothing to send. `carries` says which fields travel.
    package static func parcel<S: DeviceStore>(
        _ key: RecordKey, in store: inout S, now: Int64, rule: SyncRule, carries: (String) -> Bool
    ) throws -> LinkParcel? {
        try LocalChangeDetector.catchUp(in: &store, now: now, rule: rule)
        guard var state = try LocalChangeDetector.record(key, in: &store, now: now, rule: rule).state,
            canHold(state, of: key, store)
        else { return nil }
        var trace = state.knowledge
        // A base that somebody else told of is passed on with the history that he had it from.
        if !state.isBorrowed { trace.mark = store.header.witness }
        state.link = trace
        try store.set(state, for: key)
        func travelling(_ version: Version) -> Version {
            var version = version
            version.fields.removeAll { !carries($0.key) }
            return version
        }
        return LinkParcel(
            key: key, version: travelling(state.local), trace: trace,
            base: state.base.map(travelling))
    }

    /// Merges a parcel into the record here. What both sides know is told by their traces; the rest is the merge of the cloud.
    package static func take<S: DeviceStore>(
        _ parcel: LinkParcel, into store: inout S, now: Int64, rule: SyncRule
    ) throws -> Outcome {
        try LocalChangeDetector.catchUp(in: &store, now: now, rule: rule)
        let (row, known) = try LocalChangeDetector.record(parcel.key, in: &store, now: now, rule: rule)
        store.header.clock.see(parcel.version)
        guard let known else { return try place(parcel, in: &store) }
        var state = known
        if !canHold(state, of: parcel.key, store) { return .stale }
        var trace = state.knowledge
        let (server, taken) = news(parcel, for: state)
        let base = ancestor(state.local, knownTo: parcel.trace, server, knownTo: trace)
        let outcome = Merge.threeWay(base: base, local: state.local, server: server, rule: rule)
        MergeWatch.current?.see(
            parcel.key, base: base, local: state.local, server: server, outcome, rule)
        for loser in outcome.losers { try store.keep(loser, of: parcel.key) }
        trace.see(parcel.trace, where: taken.contains)
        trace.see(outcome.version)
        let isChanged = outcome.version != state.local
        if isChanged {
            state.parked = nil
            try store.note(.linked, parcel.key, "changed by what came over the watch link")
        }
        state.local = outcome.version
        state.link = trace
        try store.set(state, for: parcel.key)
        let wanted = store.row(of: outcome.version, type: parcel.key.type)
        if wanted != row { try store.plan(parcel.key, before: row, after: wanted) }
        return !outcome.losers.isEmpty ? .conflict : isChanged ? .applied : .stale
    }

    /// Whether what the device has can be read, and what it last saw of the cloud has been merged into it.
    private static func canHold<S: DeviceStore>(
        _ state: SyncedRecordState, of key: RecordKey, _ store: S
    ) -> Bool {
        store.canHold(state.local, type: key.type)
            && state.base.map { store.canHold($0, type: key.type) } ?? true
    }

    /// A record that this device knows nothing of. Where the cloud has had it, it may have been deleted and forgotten since:
    /// then the next sync fetches everything, and what is not there goes again, if it is the history that the sender knew.
    private static func place<S: DeviceStore>(_ parcel: LinkParcel, in store: inout S) throws -> Outcome {
        if parcel.version.isDeleted, parcel.base == nil { return .stale }
        var trace = LinkTrace(mark: parcel.trace.mark)
        trace.see(parcel.trace, where: taken(of: parcel.version, parcel).contains)
        trace.see(parcel.version)
        try store.set(
            SyncedRecordState(base: parcel.base, local: parcel.version, link: trace), for: parcel.key)
        if parcel.base != nil { store.header.token = nil }
        try store.plan(
            parcel.key, before: nil, after: store.row(of: parcel.version, type: parcel.key.type))
        try store.note(.linked, parcel.key, "came over the watch link")
        return .applied
    }

    /// What a parcel says, with the fields that say nothing new as they are here, and the keys of those that do: a field that does
    /// not travel, or that both sides have from the cloud as it is, which then brings the later of the two itself.
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

    /// The fields of which the receiver takes over what the sender knew: those that travel. Of a deleted record there are none,
    /// and the deletion stands for all that its sender knew.
    private static func taken(of version: Version, _ parcel: LinkParcel) -> Set<String> {
        Set((version.isDeleted ? parcel.trace.fields.map(\.key) : version.fields.map(\.key)))
    }

    /// The version that both sides know, as far as it matters: of each field the value that the other side has overwritten
    /// knowingly.
    private static func ancestor(
        _ local: Version, knownTo theirs: LinkTrace, _ server: Version, knownTo mine: LinkTrace
    ) -> Version? {
        if local.isDeleted, theirs.knows(deletion: local) { return local }
        if server.isDeleted, mine.knows(deletion: server) { return server }
        let isOneLive = local.isDeleted != server.isDeleted
        var base = Version(incarnation: min(local.incarnation, server.incarnation))
        if isOneLive { base.incarnation = local.isDeleted ? server.incarnation : local.incarnation }
        if local.incarnation != server.incarnation, !isOneLive {
            // The older one's writes that the newer side knew of are not lost with it.
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
