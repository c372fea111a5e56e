import Cartography
import Foundation
import GRDB
import PluginKit
import TrailStores

/// The folder of a workspace that holds its regions.
package struct RegionFolder: Sendable {
    package let url: URL

    /// The regions below a workspace.
    package init(workspace: URL) { url = StoreKind.routing.url(in: workspace) }

    /// The regions of a folder itself.
    package init(at url: URL) { self.url = url }

    func files(_ name: String) -> RegionFiles { RegionFiles(folder: url, name: name) }

    /// The names of the regions, in order.
    package var names: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return files.filter { $0.hasSuffix(RegionFiles.databaseSuffix) && !$0.hasPrefix(".") }
            .map { String($0.dropLast(RegionFiles.databaseSuffix.count)) }.sorted()
    }

    /// The database of a region; throws `E-REGION-NONE` with the nearest name.
    package func database(_ name: String) throws -> URL {
        guard names.contains(name) else {
            if names.isEmpty { throw RouteErrors.noData("there is no region yet", fix: "region import FILE") }
            throw RegionErrors.unknown(
                "there is no region \(name)", suggestion: Suggestion.nearest(to: name, in: names))
        }
        return files(name).database
    }

    /// Throws when a region of this name cannot be made.
    func check(_ name: String, replaces: Bool) throws {
        let isSound =
            !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 100
            && !name.contains { $0 == "/" || $0 == "\0" || $0.isNewline }
        guard isSound else { throw RegionErrors.name("\(name) is not a valid region name") }
        guard replaces || !names.contains(name) else {
            throw RegionErrors.exists("a region \(name) already exists")
        }
    }

    /// Removes a region with everything beside it.
    package func remove(_ name: String) throws {
        let files = files(name)
        _ = try database(name)
        for file in files.derived { FileManager.default.discard(file) }
        do {
            try FileManager.default.removeItem(at: files.database)
        } catch {
            throw CommonErrors.fileAccess("\(files.database.lastPathComponent) cannot be removed")
        }
    }

    /// Writes a network as a region, with its graph and hierarchy beside it. Without places it has the names of its ways.
    func write(
        _ network: RegionNetwork, map: MapTableBuilder? = nil, places: PlaceTables? = nil, name: String,
        metadata: [String: String],
        replaces: Bool, progress: ProgressReporter
    ) throws {
        let files = files(name)
        progress.report("sorting names", done: 0)
        let places = try places ?? PlaceTables(WayNames.entries(of: network), areas: [])
        let temporary = url.appendingPathComponent(".\(name).\(getpid()).tmp")
        defer { FileManager.default.discard(temporary) }
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            FileManager.default.discard(temporary)
            try RegionWriter.write(
                network, map: map, places: places, metadata: metadata, to: temporary, progress: progress)
        } catch let error as DatabaseError {
            throw StoreErrors.wrap(error, path: files.database.lastPathComponent)
        } catch let error as CocoaError {
            throw CommonErrors.fileAccess("\(url.lastPathComponent): \(error.localizedDescription)")
        }
        try finish(temporary, places, as: files, progress: progress)
    }

    /// Makes a whole database a region, with its graph and hierarchy beside it.
    func finish(
        _ temporary: URL, _ places: PlaceTables, as files: RegionFiles, progress: ProgressReporter
    ) throws {
        progress.report("building the graph", done: 0)
        let draft = RegionFiles(database: temporary)
        guard let stamp = draft.stamp else {
            throw CommonErrors.fileAccess("\(temporary.lastPathComponent) cannot be read again")
        }
        let graph = try RegionDatabase.read(temporary) {
            try GraphReader.read($0, file: files.database.lastPathComponent, stamp: stamp)
        }
        progress.report("building the hierarchy", done: 0)
        let hierarchy = try Hierarchy(graph)
        guard rename(temporary.path, files.database.path) == 0 else {
            throw CommonErrors.fileAccess("\(files.database.lastPathComponent) cannot be written")
        }
        // The stamp stays: renaming changes neither size nor time. Without these files it only takes longer.
        try? RegionFiles.replace(files.graph, with: graph.image)
        try? RegionFiles.replace(files.hierarchy, with: hierarchy.image)
        files.keep(HierarchyCosts(hierarchy, WeightedGraph(graph, profile: .hiking)))
        try? RegionFiles.replace(files.places, with: PlaceIndexFile.data(places.index, stamp: stamp))
    }
}
