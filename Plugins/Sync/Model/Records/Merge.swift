/// A value that lost a merge. It is kept so that it can be restored.
package struct Loser: Hashable, Sendable {
    /// The field; empty if a deletion lost.
    let field: String
    /// The value.
    let value: FieldValue
    /// When and where it was written.
    let stamp: Stamp
    /// The value that replaced it.
    let winner: FieldValue
    /// Why it lost.
    let reason: Reason

    /// Why a value lost.
    package enum Reason: UInt8, Sendable {
        /// Both sides changed the field; the other change is later.
        case later = 0
        /// Both sides changed the field and one time is unknown or both are equal; the devices' order decided.
        case device = 1
        /// The record was deleted.
        case deleted = 2
        /// The record was recreated.
        case remade = 3
        /// The whole record was replaced by a newer one.
        case replaced = 4
        /// It was in a store that replaced the known one.
        case putBack = 5
        /// Its end is missing.
        case damaged = 6

        /// In words.
        var words: String {
            switch self {
            case .later: "the other change is later"
            case .device: "the times do not decide; the devices' order does"
            case .deleted: "the record was deleted"
            case .remade: "the record was recreated after its deletion"
            case .replaced: "the newer record replaced the other completely"
            case .putBack: "it was in a file that replaced the device's own"
            case .damaged: "its end is missing"
            }
        }
    }
}

/// The result of a merge.
struct MergeOutcome: Sendable {
    var version: Version
    var losers: [Loser] = []
}

/// Merges two versions of a record.
enum Merge {
    /// The three-way merge by field against the common ancestor. Without an ancestor every difference is a
    /// conflict, which the stamps decide. `server` has no precedence: all devices decide alike.
    static func threeWay(base: Version?, local: Version, server: Version, rule: SyncRule) -> MergeOutcome {
        if local == server { return MergeOutcome(version: server) }
        // A deleted record returns only as another incarnation: a version of the same incarnation is from a
        // device that never saw the deletion, after the cloud had discarded it.
        let isOutdated =
            server.incarnation < local.incarnation
            || (local.isDeleted && !server.isDeleted && server.incarnation == local.incarnation)
        if !isOutdated, base != nil, local == base { return MergeOutcome(version: server) }
        if let base, server == base { return MergeOutcome(version: local) }
        if local.incarnation != server.incarnation {
            let isLocalOlder = local.incarnation < server.incarnation
            let (winner, other) = isLocalOlder ? (server, local) : (local, server)
            return MergeOutcome(
                version: winner, losers: edits(of: other, since: base, winner: winner, reason: .remade))
        }
        if local.isDeleted || server.isDeleted {
            return withDeletion(base: base, local: local, server: server, rule: rule)
        }
        return byField(base: base, local: local, server: server)
    }

    /// The seed's rule: whole records, the newer `modifiedAt` wins; if one is missing, the cloud's record
    /// wins.
    static func lastWriter(local: Version, server: Version, key: String) -> MergeOutcome {
        if local == server { return MergeOutcome(version: server) }
        if let mine = modified(local, key), let theirs = modified(server, key), mine >= theirs {
            return MergeOutcome(version: local)
        }
        return MergeOutcome(version: server)
    }

    private static func modified(_ version: Version, _ key: String) -> UInt64? {
        if key.isEmpty {
            return version.isDeleted ? version.stamp.time : version.fields.map(\.stamp.time).max()
        }
        if version.isDeleted { return version.stamp.milliseconds.flatMap { UInt64(exactly: $0) } }
        guard case .text(let text) = version.value(key) else { return nil }
        return SyncTime.milliseconds(text).flatMap { UInt64(exactly: $0) }
    }

    // MARK: Parts

    private static func withDeletion(
        base: Version?, local: Version, server: Version, rule: SyncRule
    ) -> MergeOutcome {
        if local.isDeleted, server.isDeleted {
            return MergeOutcome(version: local.stamp.wins(over: server.stamp) ? local : server)
        }
        let (tombstone, live) = local.isDeleted ? (local, server) : (server, local)
        let lost = edits(of: live, since: base, winner: tombstone, reason: .deleted)
        if rule == .editWins, wasEdited(live, since: base, after: tombstone.stamp) {
            // The edit knowingly recreates the record: another incarnation, which no late tombstone can
            // affect.
            var remade = live
            remade.incarnation = live.incarnation &+ 1
            let loser = Loser(
                field: "", value: .absent, stamp: tombstone.stamp, winner: .absent, reason: .remade)
            return MergeOutcome(version: remade, losers: [loser])
        }
        return MergeOutcome(version: tombstone, losers: lost)
    }

    private static func wasEdited(_ live: Version, since base: Version?, after deletion: Stamp) -> Bool {
        if let base, !base.isDeleted, base.incarnation == live.incarnation {
            return live.fields.contains { $0.value != base.value($0.key) }
        }
        return live.fields.contains { $0.stamp.time > deletion.time }
    }

    /// The changes of a version since the ancestor, which are lost with it.
    private static func edits(
        of version: Version, since base: Version?, winner: Version, reason: Loser.Reason
    ) -> [Loser] {
        if version.isDeleted { return [] }
        let known = base.flatMap { $0.isDeleted || $0.incarnation != version.incarnation ? nil : $0 }
        var losers: [Loser] = []
        for field in version.fields where field.value != known?.value(field.key) ?? .absent {
            let now = winner.value(field.key)
            if now == field.value { continue }
            losers.append(
                Loser(field: field.key, value: field.value, stamp: field.stamp, winner: now, reason: reason))
        }
        return losers
    }

    private static func byField(base: Version?, local: Version, server: Version) -> MergeOutcome {
        var outcome = MergeOutcome(version: server)
        outcome.version.fields.removeAll(keepingCapacity: true)
        var l = 0
        var s = 0
        let mine = local.fields
        let theirs = server.fields
        while l < mine.count || s < theirs.count {
            let takesBoth = l < mine.count && s < theirs.count && mine[l].key == theirs[s].key
            if takesBoth || s >= theirs.count || (l < mine.count && mine[l].key < theirs[s].key) {
                let other = takesBoth ? theirs[s] : nil
                if takesBoth { s += 1 }
                decide(mine[l], other, base?[mine[l].key], into: &outcome)
                l += 1
            } else {
                decide(nil, theirs[s], base?[theirs[s].key], into: &outcome)
                s += 1
            }
        }
        return outcome
    }

    private static func decide(
        _ mine: Field?, _ theirs: Field?, _ ancestor: Field?, into outcome: inout MergeOutcome
    ) {
        guard let mine else {
            // Only the server has it, so it is new there. A device never removes a key; it writes an absent
            // value.
            if let theirs { outcome.version.fields.append(theirs) }
            return
        }
        guard let theirs else {
            outcome.version.fields.append(mine)
            return
        }
        let old = ancestor?.value ?? .absent
        let knowsOld = ancestor != nil
        if mine.value == theirs.value {
            outcome.version.fields.append(mine.stamp.wins(over: theirs.stamp) ? mine : theirs)
        } else if knowsOld, mine.value == old {
            outcome.version.fields.append(theirs)
        } else if knowsOld, theirs.value == old {
            outcome.version.fields.append(mine)
        } else {
            let old = knowsOld ? old : nil
            conflict(mine, theirs, since: old, into: &outcome)
        }
    }

    private static func conflict(
        _ mine: Field, _ theirs: Field, since old: FieldValue?, into outcome: inout MergeOutcome
    ) {
        let mineWins = mine.stamp.wins(over: theirs.stamp)
        var (winner, loser) = mineWins ? (mine, theirs) : (theirs, mine)
        if case .text(let base)? = old, case .text(let left) = winner.value,
            case .text(let right) = loser.value,
            let merged = LineMerge.merge(base: base, winner: left, other: right)
        {
            if left != merged.text {
                winner.value = .text(merged.text)
                // A write of its own, which all devices stamp alike.
                let isTimed = !winner.stamp.isUnknown && !loser.stamp.isUnknown
                winner.stamp.time = isTimed ? max(winner.stamp.time, loser.stamp.time) &+ 1 : 0
            }
            if !merged.hasConflict { return outcome.version.fields.append(winner) }
        }
        outcome.version.fields.append(winner)
        // A modification time is not content: the newer one is used, and nothing is lost.
        if SyncSettings.momentKeys.contains(winner.key) {
            outcome.version.fields[outcome.version.fields.count - 1] = newerMoment(mine, theirs) ?? winner
            return
        }
        let undecided =
            mine.stamp.isUnknown || theirs.stamp.isUnknown || mine.stamp.time == theirs.stamp.time
        outcome.losers.append(
            Loser(
                field: loser.key, value: loser.value, stamp: loser.stamp, winner: winner.value,
                reason: undecided ? .device : .later))
    }

    private static func newerMoment(_ mine: Field, _ theirs: Field) -> Field? {
        guard case .text(let left) = mine.value, let mineAt = SyncTime.milliseconds(left) else {
            return theirs
        }
        guard case .text(let right) = theirs.value, let theirsAt = SyncTime.milliseconds(right) else {
            return mine
        }
        return mineAt == theirsAt ? nil : (mineAt > theirsAt ? mine : theirs)
    }
}
