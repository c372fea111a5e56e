import PluginKit
import Synchronization

/// The names of the stops, for place search.
///
/// They are read once per timetable; nothing is added to the file.
final class StopPlaces: NamedPlaces {
    let source = "stops"
    let areReferences = true
    private let library: FeedLibrary
    private let known = Mutex<(feed: Feed, list: PlaceList)?>(nil)

    init(library: FeedLibrary) { self.library = library }

    func places(matching query: PlaceQuery, context: Context) async throws -> [PlaceMatch] {
        guard let feed = try library.feedIfAny(context) else { return [] }
        return try list(feed).matches(query)
    }

    /// Releases the names.
    func close() { known.withLock { $0 = nil } }

    private func list(_ feed: Feed) throws -> PlaceList {
        if let list = known.withLock({ $0?.feed === feed ? $0?.list : nil }) { return list }
        let list = PlaceList(try places(feed))
        known.withLock { $0 = (feed, list) }
        return list
    }

    /// The stops that maps show, without platforms that have the name of their station.
    private func places(_ feed: Feed) throws -> [NamedPlace] {
        let stops = try feed.allStops()
        let names = Dictionary(stops.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        return stops.compactMap { stop in
            guard stop.kind.isOnMaps, !stop.name.isEmpty, stop.coordinate.isValid else { return nil }
            if let parent = stop.parent, names[parent] == stop.name { return nil }
            let isStation = stop.kind == .station
            return NamedPlace(
                name: stop.name, kind: isStation ? stop.kind.word : stop.mode.spoken, source: source,
                coordinate: stop.coordinate,
                rank: isStation || stop.mode == .train
                    ? TransitSettings.stationRank : TransitSettings.stopRank)
        }
    }
}
