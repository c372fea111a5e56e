import Geodesy

/// The words of turn instructions.
enum TurnWording {
    /// The words of a turn, or of several that were merged.
    static func text(_ turn: FoundTurn) -> String {
        guard turn.members.count > 1 else {
            return verb(turn.direction) + onto(turn.name) + place(turn.landmark)
        }
        var words = verb(turn.members[0].direction) + inner(turn.members[0].landmark)
        for (previous, next) in zip(turn.members, turn.members.dropFirst()) {
            words += ", then " + following(next.direction, after: previous.direction) + inner(next.landmark)
        }
        return words + onto(turn.members.last?.name)
    }

    /// The words of the first instruction.
    static func start(bearing: Double, name: String?) -> String {
        "Head " + compass(bearing) + (name.map { " on \($0)" } ?? "")
    }

    /// The words of the last instruction.
    static let arrive = "Arrive"

    /// The nearest of the eight main directions.
    static func compass(_ bearing: Double) -> String {
        let names = [
            "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest",
        ]
        return names[Int((Angle.normalized(bearing) / 45).rounded()) % names.count]
    }

    private static func verb(_ direction: TurnDirection) -> String {
        switch direction {
        case .start: "Head"
        case .straight: "Continue straight"
        case .slightLeft: "Bear left"
        case .left: "Turn left"
        case .sharpLeft: "Sharp left"
        case .slightRight: "Bear right"
        case .right: "Turn right"
        case .sharpRight: "Sharp right"
        case .uTurn: "U-turn"
        case .arrive: arrive
        }
    }

    /// The verb of a further turn: `right` after `Turn left`, `bear right` after another verb.
    private static func following(_ direction: TurnDirection, after previous: TurnDirection) -> String {
        let plain: [TurnDirection: String] = [.left: "left", .right: "right"]
        if plain[previous] != nil, let word = plain[direction] { return word }
        if direction == .uTurn { return "U-turn" }
        return verb(direction).lowercased()
    }

    private static func onto(_ name: String?) -> String { name.map { " onto \($0)" } ?? "" }

    private static func place(_ landmark: FoundTurn.Landmark) -> String {
        switch landmark {
        case .none: ""
        case .fork: " at the fork"
        case .endOfWay(let name): " at the end of \(name ?? "the way")"
        case .roundabout(let exit): " at the roundabout, \(ordinal(exit)) exit"
        }
    }

    /// Inside of merged words only a roundabout is said.
    private static func inner(_ landmark: FoundTurn.Landmark) -> String {
        if case .roundabout = landmark { return place(landmark) }
        return ""
    }

    private static func ordinal(_ number: Int) -> String {
        let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
        return words.indices.contains(number - 1) ? words[number - 1] : "\(number)th"
    }
}
