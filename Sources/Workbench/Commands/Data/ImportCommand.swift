import Archives
import Formats
import Foundation
import PluginKit

/// `import PATH…`
struct ImportCommand: CommandProvider {
    var name: String { "import" }

    var command: Command {
        Command(
            name, "import files of any known format",
            details: """
                Files, folders and archives (ZIP, KMZ, tar, gzip, bzip2, xz, zstd, also nested); the format is recognised by content, not by \
                the name: GPX, FIT, TCX, KML, GeoJSON, NMEA, IGC, OziExplorer tracks, tables and JSON of positions, community JSON, OpenStreetMap files, GTFS feeds, as far as the plugins \
                for them are present. Files of other kinds are listed as not read. Of GPX and its kin, lines with times become hikes, other lines planned routes, \
                waypoints waypoints; --as decides otherwise. Returns one row per file: what it was, what became of it, and \
                what was dropped, repaired or doubtful. A file or walk that is in the store already is not added twice. \
                An unreadable file is listed as failed while others are imported; an interrupted import adds nothing. \
                `undo` reverts all of it. With --strict, a file is refused of which anything would be left out, repaired or \
                doubted, with the first of it. With --dry-run nothing is stored, and the content is returned as a value: \
                `import walk.gpx --dry-run | map`. `region import` and `feed import` have further options for maps and \
                feeds.
                """,
            .rest("files", .inputPath, minimum: 1, "files, folders or archives"),
            .option(
                "as", .text, "what lines become: hikes, routes; or only waypoints; default: by their content"),
            .flag("dry-run", "store nothing, and return the content"),
            Self.options, output: .any, effect: .changes,
            examples: [
                .init("a recording", "import walk.gpx | get kept", after: [Self.walk], gives: "1 hike"),
                .init(
                    "the same file again", "import walk.gpx | get result",
                    after: [Self.walk, "import walk.gpx"],
                    gives: "duplicate of Walk"),
                .init(
                    "as a planned route", "import walk.gpx --as routes | get kept", after: [Self.walk],
                    gives: "1 planned route"),
                .init(
                    "strictly", "expect-error E-IMPORT-STRICT import far.gpx --strict",
                    after: [Self.far],
                    gives: "far.gpx: points without a position, since theirs is none: 1 "
                        + "(first: point 1, longitude 187)"),
                .init(
                    "only the content", "import walk.gpx --dry-run | get distance", after: [Self.walk],
                    gives: "111m"),
            ],
            searchTerms: [
                "several files", "folder of recordings", "activities", "upload", "add my data", "old hikes",
                "device", "watch",
                "read", "load", "open", "gpx", "fit", "tcx", "kml", "garmin", "track", "open a gpx file",
                "load tracks", "strava", "archive", "folder", "convert", "apple health", "google timeline",
                "takeout", "komoot", "suunto", "polar", "bring in data", "my data", "openstreetmap", "gtfs",
                "strava zip", "coros", "fitbit", "health export", "watch files", "waypoints from csv",
                "points of a table", "whole folder", "kml file", "bike computer", "head unit",
                "pull in files",
            ]
        ) { context, urls, target, isDry, options in
            var options = options
            options.target = target
            var run = try ImportRun(urls, options, context)
            return isDry ? try await run.view() : try await run.add()
        }.deciding("import walk.gpx", after: [Self.walk, "import walk.gpx"])
    }

    /// Writes a recording of two points, a minute and a half apart.
    private static let walk =
        "'<gpx><trk><name>Walk</name><trkseg><trkpt lat=\"46.5\" lon=\"7.9\"><ele>500</ele>"
        + "<time>2026-02-06T08:00:00Z</time></trkpt><trkpt lat=\"46.501\" lon=\"7.9\"><ele>510</ele>"
        + "<time>2026-02-06T08:01:30Z</time></trkpt></trkseg></trk></gpx>' | save walk.gpx"

    /// Writes a planned route of which one point is nowhere.
    private static let far =
        "'<gpx><trk><trkseg><trkpt lat=\"46.5\" lon=\"187\"/><trkpt lat=\"46.5\" lon=\"7\"/>"
        + "<trkpt lat=\"46.6\" lon=\"7\"/></trkseg></trk></gpx>' | save far.gpx"

    private static let options = Parameter<ImportOptions>.group(
        .option("name", .text, "name of the hike or route; several are numbered"),
        .option("number", .integer(1...100_000), "only this line, counted from 1, tracks before routes"),
        .flag("again", "also add what is in the store already"),
        .flag("no-waypoints", "skip the waypoints of files"),
        .flag("strict", "refuse a file that is not read as it stands"),
        .option(
            "profile", ParameterType.choice(of: TravelMode.self),
            "profile of planned routes; default: the file's, or hiking"),
        .option("photos", .inputPath, "folder with the photos that community JSON names")
    ) { name, number, again, noWaypoints, strict, mode, photos in
        var options = ImportOptions()
        options.name = name
        options.number = number
        options.isRepeating = again
        options.skipsWaypoints = noWaypoints
        options.isStrict = strict
        options.mode = mode
        options.photos = photos
        return options
    }
}

/// Errors of `import` that belong to no format.
enum ImportKindErrors {
    static let kind = ErrorKind(
        "E-IMPORT-KIND", "unknown kind of file",
        explanation: """
            No plugin of the session imports files of this kind, or none makes of them what --as says. Files are \
            recognised by their content. `plugin list` shows the plugins.
            """)
    static let all = [kind]
}

/// One run of `import`.
private struct ImportRun {
    private let context: Context
    private let options: ImportOptions
    private let importers: [any FileImporting]
    private var walk: SourceWalk
    /// The imports that have begun, by the name of their importer.
    private var begun: [(name: String, run: any FileImport)] = []

    init(_ urls: [URL], _ options: ImportOptions, _ context: Context) throws {
        self.context = context
        self.options = options
        var known: [any FileImporting] = []
        for importer in context.all((any FileImporting).self)
        where !known.contains(where: { $0.name == importer.name }) {
            known.append(importer)
        }
        let words = known.flatMap { $0.targets(context).map(\.word) }
        if let target = options.target {
            guard words.contains(target) else {
                throw ImportKindErrors.kind(
                    "unknown target `\(target)`", at: .parameter("as"),
                    fix: Suggestion.sentence(for: target, among: words))
            }
            known = known.filter { $0.targets(context).contains { $0.word == target } }
        }
        let importers = known
        self.importers = importers
        walk = SourceWalk(
            urls, extensions: importers.reduce(into: []) { $0.formUnion($1.extensions) },
            isWhole: { source in importers.contains { $0.isWhole(source) } },
            recognises: { source in
                importers.contains { importer in ((try? importer.kind(of: source, context)) ?? nil) != nil }
            }, describes: { ForeignRecording(recognising: $0)?.words }, check: context.checkCancelled)
    }

    /// Imports all files, or none if it is interrupted. The error of a single file is thrown.
    mutating func add() async throws -> Value {
        var reports: [SourceReport] = []
        do {
            while let file = try walk.next() {
                do {
                    reports.append(try await add(file))
                } catch let error as RutterError where error.kind != CommonErrors.interrupted {
                    reports.append(SourceReport(file: file.path, result: .failed(error)))
                }
                context.progress.report("importing files", done: reports.count)
            }
            try context.checkCancelled()
        } catch {
            for (_, run) in begun.reversed() { try await run.revert() }
            throw error
        }
        guard !reports.isEmpty else { throw nothing() }
        let unread = UnreadReports.reports(walk.unread)
        if reports.count == 1, unread.isEmpty, case .failed(let error) = reports[0].result { throw error }
        for (_, run) in begun { try run.finish() }
        let files = Set((reports + unread).map(\.file))
        for (file, words) in begun.flatMap({ $0.run.missing(among: files) }) {
            guard let index = reports.firstIndex(where: { $0.file == file }) else { continue }
            reports[index].dropped.append(words)
        }
        let all = reports + unread
        context.keep(
            reports.compactMap { report in
                guard case .imported = report.result else { return nil }
                return report.fullAccount
            }, by: "import")
        var rows = Rows(objects: all, columns: SourceReport.columns(of: all))
        rows.remark = SourceReport.note(of: all)
        return .rows(rows)
    }

    /// The error of paths without a file that can be imported, with the kinds of what is there.
    private func nothing() -> RutterError {
        let found = UnreadReports.reports(walk.unread).prefix(3).map(\.file).joined(separator: ", ")
        let words =
            found.isEmpty ? "the paths hold no file" : "no file that can be imported; there are: \(found)"
        return ImportKindErrors.kind(words, at: .parameter("files"))
    }

    private mutating func add(_ file: SourceFile) async throws -> SourceReport {
        let (run, source, kind) = try importing(file)
        return try await run.add(file, source, kind: kind)
    }

    /// The content of the files; that of a single one by itself.
    mutating func view() async throws -> Value {
        var values: [Value] = []
        while let file = try walk.next() {
            let (run, source, kind) = try importing(file)
            values.append(try await run.view(file, source, kind: kind))
        }
        guard !values.isEmpty else { throw nothing() }
        return values.count == 1 ? values[0] : .list(values)
    }

    private static func empty(_ file: SourceFile) -> RutterError {
        ImportKindErrors.kind(
            "\(file.path) is empty", at: .parameter("files"), fix: "copy or export it again")
    }

    /// The import that takes a file, which begins with the first file of its kinds.
    private mutating func importing(_ file: SourceFile) throws -> (any FileImport, SourceBytes, String) {
        let source = try file.content.get()
        guard source.size > 0 else { throw Self.empty(file) }
        for importer in importers {
            guard let kind = try importer.kind(of: source, context) else { continue }
            if let known = begun.first(where: { $0.name == importer.name }) {
                return (known.run, source, kind)
            }
            let run = try importer.begin(options, context)
            begun.append((importer.name, run))
            return (run, source, kind)
        }
        if let known = ForeignRecording(recognising: source) {
            throw ImportKindErrors.kind(
                "\(file.path) is \(known.words)", at: .parameter("files"), fix: known.fix)
        }
        let isDatabase =
            (try? source.bytes(at: 0, count: 16))?.starts(with: Array("SQLite format 3".utf8)) ?? false
        throw ImportKindErrors.kind(
            "\(file.path) is of no kind that the plugins of this session import", at: .parameter("files"),
            fix: isDatabase ? "store open \(Literal.text(file.path)) looks into an app's database" : nil)
    }
}
