import Geodesy

/// A thing that plays over time, such as a walk under guidance.
public protocol PlaybackProviding: DomainObject {
    /// What a player shows of it, with words in the session's units.
    func playback(in environment: Environment) -> Playback
}

/// What a player shows, moment by moment. Moments are made when they are asked for.
public struct Playback: Sendable {
    /// A moment.
    public struct Moment: Sendable, Hashable {
        /// Seconds since the first.
        public var elapsed: Double
        /// The position.
        public var place: Coordinate
        /// The direction of movement in degrees from north, if known.
        public var heading: Double?
        /// The index of the line that is followed.
        public var line: Int
        /// What is said about it.
        public var panel: Panel

        /// A moment.
        public init(elapsed: Double, place: Coordinate, heading: Double?, line: Int, panel: Panel) {
            (self.elapsed, self.place, self.heading) = (elapsed, place, heading)
            (self.line, self.panel) = (line, panel)
        }
    }

    /// What is said about a moment, in the words of the terminal.
    public struct Panel: Sendable, Hashable {
        /// The arrow of the next turn.
        public var arrow: String
        /// How far it is; `nil` where that is not known.
        public var distance: String?
        /// The instruction.
        public var text: String
        /// Share, rest and remaining time.
        public var facts: String
        /// The share as a number, 0…1.
        public var progress: Double
        /// That the line was left.
        public var warning: String?

        /// A panel.
        public init(
            arrow: String, distance: String?, text: String, facts: String, progress: Double, warning: String?
        ) {
            (self.arrow, self.distance, self.text) = (arrow, distance, text)
            (self.facts, self.progress, self.warning) = (facts, progress, warning)
        }
    }

    /// Something that happens at a moment.
    public struct Event: Sendable, Hashable {
        /// The index of the moment.
        public var moment: Int
        /// Its kind, in one word.
        public var name: String
        /// What is said.
        public var text: String
        /// What is felt; `nil` where that is nothing.
        public var haptic: Haptic?

        /// An event.
        public init(moment: Int, name: String, text: String, haptic: Haptic?) {
            (self.moment, self.name, self.text, self.haptic) = (moment, name, text, haptic)
        }
    }

    /// What a watch makes felt.
    public struct Haptic: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// A character that stands for it.
        public var symbol: String

        /// A haptic.
        public init(name: String, symbol: String) { (self.name, self.symbol) = (name, symbol) }
    }

    /// What is played.
    public var title: String
    /// The lines that are followed, one after the other.
    public var lines: [[Coordinate]]
    /// How many moments there are.
    public var count: Int
    /// A moment by its index.
    public var moment: @Sendable (Int) -> Moment
    /// What happens, in order.
    public var events: [Event]
    /// Speeds to choose from, as multiples of real time.
    public var rates: [Double]

    /// A playback.
    public init(
        title: String, lines: [[Coordinate]], count: Int, events: [Event], rates: [Double],
        moment: @escaping @Sendable (Int) -> Moment
    ) {
        (self.title, self.lines, self.count, self.moment) = (title, lines, count, moment)
        (self.events, self.rates) = (events, rates)
    }
}
