import CivilTime
import PluginKit

/// Access of a mode by OSM's access tags: the value of the most specific key decides.
///
/// Source: OpenStreetMap wiki, "Key:access", transport mode hierarchy.
package enum AccessRules {
    /// The verdict on an edge.
    package enum Verdict: Sendable, Hashable {
        case open
        /// Allowed with a warning; the text states the restriction.
        case restricted(String)
        /// Not allowed; the tag that forbids it, and the value that `--allow` accepts to open it.
        case closed(String, unless: String?)

        var isClosed: Bool { if case .closed = self { true } else { false } }

        /// The restriction of a way with restricted access.
        var restriction: String? { if case .restricted(let why) = self { why } else { nil } }
    }

    /// The keys of a mode from the most specific to the most general, each with its conditional key.
    private static let keys: [TravelMode: [(key: String, conditional: String)]] = [
        .hiking: ["foot", "access:foot", "access"],
        .cycling: ["bicycle", "access:bicycle", "vehicle", "access"],
    ].mapValues { $0.map { ($0, $0 + ":conditional") } }
    /// The meaning of each value. Unlisted ones are doubtful: passable with a warning.
    private static let closed: Set<String> = [
        "no", "private", "military", "forestry", "agricultural", "customers", "permit", "delivery",
        "residents", "emergency", "employees", "staff",
        // Other words for no.
        "none", "false", "prohibited", "forbidden", "illegal",
    ]
    private static let open: Set<String> = [
        "yes", "designated", "permissive", "official", "public", "optional_sidepath",
    ]
    /// Values by which one may pass on a condition: with a warning.
    private static let cautious: Set<String> = [
        "destination", "dismount", "discouraged", "unknown", "shared",
        // The way beside it may not be on the map.
        "use_sidepath",
    ]
    /// Ways for walkers.
    private static let walkersOnly: Set<String> = ["footway", "pedestrian", "corridor", "platform"]
    /// Values that `--allow` may open.
    static let allowable = [
        "private", "military", "forestry", "agricultural", "customers", "permit", "delivery", "residents",
    ]

    /// Whether a value of a key of access closes a way.
    static func closes(_ value: String) -> Bool { parts(value).contains(where: closed.contains) }

    /// Whether a value of a key of access neither opens nor closes a way.
    static func isDoubtful(_ value: String) -> Bool {
        !closes(value) && !parts(value).allSatisfy(open.contains)
    }

    /// Whether the meaning of a value of a key of access is known.
    static func knows(_ value: String) -> Bool {
        parts(value).allSatisfy { closed.contains($0) || open.contains($0) || cautious.contains($0) }
    }

    /// The values of a list such as `yes;private`.
    private static func parts(_ value: String) -> [String] {
        value.split(separator: ";").map { String($0.trimmingPrefix(" ")) }
    }

    /// The verdict on an edge's tags for a mode, with what is doubtful about the edge itself whoever may use it;
    /// `allowed` are closed values that the user opened, `now` is the time for conditional restrictions.
    package static func verdict(
        _ tags: (String) -> String?, mode: TravelMode, allowed: Set<String> = [], now: LocalMoment? = nil
    ) -> Verdict {
        let permission = permission(tags, mode, allowed, now)
        if permission.isClosed { return permission }
        let access = permission == .open && mode == .cycling ? cyclingDoubt(tags) : permission
        let doubts: [String]
        switch Hindrances.of(tags, mode: mode, now: now) {
        case .open: return access
        case .closed(let tag, let unless): return .closed(tag, unless: unless)
        case .restricted(let why): doubts = [access.restriction, why].compactMap { $0 }
        }
        return .restricted(doubts.joined(separator: ", "))
    }

    /// The verdict by the keys of access alone.
    private static func permission(
        _ tags: (String) -> String?, _ mode: TravelMode, _ allowed: Set<String>, _ now: LocalMoment?
    ) -> Verdict {
        var condition: String?
        for (key, conditional) in keys[mode] ?? [] {
            if let text = tags(conditional) {
                switch ConditionalAccess.value(text, at: now) {
                case .value(let value): return decide(conditional, value, allowed, mode, tags, now)
                case .otherwise: break
                case .unknown: condition = condition ?? "\(conditional)=\(text)"
                }
            }
            // A street for bicycles is closed to other vehicles: its sign needs no `bicycle` of its own.
            if key == "vehicle", tags("bicycle_road") == "yes" { return withCondition(condition) }
            if let value = tags(key) {
                let verdict = decide(key, value, allowed, mode, tags, now)
                return verdict == .open ? withCondition(condition) : verdict
            }
        }
        if let closing = closingTag(tags, mode, allowed, now) { return closing }
        return withCondition(condition)
    }

    /// The doubt of cyclists where no access tag closes a way: it is one on which they push, or one for horses.
    private static func cyclingDoubt(_ tags: (String) -> String?) -> Verdict {
        if isPushed(tags) {
            return .restricted("highway=\(tags("highway") ?? ""): the bicycle is pushed")
        }
        let isForHorses = tags("highway") == "bridleway" && tags("bicycle") == nil
        return isForHorses ? .restricted("highway=bridleway without `bicycle`") : .open
    }

    /// Whether a bicycle is pushed: where it must be, on steps, and on ways for walkers that say nothing of bicycles.
    static func isPushed(_ tags: (String) -> String?) -> Bool {
        if tags("highway") == "steps" { return true }
        if let bicycle = tags("bicycle") { return bicycle == "dismount" }
        return tags("highway").map(walkersOnly.contains) ?? false
    }

    private static func withCondition(_ condition: String?) -> Verdict {
        condition.map(Verdict.restricted) ?? .open
    }

    private static func decide(
        _ key: String, _ value: String, _ allowed: Set<String>, _ mode: TravelMode,
        _ tags: (String) -> String?, _ now: LocalMoment?
    ) -> Verdict {
        // Of several values, as in `yes;private`, the most careful counts.
        let values = parts(value)
        let closing = values.filter(closed.contains)
        if !closing.isEmpty {
            guard closing.contains(where: allowed.contains) else {
                return .closed("\(key)=\(value)", unless: closing.first(where: allowable.contains))
            }
            // Permission is no key.
            if let lock = lock(tags, now) { return lock }
            return .restricted("\(key)=\(value)")
        }
        if !values.allSatisfy(open.contains) {
            if key == "access", let closing = closingTag(tags, mode, allowed, now) { return closing }
            return .restricted("\(key)=\(value)")
        }
        let isSpecial = key != "access"
        if !isSpecial, let closing = closingTag(tags, mode, allowed, now) { return closing }
        return .open
    }

    /// Whether conditional restrictions open a way at some time, although it is closed otherwise.
    static func mayOpen(_ tags: (String) -> String?) -> Bool {
        TagKeys.conditional.contains { key in
            tags(key).map { ConditionalAccess.values($0).contains { !closed.contains($0) } } ?? false
        }
    }

    /// Tags that close a way unless a tag of the mode itself opens it.
    private static func closingTag(
        _ tags: (String) -> String?, _ mode: TravelMode, _ allowed: Set<String>, _ now: LocalMoment?
    ) -> Verdict? {
        if tags("motorroad") == "yes" { return .closed("motorroad=yes", unless: nil) }
        if let lock = lock(tags, now) { return lock }
        if let military = tags("military"), military != "no", !allowed.contains("military") {
            return .closed("military=\(military)", unless: "military")
        }
        return nil
    }

    /// A lock that is locked at a time.
    private static func lock(_ tags: (String) -> String?, _ now: LocalMoment?) -> Verdict? {
        if let text = tags("locked:conditional"),
            case .value(let value) = ConditionalAccess.value(text, at: now)
        {
            return value == "yes" ? .closed("locked:conditional=\(text)", unless: nil) : nil
        }
        return tags("locked") == "yes" ? .closed("locked=yes", unless: nil) : nil
    }
}
