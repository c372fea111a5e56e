import Geodesy
import PluginKit

/// A turn as it was found at a junction, before it is worded.
struct FoundTurn: Sendable, Hashable {
    /// What makes a junction worth naming.
    enum Landmark: Sendable, Hashable {
        case none
        case fork
        /// The way one came on ends; its name.
        case endOfWay(String?)
        /// A roundabout, and which of its exits is taken.
        case roundabout(exit: Int)
        /// A larger road that is crossed; its name.
        case crossing(String?)
    }

    var at: Coordinate
    /// Metres from the start.
    var along: Double
    /// The direction before.
    var incoming: Double
    /// The direction after.
    var outgoing: Double
    /// The name of the way taken.
    var name: String?
    /// What the way taken is.
    var kind: WayKind?
    /// Whether one was on the same way before.
    var staysOn = false
    /// Whether a named way is left for one without a name.
    var leavesName = false
    /// Metres that a flight of steps rises, where that is known.
    var rise: Double?
    var landmark = Landmark.none
    /// The via point reached here.
    var via: TurnJunction.Via?
    /// The trail whose waymarks begin here, and the one whose last was passed.
    var joinsTrail: TrailMark?
    var leavesTrail: TrailMark?
    /// Whether there is something to do at a via point, beside having reached it.
    var isTold = true
    /// The two turns that were merged into this one, in the order of travel; empty for none.
    var members: [FoundTurn] = []

    var delta: Double { Angle.difference(from: incoming, to: outgoing) }
    var direction: TurnDirection { TurnDirection(delta: delta) }
    var sharpness: Double { abs(delta) }
    /// Something is told here that is no turn, and that the words of a merged turn have no room for.
    var standsAlone: Bool { via != nil }
}

/// A junction as a turn rule sees it.
struct TurnContext {
    let incoming: TurnLeg
    let outgoing: TurnLeg
    let before: WayIdentity
    let after: WayIdentity
    let junction: TurnJunction
}

/// Which turns are told.
enum TurnRules {
    /// Whether a turn is told, and why.
    struct Verdict {
        let isTold: Bool
        let why: String
    }

    /// What a junction is, seen by someone who arrives there and leaves it so.
    static func landmark(delta: Double, bearing: Double, _ context: TurnContext) -> FoundTurn.Landmark {
        let (junction, incoming) = (context.junction, context.incoming)
        let others = junction.exits.map { Angle.difference(from: bearing, to: $0.bearing) }
        let leadsAhead = others.contains { abs($0) < TurnSettings.ahead }
        if abs(delta) < TurnSettings.ahead {
            return leadsAhead ? .fork : crossing(context, others, delta: delta)
        }
        let continues = junction.exits.contains { $0.name != nil && $0.name == incoming.name }
        let opposite = others.contains {
            abs($0) >= TurnSettings.ahead && abs($0) < TurnSettings.aside && ($0 > 0) != (delta > 0)
        }
        guard !leadsAhead, !continues, opposite, !isSameWay(context), abs(delta) < TurnSettings.aside else {
            return .none
        }
        return .endOfWay(incoming.name)
    }

    /// A larger road that leaves to both sides of someone who goes straight on.
    private static func crossing(
        _ context: TurnContext, _ others: [Double], delta: Double
    ) -> FoundTurn.Landmark {
        let own = max(context.incoming.roadRank, context.outgoing.roadRank)
        let larger = zip(context.junction.exits, others).filter {
            $0.0.roadRank >= TurnSettings.largeRoad && $0.0.roadRank > own && !$0.0.isRoundabout
        }
        guard TurnDirection(delta: delta) == .straight, larger.contains(where: { $0.1 > 0 }),
            larger.contains(where: { $0.1 < 0 })
        else { return .none }
        return .crossing(larger.lazy.compactMap(\.0.name).first)
    }

    /// Whether one stays on a named way.
    private static func isSameWay(_ context: TurnContext) -> Bool {
        context.after.name != nil && context.before == context.after
    }

    /// Whether a turn between two legs is told.
    static func verdict(_ turn: FoundTurn, _ context: TurnContext) -> Verdict {
        if turn.direction == .uTurn { return Verdict(isTold: true, why: "one turns back here") }
        if let change = changeOfWay(context) { return Verdict(isTold: true, why: change) }
        if case .crossing = turn.landmark { return Verdict(isTold: true, why: "a larger road is crossed") }
        if turn.direction == .straight {
            let rival = context.junction.exits.contains {
                TurnDirection(delta: Angle.difference(from: turn.incoming, to: $0.bearing)) == .straight
            }
            return rival
                ? Verdict(isTold: true, why: "another way goes straight on as well")
                : Verdict(isTold: false, why: "it goes straight on and the name stays")
        }
        guard !context.junction.exits.isEmpty else {
            return Verdict(isTold: false, why: "a forced bend: no other way leaves here")
        }
        let isBend =
            isSameWay(context) && turn.landmark == .none && turn.sharpness < TurnDirection.Limits.slight
        return isBend
            ? Verdict(isTold: false, why: "the named way bends and no other leads ahead")
            : Verdict(isTold: true, why: "other ways leave here")
    }

    /// Why the way before and the way after are not the same; `nil` where they are.
    private static func changeOfWay(_ context: TurnContext) -> String? {
        let (from, to) = (context.incoming.kind, context.outgoing.kind)
        if from != to {
            if to?.isAlwaysTold == true { return "\(to == .steps ? "steps begin" : "one boards") here" }
            if from?.isRide == true { return "one leaves the \(from == .ferry ? "ferry" : "lift") here" }
        }
        guard context.before != context.after else { return nil }
        if context.after.name != nil { return "the name of the way changes here" }
        if context.before.name != nil { return "one leaves \(context.before.name ?? "") here" }
        // Where one kind is not known there is nothing to compare.
        guard context.before.kind != nil, let kind = context.after.kind else { return nil }
        return "the way becomes a \(kind.rawValue) here"
    }
}

extension FoundTurn.Landmark {
    /// The landmark as it stands in a trace.
    var word: String {
        switch self {
        case .none: ""
        case .fork: "fork"
        case .endOfWay: "end of way"
        case .roundabout(let exit): "roundabout, exit \(exit)"
        case .crossing: "crossing"
        }
    }
}
