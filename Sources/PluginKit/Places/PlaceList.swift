import Geodesy

/// Named places at hand, with their names folded once: for plugins whose names lie in no table made for the search.
///
/// A search looks at each name, but closely only at those with words that begin with the right letters.
public struct PlaceList: Sendable {
    private let places: [NamedPlace]
    /// The folded names behind each other, and where each begins; one more than there are places.
    private let folded: [UInt8]
    private let starts: [Int]
    /// For each name the first bytes of its words as a set.
    private let initials: [UInt64]

    /// A list of places.
    public init(_ places: [NamedPlace]) {
        var folded: [UInt8] = []
        var starts = [0]
        var initials: [UInt64] = []
        starts.reserveCapacity(places.count + 1)
        initials.reserveCapacity(places.count)
        for place in places {
            let name = PlaceWords.fold(place.name)
            folded += name
            starts.append(folded.count)
            initials.append(PlaceWords.initials(of: name))
        }
        (self.places, self.folded, self.starts, self.initials) = (places, folded, starts, initials)
    }

    /// The places that match, best first, at most as many as the query wants.
    public func matches(_ query: PlaceQuery) -> [NamedPlace] {
        let wanted = PlaceWords.initials(of: query.words.folded)
        var found: [(index: Int, score: Double, distance: Double?, order: Double)] = []
        folded.withUnsafeBufferPointer { folded in
            for index in places.indices where initials[index] & wanted == wanted {
                let name = UnsafeBufferPointer(rebasing: folded[starts[index]..<starts[index + 1]])
                guard let score = query.words.score(of: name) else { continue }
                let distance = query.near.map { $0.distance(to: places[index].coordinate) }
                if let radius = query.radius, let distance, distance > radius { continue }
                let order = PlaceMatch.order(score: score, distance: distance, rank: places[index].rank)
                found.append((index, score, distance, order))
            }
        }
        if found.count > query.limit {
            // Only those that can be among the best are made into matches.
            let least = found.map(\.order).sorted(by: >)[query.limit - 1]
            found.removeAll { $0.order < least }
        }
        let best = found.map { PlaceMatch(place: places[$0.index], score: $0.score, distance: $0.distance) }
        return query.best(best).map(\.place)
    }
}

extension PlaceWords {
    /// The first bytes of the words of a folded text, as a set in which some bytes share a place.
    static func initials(of folded: [UInt8]) -> UInt64 {
        var set: UInt64 = 0
        var isFirst = true
        for byte in folded {
            if isFirst { set |= 1 << UInt64(byte & 63) }
            isFirst = byte == space
        }
        return set
    }
}
