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
    var landmark = Landmark.none
    /// The turns that were merged into this one, in the order of travel, itself among them; empty for none.
    var members: [FoundTurn] = []

    var delta: Double { Angle.difference(from: incoming, to: outgoing) }
    var direction: TurnDirection { TurnDirection(delta: delta) }
    var sharpness: Double { abs(delta) }
}

/// Which turns are told.
enum TurnRules {
    /// Whether a turn is told, and why.
    struct Verdict {
        let isTold: Bool
        let why: String
    }

    /// What a junction is, seen by someone who arrives there and leaves it so.
    static func landmark(
        delta: Double, from incoming: TurnLeg, to outgoing: TurnLeg, bearing: Double, _ junction: TurnJunction
    ) -> FoundTurn.Landmark {
        let others = junction.exits.map { Angle.difference(from: bearing, to: $0.bearing) }
        let leadsAhead = others.contains { abs($0) < TurnSettings.ahead }
        if abs(delta) < TurnSettings.ahead { return leadsAhead ? .fork : .none }
        let continues = junction.exits.contains { $0.name != nil && $0.name == incoming.name }
        let opposite = others.contains {
            abs($0) >= TurnSettings.ahead && abs($0) < TurnSettings.aside && ($0 > 0) != (delta > 0)
        }
        let isSameWay = outgoing.name != nil && outgoing.name == incoming.name
        guard !leadsAhead, !continues, opposite, !isSameWay, abs(delta) < TurnSettings.aside else {
            return .none
        }
        return .endOfWay(incoming.name)
    }

    /// Whether a turn between two legs is told.
    static func verdict(
        _ turn: FoundTurn, from incoming: TurnLeg, to outgoing: TurnLeg, _ junction: TurnJunction
    ) -> Verdict {
        let direction = turn.direction
        if direction == .uTurn { return Verdict(isTold: true, why: "one turns back here") }
        if outgoing.name != nil && outgoing.name != incoming.name {
            return Verdict(isTold: true, why: "the name of the way changes here")
        }
        if direction == .straight {
            let rival = junction.exits.contains {
                TurnDirection(delta: Angle.difference(from: turn.incoming, to: $0.bearing)) == .straight
            }
            return rival
                ? Verdict(isTold: true, why: "another way goes straight on as well")
                : Verdict(isTold: false, why: "it goes straight on and the name stays")
        }
        guard junction.exits.isEmpty else {
            let staysOn =
                outgoing.name != nil && turn.landmark == .none && turn.sharpness < TurnDirection.Limits.slight
            return staysOn
                ? Verdict(isTold: false, why: "the named way bends and no other leads ahead")
                : Verdict(isTold: true, why: "other ways leave here")
        }
        if outgoing.name == nil {
            return Verdict(isTold: false, why: "an obvious bend of an unnamed way: no other way leaves here")
        }
        return turn.sharpness < TurnDirection.Limits.slight
            ? Verdict(isTold: false, why: "a slight bend where no other way leaves")
            : Verdict(isTold: true, why: "the named way turns here")
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
        }
    }
}
