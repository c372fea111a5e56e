import Core

/// What became of the points of a file: `seen = used − twice + unplaced + aside`.
public struct PointAccount: Sendable, Hashable {
    /// Points that were left out, of one kind.
    public struct Entry: Sendable, Hashable {
        /// The kind, in words.
        public let what: String
        /// How many.
        public fileprivate(set) var count: Int
    }

    /// Points that the file holds, usable or not.
    public internal(set) var seen = 0
    /// Points with a position, of lines and waypoints.
    public internal(set) var used = 0
    /// Points that are used in two lines, as that between two sports.
    public internal(set) var twice = 0
    /// Measurements without a position, which are kept.
    public internal(set) var unplaced = 0
    /// What was left out, in the order in which it was met.
    public private(set) var aside: [Entry] = []

    /// The account of a reader that counts its points itself: those that are used, and those of each kind that are left out.
    public init(used: Int = 0, aside: [String] = []) {
        self.used = used
        seen = used + aside.count
        for what in aside { leaveOut(what) }
    }

    /// Points that were left out.
    var asideCount: Int { aside.reduce(0) { $0 + $1.count } }

    /// Whether each point that was seen is accounted for once.
    public var addsUp: Bool { seen == used - twice + unplaced + asideCount }

    /// Counts points that are left out.
    mutating func leaveOut(_ what: String, count: Int = 1) {
        guard count > 0 else { return }
        if let index = aside.firstIndex(where: { $0.what == what }) {
            aside[index].count += count
        } else {
            aside.append(Entry(what: what, count: count))
        }
    }

    /// Adds the account of another part of the file.
    mutating func add(_ other: PointAccount) {
        seen += other.seen
        used += other.used
        twice += other.twice
        unplaced += other.unplaced
        for entry in other.aside { leaveOut(entry.what, count: entry.count) }
    }

    /// The points as a part of the account of their source.
    public var part: SourceAccount.Part {
        .init(
            item: "point", seen: seen, used: used - twice,
            entries: [.init(.kept, "without a position", count: unplaced)]
                + aside.map { .init(.setAside, $0.what, count: $0.count) })
    }

    /// In one line: `30 points: 28 used, 1 without a position, kept, 1 left out (at 0,0)`.
    public var words: String { part.words }
}
