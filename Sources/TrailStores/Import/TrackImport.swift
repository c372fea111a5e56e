import Archives
import CivilTime
import Formats
import Foundation
import PluginKit

/// One import of files of tracks: each file is read once, and each store is written once per file. Everything is
/// reverted when it is interrupted, and by one undo.
final class TrackImport: FileImport {
    let importer: TrackImporter
    let options: ImportOptions
    let context: Context
    let target: TrackImporter.Target?
    var log: TraceLog
    var undo = ImportUndo()
    /// The planned routes of the store, read for the first line that becomes one.
    var knownRoutes: [PlannedRoute]?
    /// When their folder was changed last, so that what others add is seen.
    var knownState: Int?
    /// The hikes of this import by the path of their file, for the tables of archives.
    var addedHikes: [(path: String, hike: Hike, store: HikeStore)] = []
    /// The tables of archives, each with its path and the folder that it is in.
    var tables: [(file: String, folder: String, table: ActivityTable)] = []
    private var files = 0

    init(_ importer: TrackImporter, _ options: ImportOptions, _ context: Context) {
        self.importer = importer
        self.options = options
        self.context = context
        target = options.target.flatMap(TrackImporter.Target.init)
        log = TraceLog(limit: context.tracing?.limit ?? 0)
        log.record(ImportSteps.started(isRepeating: options.isRepeating))
    }

    // MARK: A file

    func add(_ file: SourceFile, _ found: SourceBytes, kind: String) async throws -> SourceReport {
        files += 1
        try TrackFormat(rawValue: kind)?.checkSize(found)
        // Read from disk once: the same bytes are hashed and parsed.
        let source = try found.loaded()
        if kind == ActivityTable.kind {
            return take(try ActivityTable(source, check: context.checkCancelled), file)
        }
        var hash = try SourceHash(of: source)
        if hash.isReady, let known = try known(try hash.value()) { return same(file, known) }
        var duplicate: Hike?
        let tracks: ImportedTracks
        do {
            var isCompared = hash.isReady
            tracks = try read(source, kind) {
                try context.checkCancelled()
                guard !isCompared, hash.isReady else { return }
                isCompared = true
                duplicate = try known(try hash.value())
                if duplicate != nil { throw Interruption.stopped }
            }
        } catch {
            if let duplicate { return same(file, duplicate) }
            throw error
        }
        if options.isStrict { try refuse(tracks.document, file) }
        let sha256 = try hash.value()
        // What is in the store is asked again under the lock: several processes may import the same file at once.
        let lock = try await FileLock.waiting(context.workspace) {
            try context.checkCancelled()
        }
        defer { withExtendedLifetime(lock) {} }
        if let known = try known(sha256) { return same(file, known) }
        log.record(ImportSteps.file(file.path, kind))
        return try await store(tracks, file, sha256)
    }

    /// Refuses a file that is not read as it stands, with the first that is not.
    private func refuse(_ document: GPXDocument, _ file: SourceFile) throws {
        let doubts = Self.doubts(of: document)
        let aside = document.account?.aside.first.map { "\($0.count, of: "point") \($0.what)" }
        guard let first = doubts.first ?? aside else { return }
        throw ImportErrors.strict(
            "\(file.path): \(first)", at: .parameter("files"),
            fix: "omit --strict to import the rest of it")
    }

    private func read(
        _ source: SourceBytes, _ kind: String, check: () throws -> Void
    ) throws -> ImportedTracks {
        guard let format = TrackFormat(rawValue: kind) else {
            guard let reader = try TrackImporter.reading(source, context) else {
                throw ImportErrors.format("\(source.name) is not a file of tracks")
            }
            return try reader.read(source, photos: options.photos, context)
        }
        return ImportedTracks(
            try TrackFile(source, format: format, isPlan: target == .routes, check: check) { points in
                context.progress.report("reading points", done: points)
            })
    }

    func view(_ file: SourceFile, _ source: SourceBytes, kind: String) async throws -> Value {
        let tracks = try read(source, kind, check: context.checkCancelled)
        guard let viewing = context.all((any TrackViewing).self).first else {
            throw CommonErrors.inputKind("no plugin of this session shows files of tracks")
        }
        guard tracks.hasPlace else { throw Self.nothing(file, Self.doubts(of: tracks.document)) }
        return try viewing.value(of: tracks, file: file.path, stem: file.stem, context)
    }

    /// The hike already imported from a file with this hash, unless repeated imports are requested.
    private func known(_ sha256: String?) throws -> Hike? {
        guard !options.isRepeating, options.number == nil, target == nil || target == .hikes,
            let location = context.accompanyingStore(HikeStore.kind),
            FileManager.default.fileExists(atPath: location.url.path),
            let store = try importer.hikes.storeIfFits(context)
        else { return nil }
        return try DuplicateSearch(store: store).hike(fromFile: sha256)
    }

    private func same(_ file: SourceFile, _ known: Hike) -> SourceReport {
        log.record(ImportSteps.sameFile(file.path, known))
        return SourceReport(file: file.path, result: .duplicate(of: known.displayName))
    }

    // MARK: Storing

    /// Stores a file as a whole or not at all. After an interruption, `revert` removes all files.
    private func store(
        _ tracks: ImportedTracks, _ file: SourceFile, _ sha256: String?
    ) async throws -> SourceReport {
        let before = undo
        do {
            return try await storeParts(tracks, file, sha256)
        } catch let error as RutterError where error.kind != CommonErrors.interrupted {
            knownRoutes = nil
            // The first error is the one to report.
            try? undo.revert(to: before)
            throw error
        }
    }

    private func storeParts(
        _ tracks: ImportedTracks, _ file: SourceFile, _ sha256: String?
    ) async throws -> SourceReport {
        var report = SourceReport(file: file.path, result: .imported)
        report.format = tracks.format
        report.dropped = tracks.document.notices
        report.account = tracks.document.account.map { SourceAccount(parts: [$0.part]) }
        let sorted = try SortedLines(tracks, file, options, target, context)
        report.dropped += sorted.dropped
        if sorted.count == 0, target == .hikes || target == .routes {
            throw Self.nothing(file, wanted: target, Self.doubts(of: tracks.document))
        }
        let hikes = try await HikeIntake(self, tracks, file, sha256).make(sorted.hikes, &report)
        let routes = try await RouteIntake(self, tracks, file).make(sorted.routes, &report)
        try context.checkCancelled()
        try hikes.insert()
        try routes.insert()
        let waypoints = try WaypointIntake(self, tracks).add(
            to: hikes.made, isOnlyLine: hikes.made.count == 1 && routes.made.isEmpty && sorted.count == 1,
            hasLines: sorted.count > 0, &report)
        guard hikes.made.count + routes.made.count + waypoints > 0 else {
            if case .duplicate = report.result { return report }
            let told = report.dropped.joined()
            throw Self.nothing(
                file, wanted: target,
                report.dropped + Self.doubts(of: tracks.document).filter { !told.contains($0) })
        }
        report.result = .imported
        report.kept = ImportUndo.words(hikes.made.count, routes.made.count, waypoints)
        return report
    }

    /// What is doubtful about a document and its lines, each once.
    private static func doubts(of document: GPXDocument) -> [String] {
        let all = document.doubts + (document.tracks + document.routes).flatMap(\.doubts)
        var told: Set<String> = []
        return all.filter { told.insert($0).inserted }
    }

    private static func nothing(
        _ file: SourceFile, wanted: TrackImporter.Target? = nil, _ dropped: [String] = []
    ) -> RutterError {
        let what =
            switch wanted {
            case nil: "track, route or waypoint"
            case .hikes, .routes: "track or route with points"
            case .waypoints: "waypoint"
            }
        let why = dropped.isEmpty ? "" : ": " + dropped.joined(separator: "; ")
        return ImportErrors.nothing(
            "\(file.path) has no \(what) to import\(why)", at: .parameter("files"),
            fix: wanted == nil ? nil : "omit --as")
    }

    /// Reads the planned routes of the store, unless they are known and their folder has not changed since.
    func refreshKnownRoutes(_ folder: PlannedRouteFolder) throws {
        let state = folder.lastChange
        guard knownRoutes == nil || state != knownState else { return }
        knownRoutes = try folder.routes()
        knownState = state
    }

    // MARK: The end

    func finish() throws {
        defer { undo.record(in: context.journal) }
        try nameHikes()
        let added = undo.count
        log.record(ImportSteps.ended(files, added: added))
        context.tracing?.keep(log, picture: ImportSteps.picture)
    }

    func revert() async throws {
        context.tracing?.keep(log, picture: ImportSteps.picture)
        let undo = undo
        // In a separate task: this one may be cancelled, and could then remove nothing.
        try await Task { try undo.revert() }.value
    }
}

extension ImportedTracks {
    /// Whether there is any coordinate in it.
    fileprivate var hasPlace: Bool {
        !places.isEmpty || (document.tracks + document.routes).contains { $0.pointCount > 0 }
    }
}

/// The lines of a file by what they become.
struct SortedLines {
    private(set) var hikes: [GPXLine] = []
    private(set) var routes: [GPXLine] = []
    private(set) var dropped: [String] = []

    var count: Int { hikes.count + routes.count }

    init(
        _ tracks: ImportedTracks, _ file: SourceFile, _ options: ImportOptions,
        _ target: TrackImporter.Target?,
        _ context: Context
    ) throws {
        var (trackLines, routeLines) = (tracks.document.tracks, tracks.document.routes)
        if let number = options.number {
            let all = trackLines + routeLines
            guard all.indices.contains(number - 1) else {
                throw ImportErrors.number(
                    "\(file.path) has \(all.count, of: "line")",
                    at: .parameter("number"))
            }
            (trackLines, routeLines) =
                number <= trackLines.count ? ([all[number - 1]], []) : ([], [all[number - 1]])
        }
        let takesHikes = TrackImporter.Target.hikes.isTaken(context)
        let takesRoutes = TrackImporter.Target.routes.isTaken(context)
        switch target {
        case .hikes: hikes = trackLines + routeLines
        case .routes: routes = trackLines + routeLines
        // Leaving lines out is what was asked for.
        case .waypoints: break
        case nil:
            var left: [GPXLine] = []
            for (index, line) in (trackLines + routeLines).enumerated() {
                let isTimed =
                    !line.isPlan
                    && (line.segments.contains { $0.contains { $0.time != nil } } || line.isIndoors)
                // Without a plugin for planned routes, a track is a hike even without times.
                if takesHikes, isTimed || !takesRoutes && index < trackLines.count {
                    hikes.append(line)
                } else if takesRoutes {
                    routes.append(line)
                } else {
                    left.append(line)
                }
            }
            drop(left, "line", "no plugin of this session takes planned routes")
        }
    }

    private mutating func drop(_ lines: [GPXLine], _ what: String, _ why: String) {
        guard !lines.isEmpty else { return }
        dropped.append("\(lines.count, of: what): \(why)")
    }
}
