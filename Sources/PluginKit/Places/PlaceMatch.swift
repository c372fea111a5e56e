import Geodesy

/// A matching place; it has the properties of the place.
@dynamicMemberLookup
public struct PlaceMatch: Sendable, Hashable {
    /// How a text matches a place.
    public enum Manner: String, Sendable, CaseIterable {
        /// The whole name.
        case whole
        /// Words of the name, or their beginnings.
        case words
        /// A further name, in whole or in part.
        case otherName
        /// Misspelt words.
        case misspelt
        /// Not all of the words.
        case partial
        /// The kind of thing, not a name.
        case category
        /// A coordinate.
        case coordinate

        /// Whether it only resembles the query: it must not be chosen without asking.
        public var isGuess: Bool { self == .misspelt || self == .partial }
    }

    /// How well a text matches a name.
    public struct Quality: Sendable, Hashable {
        /// 0…1; 1 is the whole name.
        public var score: Double
        /// How it matches.
        public var manner: Manner
        /// A part of the score: how well the words match.
        public var words: Double
        /// A part of the score: the share of the name that they cover.
        public var coverage: Double
        /// A part of the score: whether the name begins with the first of them.
        public var startsName: Bool

        /// A quality.
        public init(
            score: Double, manner: Manner, words: Double = 0, coverage: Double = 0, startsName: Bool = false
        ) {
            self.score = score
            self.manner = manner
            self.words = words
            self.coverage = coverage
            self.startsName = startsName
        }
    }

    /// The place.
    public let place: NamedPlace
    /// How well the text matches.
    public let quality: Quality
    /// Metres from `near` of the query; `nil` without it.
    public let distance: Double?

    /// How well the name matches, 0…1; 1 is the whole name.
    public var score: Double { quality.score }

    /// A match.
    public init(place: NamedPlace, quality: Quality, distance: Double?) {
        self.place = place
        self.quality = quality
        self.distance = distance
    }

    /// A property of the place.
    public subscript<T>(dynamicMember member: KeyPath<NamedPlace, T>) -> T { place[keyPath: member] }

    /// Metres at which nearness counts half.
    private static let halfDistance = 5000.0
    /// The weight of nearness in the order.
    private static let nearShare = 0.3
    /// The weight of one rank.
    private static let rankStep = 0.004

    /// The sort key: quality of the match, nearness, and importance of the place.
    public var order: Double {
        Self.order(score: score, distance: distance, Double(place.rank) - place.prominence)
    }

    /// The contribution of nearness to the order.
    public var nearness: Double { (distance.map(Self.near) ?? 0) * Self.nearShare }
    /// The deduction for the place's rank.
    public var rankCost: Double { Self.rankStep * (Double(place.rank) - place.prominence) }

    /// The same for a match that is not created yet.
    static func order(score: Double, distance: Double?, _ importance: Double) -> Double {
        let matched = distance.map { score * (1 - nearShare) + near($0) * nearShare } ?? score
        return matched - rankStep * importance
    }

    private static func near(_ distance: Double) -> Double { halfDistance / (halfDistance + distance) }

    /// Whether it comes before another; the order is deterministic.
    public func isBetter(than other: PlaceMatch) -> Bool {
        let (a, b) = (order, other.order)
        if a != b { return a > b }
        let (left, right) = (place, other.place)
        return (left.name, left.kind, left.source, left.coordinate.latitude, left.coordinate.longitude)
            < (right.name, right.kind, right.source, right.coordinate.latitude, right.coordinate.longitude)
    }
}

extension PlaceMatch {
    /// The words of a text that were found in a name.
    struct Tally {
        private var sum = 0.0
        private var mistakes = 0
        private var inOrder = 0
        private var perfect = 0
        private var startsName = false
        private var context = 0
        private var seen = 0
        /// Words that were found in the name.
        private(set) var named = 0
        /// Words that were not found.
        var missing = 0
        /// Whether a number only begins with the typed one.
        var hasAnotherNumber = false

        private enum Weights {
            /// The weight of the words themselves.
            static let words = 0.6
            /// The weight of the share of the name that they cover.
            static let coverage = 0.25
            /// The weight of a name that begins with them.
            static let start = 0.15
        }

        mutating func add(_ value: Double, mistakes: UInt8, isInOrder: Bool) {
            sum += value
            named += 1
            self.mistakes += Int(mistakes)
            if isInOrder {
                inOrder += 1
                if named == 1, seen == 0 { startsName = true }
            }
            if value == 1 { perfect += 1 }
            seen += 1
        }

        mutating func addContext(_ value: Double) {
            sum += value
            context += 1
            seen += 1
        }

        /// The score of the best name whose words match so well and are covered so far.
        static func most(words: Double, coverage: Double) -> Double {
            Weights.words * words + Weights.coverage * coverage + Weights.start
        }

        func quality(nameWords: Int, typedWords: Int, isOtherName: Bool) -> Quality {
            let words = sum / Double(max(1, named + context + missing))
            let coverage = min(1, Double(named) / Double(max(1, nameWords)))
            let isWhole = perfect == nameWords && inOrder == nameWords && typedWords == nameWords
            var score =
                isWhole
                ? 1
                : Weights.words * words + Weights.coverage * coverage + (startsName ? Weights.start : 0)
                    - 1e-6
            var manner = isWhole ? Manner.whole : .words
            if isOtherName {
                score *= PlaceSearchSettings.otherName
                manner = .otherName
            }
            if mistakes > 0 { manner = .misspelt }
            if hasAnotherNumber { manner = .partial }
            if missing > 0 {
                score *= PlaceSearchSettings.partial
                manner = .partial
            }
            return Quality(
                score: score, manner: manner, words: words, coverage: coverage, startsName: startsName)
        }
    }
}
