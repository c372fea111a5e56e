import PluginKit

/// The trace steps of an import of ways.
enum WaySteps {
    /// The decision on ways with these tags.
    static func considered(_ tags: WayTags, _ verdict: WayVerdict?) -> TraceStep {
        let access = TagKeys.access.compactMap { key in tags[key].map { "\(key)=\($0)" } }
        return .candidate(
            [
                ("highway", Value(tags["highway"], Value.text)),
                ("surface", Value(tags["surface"], Value.text)),
                ("sac", Value(tags["sac_scale"], Value.text)),
                ("access", access.isEmpty ? .nothing : .text(access.joined(separator: " "))),
                ("oneway", Value(verdict) { .boolean($0.kind.isOneway) }),
            ], verdict == nil ? .refused : .kept, why: why(tags, verdict))
    }

    private static func why(_ tags: WayTags, _ verdict: WayVerdict?) -> String {
        guard let verdict else {
            return tags["highway"].map { WayRules.kept.contains($0) } ?? true
                ? "access is always forbidden" : "not a kind for walking or cycling"
        }
        if verdict.walksForward != verdict.walksBackward { return "kept; walkers in one direction only" }
        if !verdict.walksForward { return "kept; closed to walkers in the app" }
        return verdict.kind.isOneway ? "kept; cyclists in one direction only" : "kept"
    }
}
