import PluginKit

/// What hinders everyone on an edge, whatever their permission: barriers without a gap, tides, ice, hours, unknown grades.
///
/// Source: OpenStreetMap wiki, "Key:barrier", "Key:tidal", "Key:ice_road", "Key:seasonal", "Key:opening_hours".
enum Hindrances {
    /// Barriers with a passage for walkers.
    private static let passable: Set<String> = [
        "gate", "bollard", "stile", "kissing_gate", "lift_gate", "swing_gate", "cycle_barrier", "block",
        "cattle_grid", "turnstile", "full-height_turnstile", "chain", "motorcycle_barrier", "hampshire_gate",
        "sally_port", "bump_gate", "log", "wicket_gate", "horse_stile", "rope", "jersey_barrier", "planter",
        "ford", "step", "sliding_gate", "sliding_beam", "entrance", "kerb", "height_restrictor", "toll_booth",
        "border_control", "bus_trap", "spikes", "bar", "barrier_board", "coupure", "door", "no",
    ]
    /// Barriers without a gap. A node with access of its own has one.
    private static let solid: Set<String> = [
        "fence", "wall", "hedge", "city_wall", "guard_rail", "ditch", "retaining_wall", "cable_barrier",
        "hedge_bank", "wire_fence", "barbed_wire_fence", "wood_fence", "trench", "tank_trap",
    ]
    /// Keys whose every value but `no` says that a way is not always there.
    private static let temporary = ["tidal", "ice_road", "winter_road", "seasonal"]

    static func of(
        _ tags: (String) -> String?, mode: TravelMode, now: LocalMoment?
    ) -> AccessRules.Verdict {
        var doubts: [String] = []
        if let barrier = tags("barrier"), !passable.contains(barrier) {
            let own = tags(mode == .hiking ? "foot" : "bicycle") ?? tags("access")
            let isSolid = solid.contains(barrier)
            if isSolid, own == nil { return .closed("barrier=\(barrier)", unless: nil) }
            doubts.append("barrier=\(barrier)")
        }
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
        // Forward and backward are directions of the edge.
        if let belt = tags("conveying"), !["no", "forward", "backward"].contains(belt) {
            doubts.append("conveying=\(belt)")
        }
        if let grade = tags("sac_scale"), SACScale.isDoubtful(grade) { doubts.append("sac_scale=\(grade)") }
        return doubts.isEmpty ? .open : .restricted(doubts.joined(separator: ", "))
    }
}
