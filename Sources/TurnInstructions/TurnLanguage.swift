import Geodesy

/// The patterns of turn instructions in a language. `{…}` stands for what is filled in; nothing else is code.
public struct TurnLanguage: Sendable, Hashable {
    /// Its code, such as `en`.
    public let code: String
    /// Its English name.
    public let name: String
    /// The verb of each direction.
    let verbs: [TurnDirection: String]
    /// The words of a second turn after a first, such as `, then right`.
    let then: String
    /// A second turn that needs no verb after a turn to the side.
    let short: [TurnDirection: String]
    /// `{verb}` with the way taken: `{way}` is a name, on the same way the second.
    let onto: String
    let stay: String
    /// The way taken where it has no name.
    let kinds: [WayKind: String]
    /// Steps whose direction is known.
    let stepsUp: String
    let stepsDown: String
    /// A way of which nothing is known.
    let unnamed: String
    let start: String
    let startOn: String
    let arrive: String
    /// The eight main directions from north on, clockwise.
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
    let follow: String
    let leave: String

    /// The languages by their codes, English first.
    public static let all: [TurnLanguage] = [.english, .german, .french, .spanish]
}
