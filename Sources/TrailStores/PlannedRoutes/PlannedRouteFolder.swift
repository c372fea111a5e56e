import CivilTime
import Formats
import Foundation
import PluginKit

/// A folder of planned routes, one JSON file each. Unreadable files are listed and never changed.
public struct PlannedRouteFolder: Sendable {
    /// A file of the folder, and its route or problem.
    public struct Entry: Sendable {
        /// The file.
        public let url: URL
        /// The route, or the problem.
        public let content: Result<PlannedRoute, PlannedRouteError>

        /// The route, if readable.
        public var route: PlannedRoute? { try? content.get() }
        /// The problem, if unreadable.
        public var error: PlannedRouteError? {
            if case .failure(let error) = content { return error }
            return nil
        }
    }

    /// Maximum bytes of a route's file: ten times a route of a hundred thousand points.
    public static let longestFile = 64 << 20

    /// The folder; it need not exist.
    public let url: URL

    /// A folder, `planned_routes` in an app's documents.
    public init(_ url: URL) { self.url = url }

    /// The folder of a workspace or device.
    public init(own workspace: URL) { self.init(StoreKind.plannedRoutes.url(in: workspace)) }

    /// The folder that a command works on.
    public init(_ location: StoreLocation) { self.init(location.url) }

    /// When a file was last added, replaced or removed, in nanoseconds of an unspecified epoch; `nil` without the folder.
    var lastChange: Int? {
        var info = stat()
        guard stat(url.path, &info) == 0 else { return nil }
        return info.st_mtim.tv_sec * 1_000_000_000 + info.st_mtim.tv_nsec
    }

    /// All files: the readable ones, newest route first, then the others by name.
    public func entries() throws -> [Entry] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return [] }
        // A single route of an app can be opened, too.
        if !isFolder.boolValue { return [entry(at: url)] }
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        let files = names.filter { $0.lowercased().hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
        let entries = files.map { entry(at: url.appendingPathComponent($0)) }
        let readable = entries.filter { $0.route != nil }.sorted { left, right in
            guard let left = left.route, let right = right.route else { return false }
            if left.createdAt != right.createdAt { return left.createdAt > right.createdAt }
            return (left.name, left.id.uuidString) < (right.name, right.id.uuidString)
        }
        return readable + entries.filter { $0.route == nil }
    }

    /// All readable routes, the newest first.
    public func routes() throws -> [PlannedRoute] { try entries().compactMap(\.route) }

    /// The file of a route, ignoring the case of its name; `nil` if there is none.
    public func file(of id: UUID) throws -> URL? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue
        else {
            return nil
        }
        let wanted = id.uuidString.lowercased() + ".json"
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        return names.first { $0.lowercased() == wanted }.map { url.appendingPathComponent($0) }
    }

    /// Writes a route to its file atomically.
    public func save(_ route: PlannedRoute) throws {
        let data = PlannedRouteJSON.data(route)
        let existing = try file(of: route.id)
        try write(data, to: existing ?? url.appendingPathComponent(route.id.uuidString + ".json"))
    }

    /// Renames a route and keeps the rest of its file. Returns the previous bytes.
    public func rename(_ id: UUID, to name: String, at moment: Timestamp) throws -> Data {
        guard let file = try file(of: id) else { throw PlannedRouteError.missing(id) }
        let before = try contents(of: file)
        try write(try PlannedRouteJSON.renamed(before, to: name, at: moment), to: file)
        return before
    }

    /// Deletes a route. Returns the bytes of its file.
    public func delete(_ id: UUID) throws -> Data {
        guard let file = try file(of: id) else { throw PlannedRouteError.missing(id) }
        let before = try contents(of: file)
        try FileManager.default.removeItem(at: file)
        return before
    }

    /// Restores the bytes of a route's file.
    public func restore(_ data: Data, of id: UUID) throws {
        try write(data, to: try file(of: id) ?? url.appendingPathComponent(id.uuidString + ".json"))
    }

    private func entry(at file: URL) -> Entry {
        do {
            let data = try contents(of: file)
            var route = try PlannedRouteJSON.route(data)
            if let fault = route.impossible {
                return Entry(url: file, content: .failure(.undecodable(fault)))
            }
            // Other programs may show other values.
            for key in Set(RepeatedKeys.find(data).map(\.key)).sorted() {
                route.doubts.append(
                    "its file has the key `\(key)` twice, and programs differ in which counts")
            }
            return Entry(url: file, content: .success(route))
        } catch let error as PlannedRouteError {
            return Entry(url: file, content: .failure(error))
        } catch let fault as JSONFault {
            return Entry(url: file, content: .failure(.undecodable(fault.description)))
        } catch {
            return Entry(url: file, content: .failure(.undecodable("the file cannot be read: \(error)")))
        }
    }

    private func contents(of file: URL) throws -> Data {
        let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        guard size <= Self.longestFile else { throw PlannedRouteError.tooLong(size) }
        return try Data(contentsOf: file)
    }

    /// Writes a temporary file and renames it, so that a reader sees either the old or the new file, even
    /// after a crash. The file is flushed when this returns.
    private func write(_ data: Data, to file: URL) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let staged = try StagedFile(file, force: true)
        try data.withUnsafeBytes { try staged.write($0) }
        try staged.finish()
    }
}

/// Problems of a planned route's file.
public enum PlannedRouteError: Error, Sendable, Hashable {
    /// It is not in the apps' format; the text describes the problem and location.
    case undecodable(String)
    /// It is longer than any route.
    case tooLong(Int)
    /// The route has no file.
    case missing(UUID)

    /// The problem as text.
    public var message: String {
        switch self {
        case .undecodable(let what): what
        case .tooLong(let size): "the file has \(size) bytes; too many for a route"
        case .missing(let id): "no file for route \(id.uuidString)"
        }
    }
}
