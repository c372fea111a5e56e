/// The action at a point of a route, by the angle of the turn. The raw values are stored in files.
public enum TurnDirection: String, Sendable, Hashable, CaseIterable, Codable {
    /// The start.
    case start
    /// Straight: within 15° of the previous direction.
    case straight
    /// 15° to 45° to the left.
    case slightLeft
    /// 45° to 135° to the left.
    case left
    /// 135° to 170° to the left.
    case sharpLeft
    /// 15° to 45° to the right.
    case slightRight
    /// 45° to 135° to the right.
    case right
    /// 135° to 170° to the right.
    case sharpRight
    /// 170° and more.
    case uTurn
    /// The arrival.
    case arrive
}

extension TurnDirection {
    /// The upper limits of the classes, in degrees.
    public enum Limits {
        /// Below it a turn is straight.
        public static let straight = 15.0
        /// Below it a turn is slight.
        public static let slight = 45.0
        /// Below it a turn is ordinary.
        public static let turn = 135.0
        /// Below it a turn is sharp, else a U-turn.
        public static let sharp = 170.0
    }

    /// The class of a turn by its angle, −180 < delta ≤ 180, positive to the right.
    public init(delta: Double) {
        let isRight = delta > 0
        switch abs(delta) {
        case ..<Limits.straight: self = .straight
        case ..<Limits.slight: self = isRight ? .slightRight : .slightLeft
        case ..<Limits.turn: self = isRight ? .right : .left
        case ..<Limits.sharp: self = isRight ? .sharpRight : .sharpLeft
        default: self = .uTurn
        }
    }
}
