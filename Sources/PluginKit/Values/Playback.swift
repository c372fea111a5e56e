import Geodesy

/// An object that plays over time, such as a guided walk.
public protocol PlaybackProviding: DomainObject {
    /// Its playback, with text in the session's units.
    func playback(in environment: Environment) -> Playback
}

/// The content of a player, moment by moment, computed on demand.
public struct Playback: Sendable {
    /// A moment.
    public struct Moment: Sendable, Hashable {
        /// Seconds since the first.
        public var elapsed: Double
        /// The position.
        public var coordinate: Coordinate
        /// The direction of movement in degrees from north, if known.
        public var heading: Double?
        /// The index of the line that is followed.
        public var line: Int
        /// The text panel.
        public var panel: Panel

        /// A moment.
        public init(elapsed: Double, coordinate: Coordinate, heading: Double?, line: Int, panel: Panel) {
            (self.elapsed, self.coordinate, self.heading) = (elapsed, coordinate, heading)
            (self.line, self.panel) = (line, panel)
        }
    }

    /// The text about a moment, as in the terminal.
    public struct Panel: Sendable, Hashable {
        /// The arrow of the next turn.
        public var arrow: String
        /// The distance to it; `nil` if unknown.
        public var distance: String?
        /// The instruction.
        public var text: String
        /// Progress, remaining distance and remaining time.
        public var facts: String
        /// The progress, 0…1.
        public var progress: Double
        /// Whether the walker is off the line.
        public var warning: String?

        /// A panel.
        public init(
            arrow: String, distance: String?, text: String, facts: String, progress: Double, warning: String?
        ) {
            (self.arrow, self.distance, self.text) = (arrow, distance, text)
            (self.facts, self.progress, self.warning) = (facts, progress, warning)
        }
    }

    /// An event at a moment.
    public struct Event: Sendable, Hashable {
        /// The index of the moment.
        public var moment: Int
        /// Its kind, in one word.
        public var name: String
        /// The spoken prompt.
        public var text: String
        /// The haptic; `nil` for none.
        public var haptic: Haptic?

        /// An event.
        public init(moment: Int, name: String, text: String, haptic: Haptic?) {
            (self.moment, self.name, self.text, self.haptic) = (moment, name, text, haptic)
        }
    }

    /// A haptic signal of a watch.
    public struct Haptic: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// Its symbol.
        public var symbol: String

        /// A haptic.
        public init(name: String, symbol: String) { (self.name, self.symbol) = (name, symbol) }
    }

    /// The title.
    public var title: String
    /// The followed lines, in order.
    public var lines: [[Coordinate]]
    /// The number of moments.
    public var count: Int
    /// A moment by its index.
    public var moment: @Sendable (Int) -> Moment
    /// The events, in order.
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
