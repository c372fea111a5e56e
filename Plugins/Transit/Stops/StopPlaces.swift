import Geodesy
import PluginKit
import Synchronization

/// The names of the stops, for `place find`.
///
/// They are read once per timetable; nothing is added to the file.
final class StopPlaces: NamedPlaces {
    let source = "stops"
    let areReferences = true
    private let library: FeedLibrary
    private let known = Mutex<Known?>(nil)

    private struct Known: Sendable {
        var feed: Feed
        var list: PlaceList
        /// Stops by identifier, as words.
        var identified: [[UInt8]: NamedPlace]
    }

    init(library: FeedLibrary) { self.library = library }

    func places(matching query: PlaceQuery, context: Context) async throws -> [PlaceMatch] {
        guard let feed = try library.feedIfAny(context) else { return [] }
        let known = try known(feed)
        let found = known.list.matches(query)
        // An identifier always refers to its stop, even if names have the same words.
        guard query.radius == nil, query.area == nil, query.kinds == nil,
            let place = known.identified[query.words.folded]
        else { return found }
        let exact = PlaceMatch(
            place: place, quality: .init(score: 1, manner: .whole, words: 1, coverage: 1, startsName: true),
            distance: query.near.map { $0.distance(to: place.coordinate) })
        return [exact] + found.filter { $0.place != place }.prefix(query.limit - 1)
    }

    /// Releases the names.
    func close() { known.withLock { $0 = nil } }

    private func known(_ feed: Feed) throws -> Known {
        if let known = known.withLock({ $0?.feed === feed ? $0 : nil }) { return known }
        let made = try read(feed)
        known.withLock { $0 = made }
        return made
    }

    /// The stops that maps show; by name without platforms that share the name of their station.
    private func read(_ feed: Feed) throws -> Known {
        let stops = try feed.stops.all()
        let names = Dictionary(stops.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        // Stops of one name at one spot, as those of two feeds, are told apart by their identifiers alone.
        func spot(_ stop: StopRecord) -> String {
            "\(stop.name)\u{0}\(stop.coordinate.map { Literal.coordinate($0) } ?? "")"
        }
        let sharers = Dictionary(grouping: stops.filter(\.kind.isOnMaps), by: spot).mapValues(\.count)
        var places: [NamedPlace] = []
        var identified: [[UInt8]: NamedPlace] = [:]
        var repeated: Set<[UInt8]> = []
        for stop in stops where stop.kind.isOnMaps && !stop.name.isEmpty {
            guard let coordinate = stop.coordinate else { continue }
            let isStation = stop.kind == .station
            var place = NamedPlace(
                name: stop.name, kind: isStation ? stop.kind.word : stop.mode.spoken, source: source,
                coordinate: coordinate,
                rank: isStation || stop.mode == .train
                    ? TransitSettings.stationRank : TransitSettings.stopRank)
            place.isDistinct = true
            if sharers[spot(stop), default: 0] > 1 { place.context = "@\(stop.id)" }
            let words = PlaceWords(stop.id).folded
            if identified.updateValue(place, forKey: words) != nil { repeated.insert(words) }
            if stop.parent.map({ names[$0] != stop.name }) ?? true { places.append(place) }
        }
        // Identifiers with the same words are ambiguous and skipped.
        for words in repeated { identified[words] = nil }
        identified[[]] = nil
        return Known(feed: feed, list: PlaceList(places), identified: identified)
    }
}
