import Geodesy

/// The patterns of turn instructions in a language. `{…}` are placeholders.
public struct TurnLanguage: Sendable, Hashable {
    /// Its code, such as `en`.
    public let code: String
    /// Its English name.
    public let name: String
    /// The verb of each direction.
    let verbs: [TurnDirection: String]
    /// Going straight on, to one side of another way that leads ahead too.
    let keep: [TurnDirection: String]
    /// The verbs of a U-turn to a side.
    let uTurnLeft: String
    let uTurnRight: String
    /// The text of a second turn after a first, such as `, then right`.
    let then: String
    /// A second turn without a verb after a turn to the side.
    let short: [TurnDirection: String]
    /// `{verb}` with the way taken: `{way}` is its name; the second pattern is for staying on the same way.
    let onto: String
    let stay: String
    /// The way taken, if it has no name.
    let kinds: [WayKind: String]
    /// The way on which one stays, if it has no name.
    let ways: [WayKind: String]
    /// Steps whose direction is known.
    let stepsUp: String
    let stepsDown: String
    /// A way without known properties.
    let unnamed: String
    let start: String
    let startOn: String
    let arrive: String
    /// The eight main directions clockwise from north.
    let compass: [String]
    let fork: String
    let endOf: String
    let theWay: String
    let roundabout: String
    /// `first` … `eighth`; `{number}` above.
    let ordinals: [String]
    let furtherOrdinal: String
    let cross: String
    let theRoad: String
    let via: String
    let viaNamed: String
    let takeLift: String
    let waymarks: WaymarkWords
    let follow: String
    let leave: String

    /// The languages by their codes, English first.
    public static let all: [TurnLanguage] = [.english, .german, .french, .spanish]
}
