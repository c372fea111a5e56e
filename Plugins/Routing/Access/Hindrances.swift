import Cartography
import PluginKit

/// What hinders everyone on an edge, whatever their permission: barriers without a gap, ways that are no more or cannot be
/// passed, tides, ice, hours, unknown grades.
///
/// Source: OpenStreetMap wiki, "Key:barrier", "Lifecycle prefix", "Key:obstacle", "Key:tidal", "Key:ice_road",
/// "Key:seasonal", "Key:opening_hours".
enum Hindrances {
    /// Barriers with a passage for walkers.
    private static let passable: Set<String> = [
        "gate", "bollard", "stile", "kissing_gate", "lift_gate", "swing_gate", "cycle_barrier", "block",
        "cattle_grid", "turnstile", "full-height_turnstile", "chain", "motorcycle_barrier", "hampshire_gate",
        "sally_port", "bump_gate", "log", "wicket_gate", "horse_stile", "rope", "jersey_barrier", "planter",
        "ford", "step", "sliding_gate", "sliding_beam", "entrance", "kerb", "height_restrictor", "toll_booth",
        "border_control", "bus_trap", "spikes", "bar", "barrier_board", "coupure", "door", "no", "obstacle",
        "hazard",
        "kent_carriage_gap", "chicane", "squeeze", "gap",
    ]
    /// Barriers without a gap. A node with access of its own has one.
    private static let solid: Set<String> = [
        "fence", "wall", "hedge", "city_wall", "guard_rail", "ditch", "retaining_wall", "cable_barrier",
        "hedge_bank", "wire_fence", "barbed_wire_fence", "wood_fence", "trench", "tank_trap",
        "electric_fence",
    ]
    /// Keys whose every value but `no` says that a way is not always there.
    private static let temporary = ["tidal", "ice_road", "winter_road", "seasonal"]
    /// Keys whose every value but `no` says that a way is no more.
    private static let gone = ["demolished", "razed", "removed", "destroyed", "dismantled", "collapsed"]
    /// Keys whose every value but `no` says that a way may be impassable: neglected, blocked, or not yet or no more of
    /// the kind that it has.
    private static let neglected =
        [
            "abandoned", "disused", "construction", "proposed", "planned", "overgrown", "obstacle", "blocked",
            "closed", "damage", "flooded", "ruins", "ruined",
        ]
        + TagKeys.lifecycle
    /// Keys of a state.
    private static let states = TagKeys.operation + ["status"]
    /// Values of a state by which one may not pass, besides those of what does not work.
    private static let impassable: Set<String> = [
        "abandoned", "disused", "damaged", "blocked", "destroyed", "demolished", "impassable", "proposed",
        "planned", "construction", "under_construction",
    ]
    /// Keys of structures, whose value may say that they are no more.
    private static let structures = ["bridge", "tunnel"]
    private static let neglectedStructures: Set<String> = [
        "abandoned", "disused", "ruins", "closed", "damaged", "broken", "construction", "proposed",
        "flooded",
        // The water goes over it.
        "low_water_crossing",
    ]
    /// Entrances that let out, and in only some.
    static let waysOut: Set<String> = ["emergency", "exit"]

    /// Whether the meaning of a value of `barrier` is known.
    static func knows(barrier: String) -> Bool {
        parts(barrier).allSatisfy { passable.contains($0) || solid.contains($0) }
    }

    /// The values of a list such as `gate;stile`; of an empty one the value itself, which is no known one.
    private static func parts(_ value: String) -> [String] {
        let parts = value.split(separator: ";").map { $0.trimmingPrefix(" ").description }
        return parts.isEmpty ? [value] : parts
    }

    static func of(
        _ tags: (String) -> String?, mode: TravelMode, now: LocalMoment?
    ) -> AccessRules.Verdict {
        if let tag = closingTag(tags) { return .closed(tag, unless: nil) }
        var doubts: [String] = []
        switch LifeDates(tags).state(on: now?.date) {
        case .there: break
        case .notYet(let tag), .gone(let tag): return .closed(tag, unless: nil)
        case .unknown(let tag): doubts.append(tag)
        }
        let own = tags(mode == .hiking ? "foot" : "bicycle") ?? tags("access")
        if let barrier = tags("barrier"), !parts(barrier).allSatisfy(passable.contains) {
            if parts(barrier).allSatisfy(solid.contains), own == nil {
                return .closed("barrier=\(barrier)", unless: nil)
            }
            doubts.append("barrier=\(barrier)")
        }
        doubts += neglect(tags)
        for key in temporary {
            if let value = tags(key), value != "no" { doubts.append("\(key)=\(value)") }
        }
        if let hours = tags("opening_hours"), hours != "24/7" {
            switch OpeningHours.state(hours, at: now) {
            case .open: break
            case .closed: return .closed("opening_hours=\(hours)", unless: nil)
            case .unknown: doubts.append("opening_hours=\(hours)")
            }
        }
        if own == nil, let entrance = tags("entrance"), waysOut.contains(entrance) {
            doubts.append("entrance=\(entrance)")
        }
        doubts += lockDoubts(tags, now)
        // Not for walkers, unless a tag of their own says otherwise.
        if mode == .hiking, tags("foot") == nil, let hiking = tags("hiking"), AccessRules.closes(hiking) {
            doubts.append("hiking=\(hiking)")
        }
        doubts += TimedDirections.doubts(tags, mode: mode, at: now)
        doubts += directionDoubts(tags, mode)
        // Forward and backward are directions of the edge.
        if let belt = tags("conveying"), !["no", "forward", "backward"].contains(belt) {
            doubts.append("conveying=\(belt)")
        }
        if let grade = tags("sac_scale"), SACScale.isDoubtful(grade) { doubts.append("sac_scale=\(grade)") }
        return doubts.isEmpty ? .open : .restricted(doubts.joined(separator: ", "))
    }

    /// The tag by which a way is no more, or nobody can pass.
    private static func closingTag(_ tags: (String) -> String?) -> String? {
        for key in gone {
            if let value = tags(key), value != "no" { return "\(key)=\(value)" }
        }
        for key in structures {
            if let value = tags(key), gone.contains(value) { return "\(key)=\(value)" }
        }
        if tags("impassable") == "yes" { return "impassable=yes" }
        return tags("passable") == "no" ? "passable=no" : nil
    }

    /// The tags by which a way may be impassable.
    private static func neglect(_ tags: (String) -> String?) -> [String] {
        var doubts: [String] = []
        for key in neglected + ["impassable"] {
            if let value = tags(key), value != "no" { doubts.append("\(key)=\(value)") }
        }
        for key in TagKeys.temporary {
            if let value = tags(key), AccessRules.closes(value) { doubts.append("\(key)=\(value)") }
        }
        for key in states {
            if let value = tags(key), impassable.contains(value) || TagWord.isOutOfOrder(value) {
                doubts.append("\(key)=\(value)")
            }
        }
        for key in TagKeys.climbing + ["crossing"] {
            if let value = tags(key), (key == "crossing") == (value == "no") {
                doubts.append("\(key)=\(value)")
            }
        }
        if let value = tags("passable"), value != "yes" { doubts.append("passable=\(value)") }
        for key in structures {
            if let value = tags(key), neglectedStructures.contains(value) { doubts.append("\(key)=\(value)") }
        }
        return doubts
    }

    /// A direction that is not known, or changes with time. `oneway` binds cyclists.
    private static func directionDoubts(_ tags: (String) -> String?, _ mode: TravelMode) -> [String] {
        // Of a gate or a turnstile it is not known in which direction the route passes it.
        if tags("barrier") != nil {
            let oneways = ["oneway", "oneway:foot"].filter { key in tags(key).map { $0 != "no" } ?? false }
            let closed = ["foot:forward", "foot:backward"].filter { key in
                mode == .hiking && tags(key).map(AccessRules.closes) ?? false
            }
            return (oneways + closed).map { "\($0)=\(tags($0) ?? "")" }
        }
        let own = mode == .hiking ? "oneway:foot" : "oneway:bicycle"
        let key = mode == .cycling && tags(own) == nil && tags("oneway:conditional") == nil ? "oneway" : own
        let prefix = mode == .hiking ? "foot:" : "bicycle:"
        var doubts = TagKeys.suffixed.filter { side in
            side.hasPrefix(prefix) && tags(side).map(AccessRules.isDoubtful) ?? false
        }
        if let value = tags(key), value == "reversible" || !KnownValues.isUnderstood(value, of: key) {
            doubts.append(key)
        }
        return doubts.map { "\($0)=\(tags($0) ?? "")" }
    }

    /// A lock of which it is not known whether it is locked, or locked where a tag lets pass.
    private static func lockDoubts(_ tags: (String) -> String?, _ now: LocalMoment?) -> [String] {
        if let text = tags("locked:conditional") {
            switch ConditionalAccess.value(text, at: now) {
            case .unknown: return ["locked:conditional=\(text)"]
            case .value(let value): return value == "yes" ? ["locked:conditional=\(text)"] : []
            case .otherwise: break
            }
        }
        if let value = tags("locked") { return value == "no" ? [] : ["locked=\(value)"] }
        // That there is a lock does not say that it is locked. On a way it is one of ships.
        guard tags("barrier") != nil, let value = tags("lock"), value != "no" else { return [] }
        return ["lock=\(value)"]
    }
}
