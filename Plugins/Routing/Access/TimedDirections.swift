import PluginKit

/// Directions of a way that are closed or opened at times: `foot:backward:conditional`, `oneway:conditional`.
///
/// Source: OpenStreetMap wiki, "Conditional restrictions", direction suffixes.
enum TimedDirections {
    /// The keys of access of a mode from the most specific to the most general, each with those of its directions.
    private struct Access {
        let key: String
        let forward: String
        let backward: String

        init(_ key: String) {
            (self.key, forward, backward) = (key, key + ":forward:conditional", key + ":backward:conditional")
        }
    }

    private static let access: [TravelMode: [Access]] = [
        .hiking: ["foot", "access"].map(Access.init),
        .cycling: ["bicycle", "vehicle", "access"].map(Access.init),
    ]
    /// `oneway` binds cyclists, not walkers.
    private static let oneways: [TravelMode: [String]] = [
        .hiking: ["oneway:foot:conditional"],
        .cycling: ["oneway:bicycle:conditional", "oneway:conditional"],
    ]

    /// Every key.
    static let keys = [
        "foot:forward:conditional", "foot:backward:conditional", "bicycle:forward:conditional",
        "bicycle:backward:conditional", "vehicle:forward:conditional", "vehicle:backward:conditional",
        "access:forward:conditional", "access:backward:conditional", "oneway:conditional",
        "oneway:foot:conditional", "oneway:bicycle:conditional",
    ]

    /// The keys of access of a mode up to the first one that the tags have for both directions, which overrides the more
    /// general ones.
    private static func relevant(_ mode: TravelMode, _ tags: (String) -> String?) -> ArraySlice<Access> {
        let all = access[mode] ?? []
        let own = all.firstIndex { tags($0.key) != nil } ?? all.count
        return all.prefix(own + 1)
    }

    /// Whether a condition allows a direction at a time; `nil` where none decides.
    static func mayGo(
        _ kind: EdgeKind, isReversed: Bool, mode: TravelMode, at now: LocalMoment?
    ) -> Bool? {
        guard now != nil, kind.tags != nil else { return nil }
        let isBackward = isReversed != kind.flags.contains(.againstWay)
        for access in relevant(mode, kind.value) {
            let key = isBackward ? access.backward : access.forward
            if let text = kind.value(key), case .value(let value) = ConditionalAccess.value(text, at: now) {
                return !AccessRules.closes(value)
            }
        }
        for key in oneways[mode] ?? [] {
            guard let text = kind.value(key),
                case .value(let value) = ConditionalAccess.value(text, at: now)
            else { continue }
            switch value {
            case "yes", "true", "1": return !isBackward
            case "-1", "reverse": return isBackward
            case "no", "false", "0": return true
            default: continue
            }
        }
        return nil
    }

    /// The conditions of either direction that cannot be decided at a time.
    static func doubts(_ tags: (String) -> String?, mode: TravelMode, at now: LocalMoment?) -> [String] {
        let keys = relevant(mode, tags).flatMap { [$0.forward, $0.backward] } + (oneways[mode] ?? [])
        return keys.compactMap { key in
            guard let text = tags(key), case .unknown = ConditionalAccess.value(text, at: now) else {
                return nil
            }
            return "\(key)=\(text)"
        }
    }
}
