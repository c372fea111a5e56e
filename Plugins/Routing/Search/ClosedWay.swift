/// Why a profile cannot use a way, and what would let it.
struct ClosedWay {
    /// Such as `is of grade T4, above the limit`.
    let why: String
    /// The option that opens it; `nil` if none does.
    let fix: String?

    /// `nil` for a way that is open.
    init?(_ kind: EdgeKind, _ profile: CostProfile) {
        if profile.isBeyondLimit(kind), let grade = kind.sac?.grade {
            (why, fix) = ("is of grade T\(grade), above the limit", "--sac-limit T\(grade)")
            return
        }
        if case .closed(let tag, let unless) = profile.access(to: kind) {
            (why, fix) = ("is closed: \(tag)", unless.map { "--allow \($0)" })
            return
        }
        if let highway = kind.highway, profile.closedHighways.contains(highway) {
            (why, fix) = ("is closed to this profile: highway=\(highway)", nil)
            return
        }
        guard let rule = profile.rules.first(where: { $0.isForbidden && $0.holds(kind) }) else { return nil }
        (why, fix) = ("is closed to this profile: \(rule.reason(kind))", nil)
    }
}
