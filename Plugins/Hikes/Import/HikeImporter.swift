import Archives
import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Imports files in sequence, and reverts everything when it is cancelled.
struct HikeImporter {
    let store: HikeStore
    /// The store for the waypoints of files; `nil` to skip them.
    let waypoints: ActiveStore<WaypointStore>?
    let name: String?
    let number: Int?
    let isRepeating: Bool
    let context: Context

    private var log: TraceLog
    private var added: [Hike] = []
    private var addedWaypoints: [Waypoint] = []
    private var links: [LinkedWaypoints] = []

    init(
        store: HikeStore, waypoints: ActiveStore<WaypointStore>?, name: String?, number: Int?,
        isRepeating: Bool,
        context: Context
    ) {
        self.store = store
        self.waypoints = waypoints
        self.name = name
        self.number = number
        self.isRepeating = isRepeating
        self.context = context
        log = TraceLog(limit: context.tracing?.limit ?? 0)
    }

    /// Imports the files of the paths, and records the undo. The error of a single file is thrown.
    mutating func add(_ urls: [URL]) async throws -> [FileImportReport] {
        var accounts: [FileImportReport] = []
        var walk = SourceWalk(urls, extensions: TrackFormat.extensions, check: context.checkCancelled)
        let again = isRepeating
        log.record(ImportSteps.started(urls.count, isRepeating: again))
        defer { context.tracing?.keep(log, picture: ImportSteps.picture) }
        do {
            while let file = try walk.next() {
                try context.checkCancelled()
                do {
                    accounts.append(try await add(file))
                } catch let error as RutterError where error.kind != CommonErrors.interrupted {
                    accounts.append(FileImportReport(file: file.path, result: .failed(error)))
                }
                context.progress.report("importing files", done: accounts.count)
            }
            try context.checkCancelled()
            if accounts.count == 1, case .failed(let error) = accounts[0].result { throw error }
        } catch {
            try await revert()
            throw error
        }
        recordUndo()
        let count = added.count
        log.record(ImportSteps.ended(accounts.count, added: count))
        return accounts
    }

    // MARK: A file

    private mutating func add(_ file: SourceFile) async throws -> FileImportReport {
        let found = try file.content.get()
        guard let format = try TrackFormat(recognising: found) else {
            throw HikeErrors.format(
                "\(file.path) is not a GPX, FIT, TCX, KML or GeoJSON file", at: .parameter("files"))
        }
        try format.checkSize(found)
        // Read from disk once: the same bytes are hashed and parsed.
        let source = try found.loaded()
        var hash = try SourceHash(of: source)
        if hash.isReady, let known = try known(try hash.value()) { return same(file, known) }
        var duplicate: Hike?
        let document: GPXDocument
        do {
            var isCompared = hash.isReady
            document = try TrackFile(source, format: format) {
                try context.checkCancelled()
                guard !isCompared, hash.isReady else { return }
                isCompared = true
                duplicate = try known(try hash.value())
                if duplicate != nil { throw Interruption.stopped }
            } progress: { points in
                context.progress.report("reading points", done: points)
            }.document
        } catch {
            if let duplicate { return same(file, duplicate) }
            throw error
        }
        let sha256 = try hash.value()
        if let known = try known(sha256) { return same(file, known) }
        log.record(ImportSteps.file(file.path, format.rawValue))
        var account = FileImportReport(file: file.path, result: .imported)
        account.format = format.rawValue
        account.dropped = document.notices
        let made = try await hikes(of: document, file, format, sha256, &account)
        guard !made.isEmpty else { return account }
        try store.insertAll(made)
        added += made.map(\.hike)
        account.hikes = made.map(\.hike)
        account.objects = made.map { HikeObject($0.hike, in: store) }
        try addWaypoints(document, made.map(\.hike), &account)
        try await link(made)
        return account
    }

    /// The hike already imported from a file with this hash, unless repeated imports are requested.
    private func known(_ sha256: String?) throws -> Hike? {
        isRepeating || number != nil ? nil : try DuplicateSearch(store: store).hike(fromFile: sha256)
    }

    private mutating func same(_ file: SourceFile, _ known: Hike) -> FileImportReport {
        log.record(ImportSteps.sameFile(file.path, known))
        return FileImportReport(file: file.path, result: .duplicate(of: known.displayName))
    }

    /// The selected tracks.
    private func lines(_ document: GPXDocument, _ file: SourceFile) throws -> [GPXLine] {
        if let number {
            guard document.tracks.indices.contains(number - 1) else {
                throw HikeErrors.noSuchTrack(
                    "\(file.path) has \(document.tracks.count) tracks", at: .parameter("number"))
            }
            return [document.tracks[number - 1]]
        }
        return document.tracks
    }

    private mutating func hikes(
        of document: GPXDocument, _ file: SourceFile, _ format: TrackFormat, _ sha256: String?,
        _ account: inout FileImportReport
    ) async throws -> [HikeStore.NewHike] {
        let lines = try lines(document, file)
        var made: [HikeStore.NewHike] = []
        var duplicate: Hike?
        for (index, line) in lines.enumerated() {
            try context.checkCancelled()
            var recording = Recording(
                line: line, origin: .init(file: file.path, format: format.rawValue, sha256: sha256))
            let now = context.clock.now
            // Most lines are new: the points of a single one are packed while it is measured and compared.
            let points = lines.count == 1 ? try PackingPoints(line, start: now) : nil
            guard let statistics = HikeStatistics(segments: recording.segments) else {
                account.dropped.append("track \(index + 1) has no point with a position")
                continue
            }
            if !isRepeating,
                let known = try DuplicateSearch(store: store).hike(like: recording, statistics, trace: &log)
            {
                duplicate = known
                account.dropped.append("track \(index + 1) is the walk of \(known.displayName)")
                continue
            }
            let title =
                try await title(of: line)
                ?? (lines.count > 1 ? "\(file.stem) \(index + 1)" : file.stem)
            recording.document = document
            recording.document.tracks = []
            recording.document.routes = []
            recording.document.waypoints = []
            recording.document.notices = []
            if lines.count == 1 { recording.waypoints = document.waypoints }
            let warnings = RecordingCheck(line).warnings
            recording.notices = warnings
            account.warnings += warnings.map { lines.count > 1 ? "track \(index + 1): \($0)" : $0 }
            var hike = Hike(
                id: try store.freshID(context.random.uuid), name: title, statistics: statistics,
                now: now)
            hike.calories = line.calories
            hike.modifiedAt = now
            made.append((hike, recording, points))
            log.record(ImportSteps.added(file.path, hike))
            account.points += line.pointCount
            account.segments += line.segments.count
            account.sensors = HikeSensors.names(of: line, adding: account.sensors)
        }
        if !document.routes.isEmpty {
            let count = document.routes.count
            account.dropped.append("\(count, of: "route"): `route import` imports them")
        }
        guard made.isEmpty else { return made }
        guard let duplicate else {
            throw HikeErrors.noTrack("\(file.path) has no track with points", at: .parameter("files"))
        }
        account.result = .duplicate(of: duplicate.displayName)
        return []
    }

    /// The name of a track: as given, from the file, or from the places at its ends if a plugin names them.
    private func title(of line: GPXLine) async throws -> String? {
        if let given = name ?? line.name.flatMap({ $0.isEmpty ? nil : $0 }) { return given }
        let parts = line.segments.filter { !$0.isEmpty }
        guard let start = parts.first?.first, let end = parts.last?.last else { return nil }
        return try await context.placeName(from: start.coordinate, to: end.coordinate)
    }

    // MARK: Waypoints

    /// Adds the waypoints of a file, linked to its hike if it has one track, otherwise without a link.
    private mutating func addWaypoints(
        _ document: GPXDocument, _ hikes: [Hike], _ account: inout FileImportReport
    ) throws {
        guard !document.waypoints.isEmpty, !hikes.isEmpty else { return }
        let count = document.waypoints.count
        let words = "\(count, of: "waypoint")"
        guard let waypoints else { return account.dropped.append("\(words): --no-waypoints") }
        guard let store = try waypoints.storeIfFits(context), store.connection.access != .foreign else {
            return account.dropped.append("\(words): no store of waypoints is open for writing")
        }
        let now = context.clock.now
        let nextID = try store.freshIDs(context.random.uuid)
        // Waypoints that were imported before are linked by their times instead.
        let known = Set(try store.all().map(Self.key))
        let wanted = document.waypoints.filter { point in
            !known.contains(Self.key(GPXWaypoints.waypoint(point, id: hikes[0].id, now: now)))
        }
        if wanted.count < count {
            account.dropped.append("\(count - wanted.count) of \(words) are already in the store")
        }
        guard !wanted.isEmpty else { return }
        let made = try wanted.map { point in
            var waypoint = GPXWaypoints.waypoint(point, id: try nextID(), now: hikes.first?.startTime ?? now)
            waypoint.hikeID = hikes.count == 1 ? hikes[0].id : nil
            waypoint.modifiedAt = now
            return waypoint
        }
        var next = made.makeIterator()
        try store.insertAll({ next.next() }) { _ in try context.checkCancelled() }
        addedWaypoints += made
        account.waypoints = made.count
    }

    /// The identity of a waypoint: its label and its coordinate, to a centimetre.
    private static func key(_ waypoint: Waypoint) -> String {
        let place = waypoint.coordinate
        return "\((place.latitude * 1e7).rounded()) \((place.longitude * 1e7).rounded()) \(waypoint.label)"
    }

    /// Links the waypoints of the store that were created during the hikes.
    private mutating func link(_ made: [HikeStore.NewHike]) async throws {
        for linking in context.all((any WaypointLinking).self) {
            for (hike, recording, _) in made where hike.areTimesKnown {
                guard
                    let box = HikeSurroundings.box(
                        around: recording.line.segments.lazy.joined().lazy.map(\.coordinate))
                else {
                    continue
                }
                links.append(
                    try await linking.link(
                        toHike: hike.id, from: hike.startTime, through: hike.endTime, within: box,
                        context: context.untraced))
            }
        }
    }

    // MARK: Reverting

    private func revert() async throws {
        let (hikes, made, links) = (added, addedWaypoints, links)
        let waypointStore = made.isEmpty ? nil : try waypoints?.storeIfFits(context)
        let store = store
        // In a separate task: this one may be cancelled, and could then remove nothing.
        try await Task {
            for link in links { try link.unlink() }
            _ = try waypointStore?.remove(made)
            _ = try store.remove(hikes)
        }.value
    }

    private func recordUndo() {
        guard !added.isEmpty else { return }
        let made = addedWaypoints
        let waypointStore = made.isEmpty ? nil : try? waypoints?.storeIfFits(context)
        HikeUndo.recordAdding(added, links, to: store, in: context.journal) {
            guard let waypointStore else { return }
            // Waypoints changed since are kept, as by their own commands.
            for waypoint in made { _ = try waypointStore.remove([waypoint], onlyUnchanged: true) }
        }
    }
}

/// The recorded sensors.
enum HikeSensors {
    /// The names of the sensor values of a line, appended to known ones.
    static func names(of line: GPXLine, adding known: [String] = []) -> [String] {
        var names = known
        let kinds = PointSensors.kinds(of: line.segments, unplaced: line.unplaced)
        for kind in kinds where !names.contains(kind.words) { names.append(kind.words) }
        return names
    }
}
