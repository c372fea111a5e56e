import CivilTime
import Geodesy
import PluginKit

/// The quality of guidance on a walk, measured against its true positions.
public struct WalkScore: Sendable, Hashable {
    /// Arrivals announced more than 25 m before they are due, or off the plan.
    public var falseArrivals = 0
    /// Walks that reached the end without an arrival.
    public var missedArrivals = 0
    /// Prompts that are due, and those that were spoken without being due.
    public var prompts = 0
    /// Prompts spoken within 25 m of the point where they are due.
    var inPlace = 0
    /// Prompts spoken more than 25 m before that point.
    public var early = 0
    /// Prompts spoken more than 25 m after that point.
    public var late = 0
    /// Prompts never spoken.
    public var missing = 0
    /// Late and missing prompts that are excused: after leaving the plan its continuation is unknown.
    public var excused = 0
    /// Announcements and prompts at turns that were spoken.
    public var spoken = 0
    /// Those of them that were spoken for the first time.
    public var announced = 0
    /// Runs of more than two consecutive instructions without a prompt.
    public var silences = 0
    /// Warnings while on the route.
    public var falseOffRoute = 0
    /// New routes.
    public var reroutes = 0
    /// Via points that a completed walk with new routes did not pass.
    public var viasMissed = 0
    /// Seconds during which progress was more than 50 m wrong.
    public var secondsWrong = 0.0
    /// Duration of the walks, seconds.
    public var seconds = 0.0
    /// The number of walks.
    public var walks = 0

    /// An empty score.
    public init() {}

    /// The share of prompts spoken in place, of those that are not excused; `nil` without any.
    public var shareInPlace: Double? {
        prompts > excused ? Double(inPlace) / Double(prompts - excused) : nil
    }

    /// The share of all prompts spoken in place, including excused ones; `nil` without any.
    public var shareOfAll: Double? { prompts > 0 ? Double(inPlace) / Double(prompts) : nil }

    /// How often each announcement and each prompt at a turn was spoken, on average; `nil` without any.
    public var promptsEach: Double? { announced > 0 ? Double(spoken) / Double(announced) : nil }

    /// False warnings per hour; `nil` without time.
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
        spoken += other.spoken
        announced += other.announced
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
enum ScoreSettings {
    /// A prompt is in place within this, metres.
    static let inPlace = 25.0
    /// Progress is wrong beyond this, metres.
    static let wrong = 50.0
    /// Seconds after leaving the plan (turned round, cut, joined) during which its continuation is unknown:
    /// prompts due in this time may be spoken until its end. As long as going back must last to count as
    /// turning round.
    static let settling = 30.0
    /// A silence is more than this many instructions.
    static let silence = 2
    /// The maximum speed along a route, metres per second; faster movement is a skipped part.
    static let fastest = 4.0
    static let slack = 10.0
    /// The maximum distance from the line of a walker on the route, metres.
    static let onRoute = 10.0
    /// The distance, metres, within which a via point is passed, and the end of a walk with new routes is
    /// reached: from the point of the nearest way.
    static let passed = 30.0
}

/// A fault found by a score.
public struct WalkFault: Sendable, Hashable {
    /// The kind of fault.
    public enum Kind: String, Sendable, Hashable {
        case falseArrival, missedArrival, viaMissed, early, late, missing, silence, falseOffRoute
    }

    /// What is wrong.
    public var kind: Kind
    /// Seconds since the first fix.
    public var seconds: Double
    /// The true distance along the route, metres; `nil` off the plan.
    public var truth: Double?
    /// The distance by guidance, metres.
    public var along: Double
    /// The prompt or event.
    public var text: String
    /// Metres by which it is late; negative if early.
    public var off: Double?
}
