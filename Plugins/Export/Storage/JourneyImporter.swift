import CivilTime
import Formats
import Foundation
import Geodesy
import Photos
import Pictures
import PluginKit
import TrailStores

/// Adds an imported journey to the session's stores, all or nothing.
struct JourneyImporter: Sendable {
    let hikes: ActiveStore<HikeStore>
    let waypoints: ActiveStore<WaypointStore>

    /// The kind of objects created from imported lines.
    enum LineKind: String, CaseIterable, Sendable {
        /// Lines with times become hikes, the others planned routes.
        case auto
        /// All become hikes.
        case hike
        /// All become planned routes.
        case route

        var summary: String {
            switch self {
            case .auto: "lines with times become hikes, others planned routes"
            case .hike: "all lines become hikes"
            case .route: "all lines become planned routes"
            }
        }
    }

    /// Adds a journey, and records its undo. Returns what was added, such as `1 hike, 2 waypoints`.
    func add(_ journey: ExportJourney, as kind: LineKind, _ context: Context) throws -> String {
        do {
            return try addAll(journey, as: kind, context)
        } catch let error as RutterError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            throw CommonErrors.fileAccess(
                "the file cannot be imported: \((error as NSError).localizedDescription)")
        }
    }

    private func addAll(_ journey: ExportJourney, as kind: LineKind, _ context: Context) throws -> String {
        let (recorded, planned) = Self.sorted(journey, kind)
        let hikeStore = recorded.isEmpty ? nil : try hikes.writableStore(context)
        let waypointStore = journey.places.isEmpty ? nil : try waypoints.writableStore(context)
        let folder = planned.isEmpty ? nil : PlannedRouteFolder(try context.writableStore(.plannedRoutes))
        let madeHikes = try hikeStore.map { try newHikes(recorded, journey, $0, context) } ?? []
        let madeRoutes = try folder.map { try newRoutes(planned, journey, $0, context) } ?? []
        let single = madeHikes.count == 1 && madeRoutes.isEmpty ? madeHikes[0].hike.id : nil
        let madeWaypoints =
            try waypointStore.map { try newWaypoints(journey, hike: single, $0, context) } ?? []
        guard !madeHikes.isEmpty || !madeRoutes.isEmpty || !madeWaypoints.isEmpty else {
            throw ExportErrors.nothing("\(journey.title) has nothing to store", at: .parameter("keep"))
        }
        try context.checkCancelled()
        var undo: [Reversal] = []
        do {
            if let hikeStore, !madeHikes.isEmpty {
                try hikeStore.insertAll(madeHikes)
                undo.append(Self.revert(madeHikes.map(\.hike), from: hikeStore))
            }
            if let waypointStore, !madeWaypoints.isEmpty {
                var next = madeWaypoints.enumerated().makeIterator()
                try waypointStore.insertAll(withPhotos: {
                    try next.next().map { index, waypoint in
                        (waypoint, try waypoint.hasPhoto ? Self.photo(of: index, journey) : nil)
                    }
                }) { _ in try context.checkCancelled() }
                undo.append(Self.revert(madeWaypoints, from: waypointStore))
            }
            for route in madeRoutes {
                guard let folder else { break }
                try folder.save(route)
                undo.append(Self.revert(route, PlannedRouteJSON.data(route), from: folder))
            }
        } catch {
            // The first error is the one to report.
            try? Self.revertAll(undo)
            throw error
        }
        let words = Self.words(madeHikes.count, madeRoutes.count, madeWaypoints.count)
        let steps = undo
        context.journal.record("imported \(words)") { try Self.revertAll(steps) }
        return words
    }

    // MARK: Undo

    /// Removes added objects, and returns an action that restores them.
    private typealias Reversal = @Sendable () throws -> @Sendable () throws -> Void

    /// Reverts all steps, the last first; if one fails, those already reverted are restored.
    private static func revertAll(_ steps: [Reversal]) throws {
        var restores: [@Sendable () throws -> Void] = []
        do {
            for step in steps.reversed() { restores.append(try step()) }
        } catch {
            // The first error is the one to report.
            for restore in restores.reversed() { try? restore() }
            throw error
        }
    }

    private static func revert(_ hikes: [Hike], from store: HikeStore) -> Reversal {
        {
            switch try store.remove(hikes, onlyUnchanged: true) {
            case .removed(let rows): return { _ = try store.restore(rows) }
            case .changed(let hike):
                throw ExportErrors.changed("hike \(hike.name) was changed by another session")
            }
        }
    }

    private static func revert(_ waypoints: [Waypoint], from store: WaypointStore) -> Reversal {
        {
            switch try store.remove(waypoints, onlyUnchanged: true) {
            case .removed(let rows): return { _ = try store.restore(rows) }
            case .changed(let waypoint):
                throw ExportErrors.changed("waypoint \(waypoint.label) was changed by another session")
            }
        }
    }

    private static func revert(
        _ route: PlannedRoute, _ written: Data, from folder: PlannedRouteFolder
    ) -> Reversal {
        {
            guard let file = try folder.file(of: route.id), try Data(contentsOf: file) == written else {
                throw ExportErrors.changed("route \(route.name) was changed by another session")
            }
            let data = try folder.delete(route.id)
            return { try folder.restore(data, of: route.id) }
        }
    }

    private static func words(_ hikes: Int, _ routes: Int, _ waypoints: Int) -> String {
        [(hikes, "hike"), (routes, "planned route"), (waypoints, "waypoint")].filter { $0.0 > 0 }
            .map { "\($0.0, of: $0.1)" }.joined(separator: ", ")
    }

    /// The lines that become hikes, and those that become planned routes.
    private static func sorted(_ journey: ExportJourney, _ kind: LineKind) -> (
        recorded: [GPXLine], planned: [GPXLine]
    ) {
        func isTimed(_ line: GPXLine) -> Bool { line.segments.contains { $0.contains { $0.time != nil } } }
        let lines = journey.lines.filter { line in line.segments.contains { !$0.isEmpty } }
        switch kind {
        case .auto: return (lines.filter(isTimed), lines.filter { !isTimed($0) })
        case .hike: return (lines, [])
        case .route: return ([], lines)
        }
    }

    // MARK: New records

    private func newHikes(
        _ lines: [GPXLine], _ journey: ExportJourney, _ store: HikeStore, _ context: Context
    ) throws -> [(hike: Hike, recording: Recording)] {
        try lines.enumerated().compactMap { index, line in
            var recording = Recording(line: line, origin: origin(journey))
            recording.document = journey.document
            if lines.count == 1 { recording.waypoints = journey.places.map(\.point) }
            recording.notices = journey.warnings
            guard let statistics = HikeStatistics(segments: recording.segments) else { return nil }
            let name = Self.name(of: line, at: index, of: lines.count, journey)
            // The file's own identifier, unless it is in use.
            var wanted = lines.count == 1 ? journey.id : nil
            let id = try store.freshID {
                defer { wanted = nil }
                return wanted ?? context.random.uuid()
            }
            var hike = Hike(id: id, name: name, statistics: statistics, now: context.clock.now)
            hike.comment = line.description ?? (lines.count == 1 ? journey.comment : "")
            hike.calories = line.calories
            hike.modifiedAt = context.clock.now
            return (hike, recording)
        }
    }

    private func origin(_ journey: ExportJourney) -> Recording.Origin {
        Recording.Origin(file: journey.file ?? journey.title, format: journey.format ?? "gpx", sha256: nil)
    }

    private func newRoutes(
        _ lines: [GPXLine], _ journey: ExportJourney, _ folder: PlannedRouteFolder, _ context: Context
    ) throws -> [PlannedRoute] {
        try lines.enumerated().compactMap { index, line in
            let places = Array(line.segments.joined()).map(\.coordinate)
            guard places.count > 1 else { return nil }
            var id = lines.count == 1 ? journey.id ?? context.random.uuid() : context.random.uuid()
            while try folder.file(of: id) != nil { id = context.random.uuid() }
            let statistics = HikeStatistics(segments: [places.map { TrackPoint(coordinate: $0, time: nil) }])
            let distance = statistics?.distance ?? 0
            let gain = statistics?.gain ?? 0
            let estimate =
                distance / ExportSettings.naismithSpeed + gain / ExportSettings.naismithClimb * 3600
            var route = PlannedRoute(
                id: id, name: Self.name(of: line, at: index, of: lines.count, journey),
                mode: TravelMode(rawValue: line.type ?? journey.activity ?? "") ?? .hiking,
                start: places[0].withoutAltitude, end: places[places.count - 1].withoutAltitude,
                coordinates: places.map(\.withoutAltitude), distance: distance,
                duration: lines.count == 1 ? journey.facts.estimated ?? estimate : estimate, gain: gain,
                loss: statistics?.loss ?? 0, createdAt: context.clock.now)
            let along = Polyline.cumulativeDistances(places)
            let profile = zip(along, places).compactMap { distance, place in
                place.altitude.map { ElevationPoint(distance: distance, elevation: $0) }
            }
            route.profile = profile.count > 1 ? profile : nil
            return route
        }
    }

    private func newWaypoints(
        _ journey: ExportJourney, hike: UUID?, _ store: WaypointStore, _ context: Context
    ) throws -> [Waypoint] {
        var taken: Set<UUID> = []
        let pictured = try Set(journey.photos.compactMap { try $0.waypointWithPicture })
        return try journey.places.enumerated().map { index, place in
            var wanted = place.id.flatMap { taken.contains($0) ? nil : $0 }
            let id = try store.freshID {
                defer { wanted = nil }
                return wanted ?? context.random.uuid()
            }
            taken.insert(id)
            var waypoint = GPXWaypoints.waypoint(place.point, id: id, now: context.clock.now)
            waypoint.hikeID = hike
            waypoint.hasPhoto = pictured.contains(index)
            waypoint.modifiedAt = context.clock.now
            return waypoint
        }
    }

    /// The first photo of a waypoint with its thumbnail. Throws `E-IMPORT-VALUE` for data that is not an image.
    private static func photo(of index: Int, _ journey: ExportJourney) throws -> WaypointPhoto? {
        for photo in journey.photos where photo.subject == .waypoint(index) {
            guard let data = try photo.read() else { continue }
            try PhotoKind(sniffing: data.prefix(16))?.requireLibraries()
            do {
                return WaypointPhoto(
                    photo: try Photos.uprightJPEG(data), thumbnail: try Photos.thumbnail(data).jpeg)
            } catch {
                throw ImportErrors.value(
                    "\(photo.fileName ?? "a photo"): \(error)", at: .parameter("photos"),
                    fix: "correct the file, or omit --photos")
            }
        }
        return nil
    }

    private static func name(of line: GPXLine, at index: Int, of count: Int, _ journey: ExportJourney)
        -> String
    {
        if let name = line.name, name.contains(where: { !$0.isWhitespace }) { return name }
        return count > 1 ? "\(journey.title) \(index + 1)" : journey.title
    }
}

extension JourneyPhoto {
    /// The index of the waypoint whose photo exists.
    fileprivate var waypointWithPicture: Int? {
        get throws {
            guard case .waypoint(let index) = subject, try read() != nil else { return nil }
            return index
        }
    }
}
