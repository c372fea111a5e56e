// Another history of the zone: the cloud was restored from a copy, or belongs to another account.

extension SyncMachine {
    /// The account of a zone if it differs from that of the local records.
    static func otherAccount(_ lineage: Lineage, _ header: DeviceHeader) -> UInt64? {
        if let account = header.account { return account == lineage.origin ? nil : lineage.origin }
        // Not stored by an older version: a continued history belongs to the same zone.
        guard let token = header.token, !lineage.starts.contains(where: { $0.epoch == token.epoch }) else {
            return nil
        }
        return lineage.origin
    }

    mutating func diverged<S: DeviceStore>(_ lineage: Lineage, _ store: inout S) throws -> Output {
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
    mutating func rewind<S: DeviceStore>(
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
        try commit(&store)
        return pull(&store)
    }

    static let putBack = "missing in the restored cloud"

    /// A base received over the watch link is part of the history that its sender knew. This device's own
    /// mark does not cover it: the zone may have been restored since the sender read it, or be another zone.
    /// Unless both histories are known to be equal, the base is dropped. Otherwise a record that the zone
    /// lost would count as deleted, and an older version of it as a newer one.
    func dropForeignBases<S: DeviceStore>(_ history: [HistoryMark], _ store: inout S) throws {
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

    static let foreign =
        "received over the watch link from a device with an unknown history of the cloud"

    /// Stores the marks of the zone's history that were passed.
    func note<S: DeviceStore>(_ marks: [HistoryMark], _ store: inout S) throws {
        let known = store.header.witness?.number ?? 0
        let new = marks.filter { $0.number > known }
        guard let last = new.last else { return }
        try store.remember(new)
        store.header.witness = last
    }
}
