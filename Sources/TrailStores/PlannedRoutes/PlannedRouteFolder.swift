import CivilTime
import Formats
import Foundation
import PluginKit

/// A folder of planned routes, one JSON file each. Files that cannot be read are listed and never touched.
public struct PlannedRouteFolder: Sendable {
    /// A file of the folder, and the route in it or what is wrong with it.
    public struct Entry: Sendable {
        /// The file.
        public let url: URL
        /// The route, or why there is none.
        public let content: Result<PlannedRoute, PlannedRouteError>

        /// The route where the file is readable.
        public var route: PlannedRoute? { try? content.get() }
        /// What is wrong where it is not.
        public var error: PlannedRouteError? {
            if case .failure(let error) = content { return error }
            return nil
        }
    }

    /// Files longer than this are no routes: a route of a hundred thousand points is a tenth of it.
    public static let longestFile = 64 << 20

    /// The folder; it need not exist.
    public let url: URL

    /// A folder, `planned_routes` in an app's documents.
    public init(_ url: URL) { self.url = url }

    /// The folder of a workspace or device.
    public init(own workspace: URL) { self.init(StoreKind.plannedRoutes.url(in: workspace)) }

    /// The folder that a command works on.
    public init(_ location: StoreLocation) { self.init(location.url) }

    /// All files: the readable ones with the newest route first, then the others by name.
    public func entries() throws -> [Entry] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return [] }
        // A single route of an app can be opened as well.
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

    /// All routes that can be read, the newest first.
    public func routes() throws -> [PlannedRoute] { try entries().compactMap(\.route) }

    /// The file of a route, whatever case its name is written in; `nil` when there is none.
    public func file(of id: UUID) throws -> URL? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        let wanted = id.uuidString.lowercased() + ".json"
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        return names.first { $0.lowercased() == wanted }.map { url.appendingPathComponent($0) }
    }

    /// Writes a route to its file, wholly or not at all.
    public func save(_ route: PlannedRoute) throws {
        let data = PlannedRouteJSON.data(route)
        let existing = try file(of: route.id)
        try write(data, to: existing ?? url.appendingPathComponent(route.id.uuidString + ".json"))
    }

    /// Gives a route another name and leaves the rest of its file as it is. Gives back the bytes before.
    public func rename(_ id: UUID, to name: String, at moment: Timestamp) throws -> Data {
        guard let file = try file(of: id) else { throw PlannedRouteError.missing(id) }
        let before = try contents(of: file)
        try write(try PlannedRouteJSON.renamed(before, to: name, at: moment), to: file)
        return before
    }

    /// Deletes a route. Gives back the bytes of its file.
    public func delete(_ id: UUID) throws -> Data {
        guard let file = try file(of: id) else { throw PlannedRouteError.missing(id) }
        let before = try contents(of: file)
        try FileManager.default.removeItem(at: file)
        return before
    }

    /// Writes the bytes of a route's file as they were.
    public func restore(_ data: Data, of id: UUID) throws {
        try write(data, to: try file(of: id) ?? url.appendingPathComponent(id.uuidString + ".json"))
    }

    private func entry(at file: URL) -> Entry {
        do {
            let data = try contents(of: file)
            return Entry(url: file, content: .success(try PlannedRouteJSON.route(data)))
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

    /// Writes beside the file and renames, so that a reader sees the old or the new file and nothing between, whatever happens. It is on
    /// the disk when this returns.
    private func write(_ data: Data, to file: URL) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let staged = try StagedFile(file, force: true)
        try data.withUnsafeBytes { try staged.write($0) }
        try staged.finish()
    }
}

/// What can be wrong with a planned route's file.
public enum PlannedRouteError: Error, Sendable, Hashable {
    /// It is not what the apps write; what and where.
    case undecodable(String)
    /// It is longer than any route.
    case tooLong(Int)
    /// There is no file for this route.
    case missing(UUID)

    /// What is wrong, in words.
    public var message: String {
        switch self {
        case .undecodable(let what): what
        case .tooLong(let size): "the file has \(size) bytes; routes are shorter"
        case .missing(let id): "no file for route \(id.uuidString)"
        }
    }
}
