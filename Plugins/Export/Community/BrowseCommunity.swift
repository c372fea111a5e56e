import Archives
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// The activities of the community's format.
enum CommunityActivity: String, CaseIterable {
    case hiking, cycling, running, skiTouring, other
}

/// `community list`
struct ListCommunity: CommandProvider {
    var name: String { "community list" }

    var command: Command {
        Command(
            name, "search the routes of the community",
            details: """
                The folder of the setting community.folder is a copy of the community's repository. Without options all routes are \
                listed, newest first. A search finds routes that have each of its words in name, author, country, area or \
                description, in any case and without accents. Routes that index.json does not list are read from their own \
                files (`listed` is false); what cannot be read comes last, with the reason in `problem`.
                """,
            .rest("words", .text, "words to look for"),
            .option("activity", .choice(of: CommunityActivity.self), "only routes of this activity"),
            .option("area", .text, "only routes whose country or area begins so"),
            .option("near", .coordinate, "only routes around this coordinate"),
            .option("radius", .quantity(.length, in: 0...2e7), "distance from --near; default: 100km"),
            output: .rows(CommunityObject.columns), effect: .reads,
            examples: [
                .init(
                    "by a word", "community list walk | get name", after: CommunityExample.setup,
                    gives: "Walk"),
                .init(
                    "by activity and area", "community list --activity hiking --area ch | get area",
                    after: CommunityExample.setup, gives: "Oberland"),
            ],
            searchTerms: [
                "routes of others", "find routes",
                "shared routes", "browse", "openhiker", "github", "download routes", "search routes",
            ]
        ) { context, words, activity, area, near, radius in
            if near == nil, radius != nil {
                throw CommonErrors.inputKind(
                    "--radius needs a centre", at: .parameter("radius"), fix: "add --near LAT,LON")
            }
            let folder = try CommunityFolder(context)
            let contents = try folder.contents(context)
            let wanted = words.flatMap { $0.foldedForSearch.split(separator: " ").map(String.init) }
            let begin = area?.foldedForSearch
            let entries = contents.entries.filter { entry in
                let text = entry.words
                return wanted.allSatisfy(text.contains)
                    && (activity == nil || entry.activity == activity?.rawValue)
                    && (begin == nil
                        || [entry.country, entry.area].contains { $0.foldedForSearch.hasPrefix(begin ?? "") })
                    && (near.map { entry.distance(from: $0) <= radius ?? Self.nearMe } ?? true)
            }
            return CommunityTable(contents.problems).table(
                entries.map { CommunityObject(entry: $0, file: folder.file(of: $0)) })
        }
    }

    /// Metres within which the app shows routes near by.
    private static let nearMe = 100_000.0
}

/// A list of routes, those that cannot be read at its end.
private struct CommunityTable {
    let problems: [(path: String, what: String)]

    init(_ problems: [(path: String, what: String)]) { self.problems = problems }

    func table(_ objects: [CommunityObject]) -> Value {
        guard !problems.isEmpty else { return .table(objects: objects, columns: CommunityObject.columns) }
        let bad = problems.map { path, what in
            Value.record(Record([("path", .text(path)), ("problem", .text(what))]))
        }
        return .table(
            columns: CommunityObject.columns + ["path", "problem"], rows: objects.map { .object($0) } + bad,
            note: "\(problems.count, of: "entry", plural: "entries") cannot be used")
    }
}

/// What several commands of the community share.
enum CommunityOptions {
    static let route = Parameter.positional(
        "route", .reference("communityRoute", to: CommunityObject.self),
        "route of the community by name, path or id")

    /// The content of a route's file.
    static func journey(_ route: CommunityObject, _ context: Context) throws -> ExportJourney {
        let source = try SourceBytes(try context.files.input(route.file.path))
        let folder = PhotoFolder(url: Self.photos(of: route))
        let files = context.files
        var journey = try CommunityReader.journey(
            source, photo: { try folder.read($0, files) }, check: context.checkCancelled)
        for name in journey.photos.compactMap(\.fileName) where !folder.has(name) {
            journey.warnings.append("the photo \(name) is not there")
        }
        journey.file = route.entry.path
        journey.format = "community"
        return journey
    }

    /// The folder of a route's photos.
    static func photos(of route: CommunityObject) -> URL {
        route.file.deletingLastPathComponent().appendingPathComponent(
            CommunityFolder.photosName, isDirectory: true)
    }
}

/// `community show`
struct ShowCommunity: CommandProvider {
    var name: String { "community show" }

    var command: Command {
        Command(
            name, "preview a route of the community",
            details: """
                Returns the content of its route.json; nothing is stored. `community show NAME | map` draws it, `| elevation` its \
                elevations, and `export` writes it in any format.
                """,
            CommunityOptions.route,
            output: .value("journey"), effect: .reads,
            examples: [
                .init(
                    "its length", "community show Walk | get distance", after: CommunityExample.setup,
                    gives: "111m")
            ], searchTerms: ["preview", "shared route", "details"]
        ) { context, route in
            .object(JourneyObject(journey: try CommunityOptions.journey(route, context)))
        }
    }
}

/// `community import`
struct ImportCommunity: CommandProvider {
    let importer: TrackImporter

    var name: String { "community import" }

    var command: Command {
        Command(
            name, "import a route of the community with its photos",
            details: """
                A recorded route becomes a hike with its waypoints and their photos, a planned one a planned route; --as decides \
                otherwise. What is in the store already is not added twice. `undo` removes it.
                """,
            CommunityOptions.route,
            .option(
                "as", .choice([.init("hikes", "a hike"), .init("routes", "a planned route")]),
                "what it becomes; default: by its content"),
            .flag("no-photos", "leave the photos out"),
            output: .rows(["file", "result", "kept"]), effect: .changes,
            examples: [
                .init(
                    "an unknown route", "expect-error E-REFERENCE-UNKNOWN community import Peak",
                    after: CommunityExample.setup)
            ],
            searchTerms: [
                "routes of others", "other people", "routes of friends", "download", "offline",
                "shared route", "save",
            ]
        ) { context, route, target, noPhotos in
            var options = ImportOptions()
            options.target = target
            let photos = CommunityOptions.photos(of: route)
            if !noPhotos, FileManager.default.fileExists(atPath: photos.path) {
                options.photos = try context.files.input(photos.path)
            }
            let run = try importer.begin(options, context)
            var walk = SourceWalk(
                [try context.files.input(route.file.path)], extensions: ["json"],
                check: context.checkCancelled)
            guard let file = try walk.next() else {
                throw CommunityErrors.folder("\(route.entry.path) has no file \(CommunityFolder.routeName)")
            }
            let report: SourceReport
            do {
                report = try await run.add(file, try file.content.get(), kind: "community")
            } catch {
                try await run.revert()
                throw error
            }
            try run.finish()
            return .table(objects: [report], columns: SourceReport.columns(of: [report]))
        }
    }
}

/// Entries that make a folder with one route.
enum CommunityExample {
    static let setup = [
        ExportExample.open[0], ExportExample.open[1],
        "$walk | community publish --author Ann --country CH --area Oberland --activity hiking",
    ]
}
