/// An in-memory index of named places, for plugins without an index file.
public struct PlaceList: Sendable {
    private let places: [NamedPlace]
    private let index: PlaceIndex
    private let order: [Int]

    /// A list of places.
    public init(_ places: [NamedPlace]) {
        self.places = places
        (index, order) = PlaceIndex.build(
            places.map {
                PlaceIndex.Entry(
                    name: $0.name, kind: $0.kind, rank: $0.rank, prominence: $0.prominence,
                    coordinate: $0.coordinate, otherNames: $0.otherNames, context: $0.context)
            }, check: {})
    }

    /// The number of places.
    public var count: Int { places.count }

    /// The places that match, best first, at most as many as the query wants.
    public func matches(_ query: PlaceQuery) -> [PlaceMatch] {
        index.matches(query) { number in places[order[number]] }
    }
}

extension PlaceIndex {
    /// The places that match, best first, at most as many as the query wants; `place` is called only for those.
    public func matches(
        _ query: PlaceQuery, place: (Int) throws -> NamedPlace
    ) rethrows -> [PlaceMatch] {
        var search = PlaceIndexSearch(query, in: self)
        let found = try search.run().map { match in
            let place = try place(match.document)
            // The index rounds coordinates to a centimetre.
            let distance = query.near.map { $0.distance(to: place.coordinate) }
            return PlaceMatch(place: place, quality: match.quality, distance: distance)
        }
        return query.best(found)
    }
}
