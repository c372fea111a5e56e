import Archives
import CivilTime
import Formats
import Foundation
import PluginKit
import TrailStores

/// `community publish`
struct PublishCommunity: CommandProvider {
    private static let columns = ["path", "files", "photos", "warnings"]
    /// Points that a shared route has at least.
    private static let fewestPoints = 2
    /// Letters of the identifier that tell folders of routes of one name apart.
    private static let lettersOfID = 8

    let source: JourneySource

    var name: String { "community publish" }

    var command: Command {
        Command(
            name, "write a hike or route into the community's folder",
            details: """
                Writes routes/COUNTRY/NAME in the folder of the setting community.folder: route.json, route.gpx, README.md and \
                photos of at most 640 × 400 pixels without EXIF data; then index.json. To share it, commit the folder and open a \
                pull request. Heart rates and other sensors are left out. Where one lives: `hike crop` shortens both ends first. \
                The folder is made if it is missing.
                """,
            .optional(
                "what", .reference(toAnyOf: ExportOptions.subjects), "hike or route; default: the piped value"
            ),
            .option("author", .text, "author; default: that of its file"),
            .option("country", .text, "country, such as CH; default: that of its file"),
            .option("area", .text, "area, such as Valais; default: that of its file"),
            .option("activity", .choice(of: CommunityActivity.self), "activity; default: its own"),
            .option("description", .text, "description; default: its comment"),
            .flag("force", "replace the route of the same identifier"),
            input: .optional(.any), output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "a recording",
                    "$walk | community publish --author Ann --country CH --area Oberland --activity hiking | get path",
                    after: ExportExample.open, gives: "routes/ch/walk"),
                .init(
                    "without an author",
                    "expect-error E-COMMUNITY-DETAILS $walk | community publish --country CH --area Oberland",
                    after: ExportExample.open),
            ],
            searchTerms: [
                "share with others", "share with a friend", "share to community", "upload", "contribute",
                "openhiker", "pull request",
            ]
        ) { input, context, what, author, country, area, activity, description, force in
            var journey = try ExportOptions.one(
                ExportOptions.placed(source.journeys(what, input, context)), "community publish")
            if let activity { journey.activity = activity.rawValue }
            if let description { journey.comment = description }
            let details = try Self.details(journey, author, country, area)
            let made = try CommunityPublication(journey, details, context)
            let folder = try CommunityFolder(writing: context)
            return try Self.write(made, into: folder, force: force, context)
        }
    }

    // MARK: Checks

    /// What the community's format requires. Throws `E-COMMUNITY-DETAILS`.
    private static func details(
        _ journey: ExportJourney, _ author: String?, _ country: String?, _ area: String?
    ) throws(RutterError) -> CommunityFormat.Details {
        func given(_ text: String?, or own: String?) -> String? {
            (text ?? own)?.trimmingCharacters(in: .whitespacesAndNewlines).nonEmpty
        }
        let details = CommunityFormat.Details(
            author: given(author, or: journey.author),
            country: given(country, or: journey.community?.country),
            area: given(area, or: journey.community?.area))
        let known = [
            (name: "author", value: details.author), (name: "country", value: details.country),
            (name: "area", value: details.area),
        ]
        let missing = known.filter { $0.value == nil }.map(\.name)
        guard missing.isEmpty else {
            throw CommunityErrors.details(
                "\(journey.title) has no \(missing.joined(separator: ", no "))",
                fix: "add " + missing.map { "--\($0) \($0.uppercased())" }.joined(separator: " "))
        }
        guard let activity = journey.activity, CommunityActivity(rawValue: activity) != nil else {
            throw CommunityErrors.details(
                journey.activity.map { "the activity `\($0)` is none of the community's" }
                    ?? "the activity of \(journey.title) is unknown",
                fix: "add --activity " + CommunityActivity.allCases.map(\.rawValue).joined(separator: "|"))
        }
        guard journey.points.count >= fewestPoints else {
            throw CommunityErrors.details("\(journey.title) has fewer than two points")
        }
        return details
    }

    // MARK: Writing

    private static func write(
        _ made: CommunityPublication, into folder: CommunityFolder, force: Bool, _ context: Context
    ) throws -> Value {
        var entry = try JSONTree.read(made.route) {
            try CommunityEntry(route: $0, path: "", photos: made.photos.count)
        }
        let present = try folder.contents(context)
        entry.path = try path(of: entry, among: present.entries, in: folder, force: force)
        let files = try made.files(check: context.checkCancelled)
        let route = CommunityRouteFolder(folder.url.appendingPathComponent(entry.path, isDirectory: true))
        try route.replace(with: files) { () throws(RutterError) in
            let others = present.entries.filter { $0.path != entry.path }
            let all = (others + [entry]).sorted { ($1.created, $0.path) < ($0.created, $1.path) }
            try folder.writeIndex(all, at: ISO8601.text(context.clock.now, fraction: .never))
        }
        let left = present.problems.filter { $0.path != entry.path }.map { "\($0.path): \($0.what)" }
        return .record(
            Record([
                ("path", .text(entry.path)), ("files", .integer(files.count + 1)),
                ("photos", .integer(made.photos.count)),
                ("warnings", .list((made.warnings + left).map { .text($0) })),
            ]))
    }

    /// The folder of a route: that of the same identifier, or else one of its name. Throws `E-COMMUNITY-PUBLISHED`.
    private static func path(
        of entry: CommunityEntry, among present: [CommunityEntry], in folder: CommunityFolder, force: Bool
    ) throws(RutterError) -> String {
        let home = "\(CommunityFolder.routesName)/\(slug(entry.country) ?? "other")"
        // The identifier of a file may be any text.
        let id = slug(entry.id) ?? "route"
        let wanted = "\(home)/\(slug(entry.name) ?? id)"
        if let same = present.first(where: { $0.id.lowercased() == entry.id.lowercased() }) {
            guard force else {
                throw CommunityErrors.published(
                    "\(entry.name) is already published as \(same.path)", fix: "add --force to replace it")
            }
            return same.path
        }
        func isThere(_ path: String) -> Bool {
            FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(path).path)
        }
        guard isThere(wanted) else { return wanted }
        // Another route of the same name.
        let other = "\(wanted)-\(id.prefix(lettersOfID))"
        guard force || !isThere(other) else {
            throw CommunityErrors.published("\(other) is there already", fix: "add --force to replace it")
        }
        return other
    }

    /// A name as part of a path: letters of the Latin alphabet in lower case and digits, the rest as hyphens; `nil` if none is
    /// left.
    static func slug(_ text: String) -> String? {
        let plain = text.foldedForSearch.map { character -> Character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
        }
        return String(plain).split(separator: "-").joined(separator: "-").nonEmpty
    }
}

/// The folder of one route, which is replaced as a whole or not at all.
private struct CommunityRouteFolder {
    let url: URL

    init(_ url: URL) { self.url = url }

    /// Writes the files beside the folder, exchanges both, and calls `finish`; if that throws, the old ones are put back.
    func replace(
        with files: [(name: String, data: Data)], finish: () throws(RutterError) -> Void
    ) throws {
        let manager = FileManager.default
        let parent = url.deletingLastPathComponent()
        let waiting = parent.appendingPathComponent(".rutter-\(getpid())-new", isDirectory: true)
        let former = parent.appendingPathComponent(".rutter-\(getpid())-old", isDirectory: true)
        defer { manager.discard(waiting) }
        do {
            for (name, data) in files {
                let place = waiting.appendingPathComponent(name)
                try manager.createDirectory(
                    at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try OutputFile.write(data, to: place, force: true, parameter: "what")
            }
            let isThere = manager.fileExists(atPath: url.path)
            if isThere { try manager.moveItem(at: url, to: former) }
            do {
                try manager.moveItem(at: waiting, to: url)
                try finish()
            } catch {
                manager.discard(url)
                if isThere { try? manager.moveItem(at: former, to: url) }
                throw error
            }
            manager.discard(former)
        } catch let error as RutterError {
            throw error
        } catch {
            throw CommonErrors.fileAccess(
                "\(url.lastPathComponent) cannot be written: \((error as NSError).localizedDescription)")
        }
    }
}
