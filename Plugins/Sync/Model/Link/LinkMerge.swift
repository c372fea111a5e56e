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
            store.canHold(state.local, type: key.type)
        else { return nil }
        let trace = knowledge(of: state, token: store.header.token)
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
        if !store.canHold(state.local, type: parcel.key.type) { return .stale }
        var trace = knowledge(of: state, token: store.header.token)
        let server = completed(parcel.version, from: state.local)
        let base = ancestor(state.local, knownTo: parcel.trace, server, knownTo: trace)
        let outcome = Merge.threeWay(base: base, local: state.local, server: server, rule: rule)
        for loser in outcome.losers { try store.keep(loser, of: parcel.key) }
        for stamp in parcel.trace.seen { trace.see(stamp) }
        trace.see(outcome.version)
        trace.since = state.link?.since
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

    /// A record that this device knows nothing of. Where the cloud has had it, it may have been deleted and forgotten since:
    /// then the next sync fetches everything, and what is not there goes again.
    private static func place<S: DeviceStore>(_ parcel: LinkParcel, in store: inout S) throws -> Outcome {
        var trace = parcel.trace
        trace.see(parcel.version)
        if parcel.version.isDeleted, parcel.base == nil { return .stale }
        if let base = parcel.base {
            trace.since = nil
            try store.set(
                SyncedRecordState(base: base, local: parcel.version, link: trace), for: parcel.key)
            store.header.token = nil
        } else {
            try store.set(SyncedRecordState(local: parcel.version, link: trace), for: parcel.key)
        }
        try store.plan(
            parcel.key, before: nil, after: store.row(of: parcel.version, type: parcel.key.type))
        try store.note(.linked, parcel.key, "came over the watch link")
        return .applied
    }

    /// All stamps that are known of a record, and how far the zone was read without it.
    private static func knowledge(of state: SyncedRecordState, token: ChangeToken?) -> LinkTrace {
        var trace = state.link ?? LinkTrace()
        trace.see(state.local)
        if let base = state.base { trace.see(base) }
        if let pending = state.pending { trace.see(pending.version) }
        if state.base != nil { trace.since = nil } else if trace.since == nil { trace.since = token }
        return trace
    }

    /// With the fields that do not travel as they are here.
    private static func completed(_ version: Version, from local: Version) -> Version {
        if version.isDeleted || local.isDeleted || version.incarnation != local.incarnation { return version }
        var version = version
        for field in local.fields where version[field.key] == nil { version.set(field) }
        return version
    }

    /// The version that both sides know, as far as it matters: of each field the value that the other side has overwritten
    /// knowingly.
    private static func ancestor(
        _ local: Version, knownTo theirs: LinkTrace, _ server: Version, knownTo mine: LinkTrace
    ) -> Version? {
        if local.isDeleted, theirs.knows(local.stamp) { return local }
        if server.isDeleted, mine.knows(server.stamp) { return server }
        let isOneLive = local.isDeleted != server.isDeleted
        var base = Version(incarnation: min(local.incarnation, server.incarnation))
        if isOneLive { base.incarnation = local.isDeleted ? server.incarnation : local.incarnation }
        if local.incarnation != server.incarnation, !isOneLive {
            // The older one's writes that the newer side knew of are not lost with it.
            let (older, known) =
                local.incarnation < server.incarnation ? (local, theirs) : (server, mine)
            for field in older.fields where known.knows(field.stamp) { base.set(field) }
            return base
        }
        for field in local.fields where theirs.knows(field.stamp) { base.set(field) }
        for field in server.fields where mine.knows(field.stamp) && base[field.key] == nil {
            base.set(field)
        }
        return base
    }
}
