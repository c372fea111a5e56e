import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit

/// Adds the waypoints of a file, and links those of the store that were created during its hikes.
struct WaypointIntake {
    private let run: TrackImport
    private let tracks: ImportedTracks
    private var context: Context { run.context }

    init(_ run: TrackImport, _ tracks: ImportedTracks) { (self.run, self.tracks) = (run, tracks) }

    /// Adds the waypoints, linked to the hike if it is the only line of its file, otherwise without a link. Returns how
    /// many were added.
    func add(
        to hikes: [HikeStore.NewHike], isOnlyLine: Bool, hasLines: Bool, _ report: inout SourceReport
    ) throws -> Int {
        guard TrackImporter.Target.waypoints.isTaken(context) else {
            drop(tracks.places.count, "no plugin of this session takes them", &report)
            return 0
        }
        guard !tracks.places.isEmpty || !hikes.isEmpty else { return 0 }
        guard hasLines else {
            return try insert(
                hikes, isOnlyLine: false, run.importer.waypoints.writableStore(context), &report)
        }
        guard let store = try run.importer.waypoints.storeIfFits(context), store.connection.access != .foreign
        else {
            drop(tracks.places.count, "no store of waypoints is open for writing", &report)
            return 0
        }
        let added = try insert(hikes, isOnlyLine: isOnlyLine, store, &report)
        try link(hikes, store)
        return added
    }

    private func drop(_ count: Int, _ why: String, _ report: inout SourceReport) {
        guard count > 0 else { return }
        report.dropped.append("\(count, of: "waypoint"): \(why)")
    }

    private func insert(
        _ hikes: [HikeStore.NewHike], isOnlyLine: Bool, _ store: WaypointStore, _ report: inout SourceReport
    ) throws -> Int {
        let wanted = try wanted(store, &report)
        guard !wanted.isEmpty else { return 0 }
        let made = try waypoints(
            wanted, of: isOnlyLine ? hikes.first?.hike : nil, from: hikes.first?.hike, store)
        var next = made.makeIterator()
        try store.insertAll(withPhotos: {
            try next.next().map { index, waypoint in
                (waypoint, try waypoint.hasPhoto ? tracks.photo?(index) : nil)
            }
        }) { done in
            try context.checkCancelled()
            context.progress.report("storing waypoints", done: done, of: made.count)
        }
        run.undo.added(made.map(\.waypoint), to: store)
        // With its hike the file's own waypoint is kept whole.
        let categories = CategoryList.shown(in: context.workspace)
        if !isOnlyLine { say(wanted.flatMap { tracks.places[$0].unkept(in: categories) }, &report) }
        report.waypoints = made.count
        return made.count
    }

    /// Names the fields that were left out, each with its count.
    private func say(_ fields: [String], _ report: inout SourceReport) {
        guard !fields.isEmpty else { return }
        let counts = Dictionary(fields.map { ($0, 1) }, uniquingKeysWith: +)
        let words = counts.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
        report.dropped.append("fields that waypoints do not have: \(words.joined(separator: ", "))")
    }

    /// The indices of the waypoints that the store does not have.
    private func wanted(_ store: WaypointStore, _ report: inout SourceReport) throws -> [Int] {
        let count = tracks.places.count
        if run.options.skipsWaypoints {
            drop(count, "--no-waypoints", &report)
            return []
        }
        guard count > 0, !run.options.isRepeating else { return Array(tracks.places.indices) }
        let present = try store.all()
        let known = Set(present.map(Self.key))
        let places = Dictionary(present.map { ($0.id, $0.coordinate) }) { first, _ in first }
        let new = tracks.places.indices.filter { index in
            let place = tracks.places[index]
            // A format may have rounded it, and its label may have been edited since.
            if let there = place.id.flatMap({ places[$0] }),
                there.distance(to: place.point.coordinate) < DuplicateSettings.sameWaypoint
            {
                return false
            }
            return !known.contains(Self.key(GPXWaypoints.waypoint(place.point, id: Self.unused)))
        }
        let others = changedNotes(among: present, besides: Set(new))
        if others > 0 {
            report.dropped.append(
                "waypoints that are in the store with another note, left as they are: \(others); "
                    + "--again adds those of the file")
        }
        if new.count < count {
            report.dropped.append("\(count - new.count) of \(count, of: "waypoint") are already in the store")
            if case .imported = report.result, new.isEmpty, let first = tracks.places.first {
                report.result = .duplicate(of: first.point.name ?? "a waypoint")
            }
        }
        return new
    }

    /// How many waypoints that the store has say something else in the file.
    private func changedNotes(among present: [Waypoint], besides new: Set<Int>) -> Int {
        let byID = Dictionary(present.map { ($0.id, $0) }) { first, _ in first }
        let byKey = Dictionary(present.map { (Self.key($0), $0) }) { first, _ in first }
        return tracks.places.indices.count { index in
            guard !new.contains(index) else { return false }
            let written = GPXWaypoints.waypoint(tracks.places[index].point, id: Self.unused)
            let there = tracks.places[index].id.flatMap { byID[$0] } ?? byKey[Self.key(written)]
            return !written.note.isEmpty && there.map { $0.note != written.note } ?? false
        }
    }

    private func waypoints(
        _ indices: [Int], of hike: Hike?, from first: Hike?, _ store: WaypointStore
    ) throws -> [(index: Int, waypoint: Waypoint)] {
        let now = context.clock.now
        let categories = CategoryList.shown(in: context.workspace)
        let nextID = try store.freshIDs(context.random.uuid)
        var taken: Set<UUID> = []
        return try indices.map { index in
            let place = tracks.places[index]
            // The file's own identifier, unless it is in use.
            var id = try nextID()
            if let own = place.id, !taken.contains(own), try store.waypoint(own) == nil { id = own }
            taken.insert(id)
            var waypoint = GPXWaypoints.waypoint(place.point, id: id, in: categories)
            waypoint.hikeID = hike?.id
            waypoint.hasPhoto = tracks.pictured.contains(index)
            waypoint.modifiedAt = now
            return (index, waypoint)
        }
    }

    private static let unused = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// The identity of a waypoint: its label and its coordinate, to a centimetre.
    private static func key(_ waypoint: Waypoint) -> String {
        let place = waypoint.coordinate
        return "\((place.latitude * 1e7).rounded()) \((place.longitude * 1e7).rounded()) \(waypoint.label)"
    }

    /// Links the waypoints of the store that were created during the hikes.
    private func link(_ hikes: [HikeStore.NewHike], _ store: WaypointStore) throws {
        for (hike, recording, _) in hikes where hike.areTimesKnown {
            let places = recording.line.segments.lazy.joined().lazy.map(\.coordinate)
            guard let box = HikeSurroundings.box(around: places) else { continue }
            let rule = WaypointLinks(hike: hike.id, from: hike.startTime, through: hike.endTime, within: box)
            let linked = try rule.link(in: store, at: context.clock.now)
            run.undo.linked(linked, in: store)
        }
    }
}

extension MapPlace {
    /// The fields, in the words of the file, that a waypoint of the store does not keep.
    fileprivate func unkept(in categories: CategoryList) -> [String] {
        var names = properties.map(\.name) + point.details.map(\.kind.rawValue)
        let custom = WaypointCategory.custom.raw
        let category = GPXWaypoints.category(type: point.type, symbol: point.symbol, in: categories)
        if category == custom, let type = point.type, type != custom { names.append("type") }
        if let symbol = point.symbol, symbol != categories.reading(category).displayName {
            // A symbol that means the category is in it.
            let own = GPXWaypoints.category(type: nil, symbol: symbol, in: categories)
            if own == custom || own != category { names.append("symbol") }
        }
        names += PointSensors.Kind.allCases.filter { point.sensors[$0] != nil }.map(\.words)
        if point.extensions != nil { names.append("extensions") }
        return names
    }
}
