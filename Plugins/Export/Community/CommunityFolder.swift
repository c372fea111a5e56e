import Archives
import Formats
import Foundation
import PluginKit

/// A folder laid out like the community's repository: `index.json`, and `routes/COUNTRY/NAME/` with `route.json`,
/// `route.gpx`, `README.md` and `photos/` for each route.
struct CommunityFolder: Sendable {
    /// Where the routes are, as a setting of the session.
    static let setting = Setting(
        "community.folder", .text, default: "community", "folder laid out like the community's repository")
    static let indexName = "index.json"
    static let routesName = "routes"
    static let routeName = "route.json"
    static let photosName = "photos"

    let url: URL
    /// Its name as typed.
    let name: String

    /// The folder of the session. Throws `E-COMMUNITY-FOLDER`, or `E-FILE-CONFINED`.
    init(_ context: Context) throws {
        name = try context.value(of: Self.setting)
        do { url = try context.files.input(name) } catch let error as RutterError
            where error.kind == CommonErrors.fileMissing
        {
            throw CommunityErrors.folder("no such folder: \(name)", fix: Self.fix)
        }
        guard isLaidOut else {
            throw CommunityErrors.folder(
                "\(name) has neither \(Self.indexName) nor \(Self.routesName)", fix: Self.fix)
        }
    }

    /// The folder to publish into; a new or empty one becomes one of the community. Throws as `init`.
    init(writing context: Context) throws {
        name = try context.value(of: Self.setting)
        url = try context.files.output(name)
        let present = try? FileManager.default.contentsOfDirectory(atPath: url.path)
        let isFree =
            present == nil ? !FileManager.default.fileExists(atPath: url.path) : present?.isEmpty == true
        guard isFree || isLaidOut else {
            throw CommunityErrors.folder(
                "\(name) has neither \(Self.indexName) nor \(Self.routesName)", fix: Self.fix)
        }
    }

    private static let fix = "set community.folder PATH, with the path of a copy of the repository"

    private var isLaidOut: Bool {
        [Self.indexName, Self.routesName].contains {
            FileManager.default.fileExists(atPath: url.appendingPathComponent($0).path)
        }
    }

    /// The file of a route.
    func file(of entry: CommunityEntry) -> URL {
        url.appendingPathComponent(entry.path).appendingPathComponent(Self.routeName)
    }

    /// The folder of a route's photos.
    func photos(of path: String) -> URL {
        url.appendingPathComponent(path).appendingPathComponent(Self.photosName, isDirectory: true)
    }

    // MARK: Contents

    /// What is in the folder.
    struct Contents: Sendable {
        /// The routes, newest first.
        var entries: [CommunityEntry] = []
        /// What cannot be used, with the reason.
        var problems: [(path: String, what: String)] = []
    }

    /// The routes that the index lists and that are there, and those beside it, read from their own files.
    func contents(_ context: Context) throws -> Contents {
        var contents = Contents()
        let present = routePaths()
        var listed: Set<String> = []
        for entry in try index(context, &contents) {
            if !listed.insert(entry.path).inserted {
                contents.problems.append((entry.path, "listed twice in \(Self.indexName)"))
            } else if present.contains(entry.path) {
                contents.entries.append(entry)
            } else {
                contents.problems.append((entry.path, "listed in \(Self.indexName), and not there"))
            }
        }
        for path in present.sorted() where !listed.contains(path) {
            try context.checkCancelled()
            do throws(RutterError) {
                contents.entries.append(try unlisted(path, context))
            } catch {
                if error.kind == CommonErrors.interrupted { throw error }
                contents.problems.append((path, error.message))
            }
        }
        contents.entries.sort { ($1.created, $0.path) < ($0.created, $1.path) }
        return contents
    }

    /// The entries of the index; those that cannot be read are problems, as is the whole of it.
    private func index(_ context: Context, _ contents: inout Contents) throws -> [CommunityEntry] {
        let place = url.appendingPathComponent(Self.indexName)
        guard FileManager.default.fileExists(atPath: place.path) else { return [] }
        let source = try SourceBytes(try context.files.input(place.path))
        var entries: [CommunityEntry] = []
        do {
            var faults: [(String, String)] = []
            try JSONSource.read(source, limit: ExportSettings.longestJSON, check: context.checkCancelled) {
                let routes: JSONTree = try $0.read("routes")
                guard let items = routes.items else {
                    throw JSONFault(value: "not a list").inside(key: "routes")
                }
                for (number, item) in items.enumerated() {
                    do throws(JSONFault) {
                        entries.append(try CommunityEntry(index: item))
                    } catch {
                        faults.append(
                            (item["path"]?.text ?? "\(Self.indexName), entry \(number + 1)", "\(error)"))
                    }
                }
            }
            contents.problems += faults
        } catch let error as RutterError where error.kind != CommonErrors.interrupted {
            contents.problems.append((Self.indexName, error.message))
        }
        return entries
    }

    private func unlisted(_ path: String, _ context: Context) throws(RutterError) -> CommunityEntry {
        do {
            let file = url.appendingPathComponent(path).appendingPathComponent(Self.routeName)
            let source = try SourceBytes(try context.files.input(file.path))
            let count = photoCount(path)
            var entry = try JSONSource.read(
                source, limit: ExportSettings.longestJSON, check: context.checkCancelled
            ) { try CommunityEntry(route: $0, path: path, photos: count) }
            entry.isUnlisted = true
            return entry
        } catch let error as RutterError {
            throw error
        } catch {
            throw CommunityErrors.folder("\(error)")
        }
    }

    /// The number of pictures beside a route.
    func photoCount(_ path: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: photos(of: path).path)) ?? []
        return names.count {
            ["jpg", "jpeg", "png"].contains(($0 as NSString).pathExtension.lowercased())
        }
    }

    /// The folders below `routes` that hold a route; links are not followed.
    private func routePaths() -> Set<String> {
        let home = url.appendingPathComponent(Self.routesName)
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: home.path)) ?? []
        return Set(
            names.filter { ($0 as NSString).lastPathComponent == Self.routeName }.map {
                ("\(Self.routesName)/\($0)" as NSString).deletingLastPathComponent
            })
    }

    // MARK: Index

    /// Writes the index of routes, newest first. Throws `E-FILE-ACCESS`.
    func writeIndex(_ entries: [CommunityEntry], at time: String) throws(RutterError) {
        let tree = JSONTree(members: [
            "updatedAt": .text(time), "routeCount": JSONTree(entries.count),
            "routes": .list(entries.map(\.tree)),
        ])
        try OutputFile.write(
            Data((JSONWriter(.fitted).text(tree) + "\n").utf8),
            to: url.appendingPathComponent(Self.indexName),
            force: true, parameter: "hike")
    }
}

/// Errors of the community's folder.
enum CommunityErrors {
    static let folder = ErrorKind(
        "E-COMMUNITY-FOLDER", "not a folder of community routes",
        explanation: """
            The folder of the setting `community.folder` is laid out like the community's repository: index.json, and \
            routes/COUNTRY/NAME with a route.json each. A copy of the repository is one; `community publish` makes one.
            """)
    static let details = ErrorKind(
        "E-COMMUNITY-DETAILS", "details of the route are missing",
        explanation: """
            A shared route has an author, a country, an area and one of the community's activities, and at least two points. \
            `community publish` takes them as options.
            """)
    static let published = ErrorKind(
        "E-COMMUNITY-PUBLISHED", "the route is already published",
        explanation:
            "The folder holds a route with the same identifier. --force replaces it. Another route of the same name gets a folder of its own."
    )
    static let all = [folder, details, published]
}
