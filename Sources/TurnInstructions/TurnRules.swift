import Geodesy
import PluginKit

/// A turn found at a junction, before it is worded.
struct FoundTurn: Sendable, Hashable {
    /// A landmark of a junction.
    enum Landmark: Sendable, Hashable {
        case none
        case fork
        /// The way of arrival ends; its name.
        case endOfWay(String?)
        /// A roundabout, and the number of the exit; `nil` for a path, which is none of the numbered ones.
        case roundabout(exit: Int?)
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
    /// The kind of the way taken.
    var kind: WayKind?
    /// Whether the way before was the same.
    var staysOn = false
    /// Whether a named way is left for an unnamed one.
    var leavesName = false
    /// Whether a flight of steps leads up or down, if known.
    var isAscent: Bool?
    var landmark = Landmark.none
    /// The via point reached here.
    var via: TurnJunction.Via?
    /// The trails whose waymarks begin and end here.
    var joinsTrail: TrailMark?
    var leavesTrail: TrailMark?
    /// Whether one rides a lift here.
    var hasLift = false
    /// Whether a via point also requires an action.
    var isAnnounced = true
    /// The two merged turns, in the order of travel; empty for a single turn.
    var members: [FoundTurn] = []

    /// The angles of the classes.
    var thresholds = TurnThresholds()
    /// The side of a bend of several corners, of which the angle alone does not tell it: −180° and 180° are one.
    var side: Side?

    /// The side to which one turns.
    enum Side: Sendable, Hashable { case left, right }

    var delta: Double { Angle.difference(from: incoming, to: outgoing) }
    var direction: TurnDirection { thresholds.direction(delta) }
    /// The side of a U-turn; `nil` where the line leads back upon itself.
    var uTurnSide: Side? {
        guard direction == .uTurn else { return nil }
        if let side { return side }
        return sharpness < TurnSettings.sideless ? (delta > 0 ? .right : .left) : nil
    }
    var sharpness: Double { abs(delta) }
    /// An announcement that is not a turn, and is omitted in the text of a merged turn.
    var standsAlone: Bool { via != nil || hasLift }
    /// Whether it only says to go on, with nothing to recognise the way by.
    var saysOnlyToGoOn: Bool { isPlainStraight && (staysOn || name == nil && kind == nil) }
    /// Whether a merged text would say only to go on: the way taken for a few metres is not named there.
    var wouldSayOnlyToGoOn: Bool { isPlainStraight && kind?.isAlwaysAnnounced != true }
    private var isPlainStraight: Bool {
        direction == .straight && !standsAlone && members.isEmpty && joinsTrail == nil && leavesTrail == nil
            && keepsTo == nil && (landmark == .none || landmark == .fork)
    }
    /// The side of another way ahead that the one taken straight on is on; `nil` without such a rival.
    var keepsTo: TurnDirection?
    /// Whether a road is crossed here.
    var isCrossing: Bool { if case .crossing = landmark { true } else { false } }
}

/// A junction as input of the turn rules.
struct TurnContext {
    let incoming: TurnLeg
    let outgoing: TurnLeg
    let before: WayIdentity
    let after: WayIdentity
    let junction: TurnJunction
    let thresholds: TurnThresholds
}

/// Decides which turns are announced.
enum TurnRules {
    /// Whether a turn is announced, and the reason.
    struct Verdict {
        let isAnnounced: Bool
        let why: String
    }

    /// The landmark of a junction, for a direction of arrival and departure.
    static func landmark(delta: Double, bearing: Double, _ context: TurnContext) -> FoundTurn.Landmark {
        if let crossing = crossingAside(context, delta: delta, bearing: bearing) { return crossing }
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

    /// A larger road that is crossed on a short piece to the side, as from the pavement on one side to that on the other: the
    /// route as a whole goes straight on beside the road.
    private static func crossingAside(
        _ context: TurnContext, delta: Double, bearing: Double
    ) -> FoundTurn.Landmark? {
        let own = LegBearing.arriving(context.incoming.points)
        guard context.thresholds.direction(delta) == .straight,
            abs(Angle.difference(from: bearing, to: own)) >= TurnSettings.ahead
        else { return nil }
        let found = crossing(
            context, context.junction.exits.map { Angle.difference(from: own, to: $0.bearing) },
            delta: Angle.difference(from: own, to: LegBearing.leaving(context.outgoing.points)))
        return found == .none ? nil : found
    }

    /// A larger road that leaves to both sides while the route goes straight ahead.
    private static func crossing(
        _ context: TurnContext, _ others: [Double], delta: Double
    ) -> FoundTurn.Landmark {
        let own = max(context.incoming.roadRank, context.outgoing.roadRank)
        let larger = zip(context.junction.exits, others).filter {
            $0.0.roadRank >= TurnSettings.largeRoad && $0.0.roadRank > own && !$0.0.isRoundabout
        }
        guard context.thresholds.direction(delta) == .straight, larger.contains(where: { $0.1 > 0 }),
            larger.contains(where: { $0.1 < 0 })
        else { return .none }
        return .crossing(larger.lazy.compactMap(\.0.name).first)
    }

    /// The side that one keeps to where several ways lead straight ahead; `nil` for a turn, or one way among others on
    /// both sides.
    static func side(_ turn: FoundTurn, _ junction: TurnJunction) -> TurnDirection? {
        guard turn.direction == .straight, turn.landmark == .fork else { return nil }
        let rivals = junction.exits.filter {
            turn.thresholds.direction(Angle.difference(from: turn.incoming, to: $0.bearing)) == .straight
        }
        let sides = Set(
            rivals.map {
                Angle.difference(from: turn.outgoing, to: $0.bearing) > 0 ? TurnDirection.left : .right
            })
        return sides.count == 1 ? sides.first : nil
    }

    /// Whether the route stays on a named way.
    private static func isSameWay(_ context: TurnContext) -> Bool {
        context.after.name != nil && context.before == context.after
    }

    /// Whether a turn between two legs is announced.
    static func verdict(_ turn: FoundTurn, _ context: TurnContext) -> Verdict {
        if turn.direction == .uTurn { return Verdict(isAnnounced: true, why: "the route turns back here") }
        if context.junction.hasLift { return Verdict(isAnnounced: true, why: "a lift is taken here") }
        if let change = changeOfWay(context) { return Verdict(isAnnounced: true, why: change) }
        if case .crossing = turn.landmark {
            return Verdict(isAnnounced: true, why: "a larger road is crossed")
        }
        if turn.direction == .straight {
            let rival = context.junction.exits.contains {
                turn.thresholds.direction(Angle.difference(from: turn.incoming, to: $0.bearing)) == .straight
            }
            return rival
                ? Verdict(isAnnounced: true, why: "another way also leads straight ahead")
                : Verdict(isAnnounced: false, why: "straight ahead, and the name does not change")
        }
        guard !context.junction.exits.isEmpty else {
            return Verdict(isAnnounced: false, why: "a forced bend: no other way leaves here")
        }
        let isBend =
            isSameWay(context) && turn.landmark == .none && turn.sharpness < turn.thresholds.slight
        return isBend
            ? Verdict(isAnnounced: false, why: "the named way bends and no other way leads ahead")
            : Verdict(isAnnounced: true, why: "other ways leave here")
    }

    /// The reason why the ways before and after are different; `nil` if they are the same.
    private static func changeOfWay(_ context: TurnContext) -> String? {
        let (from, to) = (context.incoming.kind, context.outgoing.kind)
        if from != to {
            if to?.isAlwaysAnnounced == true { return "\(to == .steps ? "steps begin" : "boarding") here" }
            if from?.isRide == true { return "the \(from == .ferry ? "ferry" : "lift") ride ends here" }
        }
        guard context.before != context.after else { return nil }
        if context.after.name != nil { return "the name of the way changes here" }
        if context.before.name != nil { return "the route leaves \(context.before.name ?? "") here" }
        // An unknown kind cannot be compared.
        guard context.before.kind != nil, let kind = context.after.kind else { return nil }
        return "the way becomes a \(kind.rawValue) here"
    }
}

extension FoundTurn.Landmark {
    /// The landmark in a trace.
    var word: String {
        switch self {
        case .none: ""
        case .fork: "fork"
        case .endOfWay: "end of way"
        case .roundabout(let exit): exit.map { "roundabout, exit \($0)" } ?? "roundabout"
        case .crossing: "crossing"
        }
    }
}
