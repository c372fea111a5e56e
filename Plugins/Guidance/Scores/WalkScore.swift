import CivilTime
import Geodesy
import PluginKit

/// How well a walk was guided, measured against its true positions.
public struct WalkScore: Sendable, Hashable {
    /// Arrivals that were said more than 25 m before they are due, or where the plan was not followed.
    public var falseArrivals = 0
    /// Whether the end was reached and no arrival was said.
    public var missedArrivals = 0
    /// Prompts that are due, and those that were spoken though they are not.
    public var prompts = 0
    /// Prompts spoken within 25 m of their place.
    public var inPlace = 0
    /// Prompts spoken more than 25 m before their place.
    public var early = 0
    /// Prompts spoken more than 25 m after their place.
    public var late = 0
    /// Prompts never spoken.
    public var missing = 0
    /// Prompts out of their place, and prompts that never came, that are excused: nobody can know yet where someone goes
    /// on who has left the plan.
    public var excused = 0
    /// Runs of more than two instructions in a row that were passed in silence.
    public var silences = 0
    /// Warnings on the route.
    public var falseOffRoute = 0
    /// New routes.
    public var reroutes = 0
    /// Places to pass that a walk with new routes that came to the end did not pass.
    public var viasMissed = 0
    /// Seconds at which progress was more than 50 m wrong.
    public var secondsWrong = 0.0
    /// Duration of the walks, seconds.
    public var seconds = 0.0
    /// Their number.
    public var walks = 0

    /// Nothing measured yet.
    public init() {}

    /// The share of the prompts that were spoken in their place, of those that are not excused; `nil` without any.
    public var shareInPlace: Double? {
        prompts > excused ? Double(inPlace) / Double(prompts - excused) : nil
    }

    /// The share of all prompts that were spoken in their place, with nothing excused; `nil` without any.
    public var shareOfAll: Double? { prompts > 0 ? Double(inPlace) / Double(prompts) : nil }

    /// False warnings an hour; `nil` without time.
    public var falseOffRouteHourly: Double? { seconds > 0 ? Double(falseOffRoute) / seconds * 3600 : nil }

    /// Adds another score.
    public mutating func add(_ other: WalkScore) {
        falseArrivals += other.falseArrivals
        missedArrivals += other.missedArrivals
        prompts += other.prompts
        inPlace += other.inPlace
        early += other.early
        late += other.late
        missing += other.missing
        excused += other.excused
        silences += other.silences
        falseOffRoute += other.falseOffRoute
        reroutes += other.reroutes
        viasMissed += other.viasMissed
        secondsWrong += other.secondsWrong
        seconds += other.seconds
        walks += other.walks
    }
}

/// Constants of scores.
public enum ScoreSettings {
    /// A prompt is in its place within this, metres.
    public static let place = 25.0
    /// Progress is wrong beyond this, metres.
    public static let wrong = 50.0
    /// Seconds after the plan was left (turned round, cut, joined) in which nobody can know where it goes on: prompts due
    /// by then may come until its end. As long as going back must last to count as turning round.
    public static let settling = 30.0
    /// A silence is more than this many instructions.
    public static let silence = 2
    /// The fastest that one moves along a route, metres a second; faster is a part left out.
    static let fastest = 4.0
    static let slack = 10.0
    /// A walker so near the line is on the route, metres.
    static let onRoute = 10.0
    /// A place is passed, and the end of a walk with new routes is reached, within this, metres: where the way nearest to
    /// it is.
    static let passed = 30.0
}

/// Something that a score counts as wrong.
public struct WalkFault: Sendable, Hashable {
    /// What is wrong.
    public enum Kind: String, Sendable, Hashable {
        case falseArrival, missedArrival, viaMissed, early, late, missing, silence, falseOffRoute
    }

    /// What is wrong.
    public var kind: Kind
    /// Seconds since the first fix.
    public var seconds: Double
    /// The true distance along the route, metres; `nil` where the plan is not followed.
    public var truth: Double?
    /// The distance that was believed, metres.
    public var along: Double
    /// The prompt or event.
    public var text: String
    /// Metres by which it is late; negative is early.
    public var off: Double?
}
