import PluginKit

extension PathTurns {
    /// Warnings of ways that are closed when they are reached, although they are open at the time of departure. The first is
    /// reached some seconds after it.
    func closures(_ plan: RoutePlan, after start: Double = 0) -> [String] {
        guard let departure = plan.departure else { return [] }
        var kinds: [Int32: (kind: EdgeKind, cost: CostProfile.KindCost)] = [:]
        var seconds = start
        var warnings: [String] = []
        for piece in path.edges {
            let number = graph.kind[piece.edge]
            let kind = kinds[number]?.kind ?? graph.kind(of: piece.edge)
            let cost = kinds[number]?.cost ?? plan.profile.kindCost(kind)
            kinds[number] = (kind, cost)
            if kind.isTimed, let why = closing(kind, piece, plan.profile, departure, after: seconds) {
                let what = kind.obstacle.map { $0.replacing("_", with: " ") } ?? graph.name(of: piece.edge)
                let warning =
                    "\(what ?? kind.highway ?? "a way") is no longer open when it is reached, about "
                    + "\(departure.clock(after: seconds)): \(why)"
                if !warnings.contains(warning) { warnings.append(warning) }
            }
            let whole = graph.measures(of: piece)
            seconds +=
                piece.share
                * plan.profile.seconds(distance: whole.distance, gain: whole.gain, loss: whole.loss, cost)
        }
        return warnings
    }

    /// The tag that closes a piece of way some seconds after the departure.
    private func closing(
        _ kind: EdgeKind, _ piece: PathEdge, _ profile: CostProfile, _ departure: SettingOut,
        after seconds: Double
    ) -> String? {
        var later = profile
        later.moment = departure.local(after: seconds, sun: profile.moment?.sun)
        if case .closed(let tag, _) = later.access(to: kind) { return tag }
        guard !later.mayGo(kind, isReversed: piece.isReversed) else { return nil }
        return kind.tags?.keys.sorted().first { $0.hasSuffix(":conditional") }.map { key in
            "\(key)=\(kind.value(key) ?? "")"
        }
    }
}
