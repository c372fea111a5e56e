import Geodesy

/// Named places at hand, with their names folded once: for plugins whose names lie in no table made for the search.
///
/// A search looks at each name, about 20,000 in a millisecond.
public struct PlaceList: Sendable {
    private let places: [NamedPlace]
    /// The folded names behind each other, and where each begins; one more than there are places.
    private let folded: [UInt8]
    private let starts: [Int]

    /// A list of places.
    public init(_ places: [NamedPlace]) {
        var folded: [UInt8] = []
        var starts = [0]
        starts.reserveCapacity(places.count + 1)
        for place in places {
            folded += PlaceWords.fold(place.name)
            starts.append(folded.count)
        }
        (self.places, self.folded, self.starts) = (places, folded, starts)
    }

    /// The places that match, best first, at most as many as the query wants.
    public func matches(_ query: PlaceQuery) -> [NamedPlace] {
        let found = places.indices.compactMap { index in
            query.match(places[index], folded: folded[starts[index]..<starts[index + 1]])
        }
        return query.best(found).map(\.place)
    }
}
