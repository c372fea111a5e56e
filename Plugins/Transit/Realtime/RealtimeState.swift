import CivilTime
import Foundation
import PluginKit
import Synchronization

/// A recorded message.
final class RealtimeSnapshot: Sendable {
    let file: String
    /// The prefix of its feed's identifiers in the timetable.
    let prefix: String
    let feed: RealtimeFeed
    /// Seconds since 1970.
    let time: Int
    /// Predictions that are too old for the moment of the view; `feed` does not have them.
    let outdated: [RealtimeFeed.TripUpdate]

    init(file: String, feed: RealtimeFeed, prefix: String = "") throws {
        // The newest of its parts is what it knows at least.
        let parts = feed.updates.compactMap(\.time) + feed.vehicles.compactMap(\.time)
        guard let time = feed.time ?? parts.max() else {
            throw TransitErrors.realtime(
                "\(file) has no timestamp, so its age is unknown",
                fix: "use a file whose header has a timestamp")
        }
        (self.file, self.prefix, self.time) = (file, prefix, time)
        var dated = prefix.isEmpty ? feed : feed.prefixed(prefix)
        // Each update has its own age, also among the messages of several feeds.
        for index in dated.updates.indices {
            if let own = dated.updates[index].time {
                // Nothing is measured after the message that reports it: such a time would beat all sound ones.
                guard own > time + TransitSettings.mostClockSkew else { continue }
                dated.updates[index].timeDoubt =
                    "its own time is \(Literal.duration(Double((own - time) / 60 * 60))) after the message's, "
                    + "which is used"
            }
            dated.updates[index].time = time
        }
        self.feed = dated
        outdated = []
    }

    /// A message without the predictions measured before an instant.
    fileprivate init(_ whole: RealtimeSnapshot, since oldest: Int) {
        (file, prefix, time) = (whole.file, whole.prefix, whole.time)
        var fresh = whole.feed
        fresh.updates.removeAll { $0.isOutdated(since: oldest) }
        feed = fresh
        outdated = whole.feed.updates.filter { $0.isOutdated(since: oldest) }
    }

    /// The updates of a message, if there is one, with the vehicles of another.
    fileprivate init(_ updates: RealtimeSnapshot?, vehicles: RealtimeSnapshot) {
        let base = updates ?? vehicles
        (file, prefix, time, outdated) = (base.file, base.prefix, base.time, updates?.outdated ?? [])
        var joined = updates?.feed ?? RealtimeFeed()
        joined.time = base.time
        // Each position has the time of its own message.
        joined.vehicles = vehicles.feed.vehicles.map { vehicle in
            var vehicle = vehicle
            vehicle.messageTime = vehicle.messageTime ?? vehicles.time
            return vehicle
        }
        feed = joined
    }

    /// The merged messages of several feeds, with the time of the oldest.
    fileprivate init(joining parts: [RealtimeSnapshot]) {
        file = parts.map(\.file).joined(separator: ", ")
        prefix = ""
        time = parts.map(\.time).min() ?? 0
        feed = RealtimeFeed(joining: parts.map(\.feed))
        outdated = []
    }
}

extension RealtimeFeed.TripUpdate {
    /// Whether it predicts times from a progress measured before an instant. That a run is cancelled, added or
    /// replaced does not age with its progress.
    fileprivate func isOutdated(since oldest: Int) -> Bool {
        switch trip.relationship {
        case .scheduled, .unscheduled: (time ?? .max) < oldest
        case .added, .canceled, .replacement, .duplicated, .deleted, .new: false
        }
    }
}

/// The realtime messages of the session. The newest at the session's time are used: a folder of recordings
/// replays as the clock advances.
final class RealtimeState: Sendable {
    private let snapshots = Mutex<[RealtimeSnapshot]>([])
    /// The last merged messages of several feeds, by their parts.
    private let joined = Mutex<[(parts: [ObjectIdentifier], whole: RealtimeSnapshot)]>([])
    /// The last updates with the facts of vehicles from another message.
    private let equipped = Mutex<[(parts: [ObjectIdentifier], whole: RealtimeSnapshot)]>([])
    /// The last messages without outdated predictions, by the message and their number.
    private let freshened = Mutex<[(whole: RealtimeSnapshot, outdated: Int, fresh: RealtimeSnapshot)]>([])

    /// Replaces the messages.
    func use(_ new: [RealtimeSnapshot]) {
        snapshots.withLock { $0 = new }
        joined.withLock { $0 = [] }
        freshened.withLock { $0 = [] }
        equipped.withLock { $0 = [] }
    }

    /// The messages.
    var all: [RealtimeSnapshot] { snapshots.withLock { $0 } }

    /// The realtime data at an instant; `nil` without messages.
    func view(at now: Timestamp) -> RealtimeView? {
        let all = self.all
        guard !all.isEmpty else { return nil }
        let seconds = Int(now.seconds.rounded(.down))
        // The newest of each feed; of messages of the same second the last one in the list.
        func newest(_ has: (RealtimeFeed) -> Bool) -> [RealtimeSnapshot] {
            var best: [String: RealtimeSnapshot] = [:]
            var early: [String: RealtimeSnapshot] = [:]
            for next in all where has(next.feed) {
                if next.time <= seconds + TransitSettings.clockSkew {
                    if (best[next.prefix]?.time ?? .min) <= next.time { best[next.prefix] = next }
                } else if next.time <= seconds + TransitSettings.mostClockSkew {
                    // The clock of the producer, or ours, is wrong by less than the age of a message matters.
                    if (early[next.prefix]?.time ?? .max) >= next.time { early[next.prefix] = next }
                }
            }
            best.merge(early) { known, next in
                seconds - known.time > TransitSettings.staleAfter ? next : known
            }
            return best.sorted { $0.key < $1.key }.map(\.value)
        }
        let updates = newest { !$0.updates.isEmpty || !$0.detours.isEmpty }
        let fresh = updates.filter { seconds - $0.time <= TransitSettings.staleAfter }
        let current = join(fresh.isEmpty ? updates : fresh).map {
            fresh.isEmpty ? $0 : freshen($0, since: seconds - TransitSettings.staleAfter)
        }
        let vehicles = join(newest { !$0.vehicles.isEmpty })
        return RealtimeView(
            now: seconds, updates: current, vehicles: vehicles,
            usable: equip(
                fresh.isEmpty ? nil : current,
                vehicles.flatMap { seconds - $0.time <= TransitSettings.staleAfter ? $0 : nil }),
            alerts: join(newest { !$0.alerts.isEmpty }),
            first: all.map(\.time).min() ?? 0,
            outdated: fresh.isEmpty
                ? [] : updates.filter { seconds - $0.time > TransitSettings.staleAfter }.map(\.prefix))
    }

    /// The merged message of several; the same object for the same parts.
    private func join(_ parts: [RealtimeSnapshot]) -> RealtimeSnapshot? {
        guard parts.count > 1 else { return parts.first }
        let key = parts.map { ObjectIdentifier($0) }
        return joined.withLock { known in
            if let found = known.first(where: { $0.parts == key }) { return found.whole }
            let made = RealtimeSnapshot(joining: parts)
            known = Array((known + [(key, made)]).suffix(Self.joinedKept))
            return made
        }
    }

    /// A message without the predictions that are too old at an instant, unless it is too old as a whole.
    func fresh(_ message: RealtimeSnapshot, at now: Timestamp) -> RealtimeSnapshot {
        let seconds = Int(now.seconds.rounded(.down))
        return seconds - message.time <= TransitSettings.staleAfter
            ? freshen(message, since: seconds - TransitSettings.staleAfter) : message
    }

    /// A message without outdated predictions; the same object while the same ones are outdated.
    private func freshen(_ whole: RealtimeSnapshot, since oldest: Int) -> RealtimeSnapshot {
        let count = whole.feed.updates.count { $0.isOutdated(since: oldest) }
        guard count > 0 else { return whole }
        return freshened.withLock { known in
            if let found = known.first(where: { $0.whole === whole && $0.outdated == count }) {
                return found.fresh
            }
            let made = RealtimeSnapshot(whole, since: oldest)
            known = Array((known + [(whole, count, made)]).suffix(Self.joinedKept))
            return made
        }
    }

    /// Updates with the vehicles of another message, if these say something of their runs; the same object for the same
    /// messages.
    private func equip(_ updates: RealtimeSnapshot?, _ vehicles: RealtimeSnapshot?) -> RealtimeSnapshot? {
        guard let vehicles, vehicles !== updates,
            vehicles.feed.vehicles.contains(where: { $0.hasFacts || $0.hasProgress })
        else {
            return updates
        }
        let key = [updates, vehicles].compactMap { $0 }.map { ObjectIdentifier($0) }
        return equipped.withLock { known in
            if let found = known.first(where: { $0.parts == key }) { return found.whole }
            let made = RealtimeSnapshot(updates, vehicles: vehicles)
            known = Array((known + [(key, made)]).suffix(Self.joinedKept))
            return made
        }
    }

    /// Updates, vehicles and alerts, each with two times.
    private static let joinedKept = 6
}

/// The newest messages at a moment.
struct RealtimeView: Sendable {
    let now: Int
    let updates: RealtimeSnapshot?
    let vehicles: RealtimeSnapshot?
    /// The trip updates, if they are recent enough, and what recent positions say of their vehicles.
    let usable: RealtimeSnapshot?
    let alerts: RealtimeSnapshot?
    /// The time of the oldest message.
    let first: Int
    /// The prefixes of feeds whose updates are outdated while others are not.
    var outdated: [String] = []

    /// Whether predictions are recent enough to be used.
    var isFresh: Bool { updates.map { now - $0.time <= TransitSettings.staleAfter } ?? false }

    /// A text with the age of the information, and whether it is used.
    func note(in zone: TimeZone, of feed: Feed) -> String {
        guard let updates else {
            return now < first
                ? "the realtime messages are from a later time (\(Self.moment(first, zone))): the schedule is shown"
                : "there are no trip updates: the schedule is shown"
                    + (usable == nil ? "" : ", with what vehicles say of their trips")
        }
        let age = Literal.duration(Double(max(0, now - updates.time) / 60 * 60))
        let time = "realtime of \(Self.moment(updates.time, zone))"
        if !isFresh { return "\(time) is \(age) old: the schedule is shown" }
        let others = outdated.map { "; that of `\($0)` is too old: its schedule is shown" }.joined()
        let old =
            updates.outdated.isEmpty
            ? ""
            : "; \(updates.outdated.count, of: "prediction") of it measured more than "
                + "\(Literal.duration(Double(TransitSettings.staleAfter))) ago not used"
        let part =
            updates.feed.isDifferential
            ? "; it is DIFFERENTIAL, a part of what is known: trips that it does not name may be late, too"
            : ""
        let doubts = (updates.feed.headerDoubts + [feed.otherVersion(than: updates.feed)].compactMap(\.self))
            .map { "; \($0)" }.joined()
        return (now - updates.time < 60 ? "\(time), less than a minute old" : "\(time), \(age) old") + others
            + old + part + doubts
    }

    /// An instant in the local time of a zone.
    static func moment(_ seconds: Int, _ zone: TimeZone) -> String {
        "\(ServiceDay.date(of: seconds, in: zone).text) \(ServiceDay.clock(seconds, in: zone))"
    }

}

/// Realtime data of a call.
struct LiveCall: Sendable, Hashable {
    /// The status of the call.
    enum Kind: Sendable, Hashable {
        case predicted, skipped, cancelled, added
        /// A call or a time that replaces the scheduled one.
        case changed
    }

    var kind = Kind.predicted
    /// Seconds since 1970; `nil` without a prediction.
    var arrival: Int?
    var departure: Int?
    /// The id of the stop at which it calls instead.
    var assignedStop: String?
    /// Whether it follows from the delay of the vehicle's trip before.
    var isDerived = false
    /// Whether the times are no predictions: the predictions beside them allow none nearer to the schedule.
    var isBound = false
    /// Whether the scheduled time is one of a headway without exact times: lateness says little.
    var isInexact = false
    /// Whether it is earlier than vehicles leave.
    var isImprobable = false
    /// Whether the run ends here, before the last call of the timetable.
    var endsHere = false
    /// By how many seconds the prediction may be wrong; `nil` if unknown.
    var uncertainty: Int?
    /// The update behind the data, and how it was applied.
    var why: String

    /// The predicted times; `nil` for bounds.
    var predictedArrival: Int? { isBound ? nil : arrival }
    var predictedDeparture: Int? { isBound ? nil : departure }

    /// `On time`, `3min late`, `3min late ±2min`, `No data, perhaps 3min late`; relative to a scheduled time.
    func status(scheduled: Int, predicted: Int?) -> String {
        let plain = plainStatus(scheduled: scheduled, predicted: predicted)
        return plain + (uncertainty.map { $0 > 0 ? " ±\(Self.span($0))" : "" } ?? "")
            + (isInexact && !isBound && predicted.flatMap { Self.lateness($0 - scheduled) } != nil
                ? " (headway not exact)" : "")
            + (endsHere ? ", ends here" : "")
    }

    /// `10min`; seconds only for less than a minute.
    private static func span(_ seconds: Int) -> String {
        Literal.duration(Double(seconds < 60 ? seconds : seconds / 60 * 60))
    }

    private func plainStatus(scheduled: Int, predicted: Int?) -> String {
        switch kind {
        case .cancelled: return "Cancelled"
        case .skipped: return "Skipped"
        case .added:
            return "Added" + (Self.lateness(predicted.map { $0 - scheduled }).map { ", \($0)" } ?? "")
        case .changed:
            return "Changed" + (Self.lateness(predicted.map { $0 - scheduled }).map { ", \($0)" } ?? "")
        case .predicted:
            guard let predicted else { return "Scheduled" }
            if isBound {
                return "No data" + (Self.lateness(predicted - scheduled).map { ", perhaps \($0)" } ?? "")
            }
            return (Self.lateness(predicted - scheduled) ?? "On time") + (isDerived ? " (vehicle)" : "")
                + (isImprobable ? " (improbable)" : "")
        }
    }

    /// `3min late`; `nil` for less than a minute.
    private static func lateness(_ delay: Int?) -> String? {
        guard let delay, abs(delay) >= 60 else { return nil }
        return "\(Literal.duration(Double(abs(delay) / 60 * 60))) \(delay > 0 ? "late" : "early")"
    }
}
