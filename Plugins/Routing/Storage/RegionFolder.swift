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
                "unknown region \(name)", suggestion: Suggestion.nearest(to: name, in: names))
        }
        return files(name).database
    }

    /// Throws if a region of this name cannot be created.
    func check(_ name: String, replaces: Bool) throws {
        let isSound =
            !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 100
            && !name.contains { $0 == "/" || $0 == "\0" || $0.isNewline }
        guard isSound else { throw RegionErrors.name("\(name) is not a valid region name") }
        guard replaces || !names.contains(name) else {
            throw RegionErrors.exists("a region \(name) already exists")
        }
    }

    /// Removes a region with its derived files.
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

    /// Removes the temporary files of imports of a region whose process was killed: `.NAME.PID.tmp` and `.NAME.PID.routing.…`.
    private func discardLeftovers(of name: String) {
        // A folder that cannot be listed has none; writing into it reports why.
        for file in (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] {
            guard file.hasPrefix(".\(name).") else { continue }
            let parts = file.dropFirst(name.count + 2).split(separator: ".", maxSplits: 1)
            guard parts.count == 2, let process = Int32(parts[0]), process > 0,
                parts[1] == "tmp" || parts[1].hasPrefix("routing."), kill(process, 0) != 0, errno == ESRCH
            else { continue }
            FileManager.default.discard(url.appendingPathComponent(file))
        }
    }

    /// Writes a network as a region, with its derived files. `places` and `map` are called after the
    /// network is written and released; without places it has the names of its ways. Graph and hierarchy
    /// are built concurrently, in a group that the caller ends; those of a large network before `places` is called, to
    /// bound memory.
    func write(
        _ network: inout RegionNetwork, name: String, metadata: [String: String], replaces: Bool,
        isLarge: Bool = false, beside: BackgroundWorkGroup, progress: ProgressReporter,
        places: (() throws -> PlaceTables)? = nil,
        map: () throws -> MapTableBuilder? = { nil }
    ) throws {
        let files = files(name)
        let temporary = url.appendingPathComponent(".\(name).\(getpid()).tmp")
        defer { FileManager.default.discard(temporary) }
        let draft = RegionFiles(folder: url, name: ".\(name).\(getpid())")
        var staged: StagedRegionFiles?
        defer { if isLarge { for file in draft.derived { FileManager.default.discard(file) } } }
        var work: BackgroundWork<DerivedFiles>?
        func gather(_ arrays: consuming sending GraphArrays) {
            let arrays = SendingBox(arrays)
            work = beside.start { isStopped in
                func check() throws { if isStopped() { throw Interruption.stopped } }
                guard var arrays = arrays.take() else { throw Interruption.stopped }
                return try DerivedFiles(of: arrays.graph(stamp: 0, check: check), check: check)
            }
        }
        var names: (index: PlaceIndex, gazetteer: MemoryImage)?
        let wayNames = places == nil ? WayNames.entries(of: network) : []
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            FileManager.default.discard(temporary)
            discardLeftovers(of: name)
            try RegionWriter.write(
                &network, metadata: metadata, to: temporary, progress: progress,
                gathered: isLarge ? nil : gather
            ) { db in
                FreedMemory.giveBack()
                if isLarge {
                    progress.report("building the graph", done: 0)
                    var arrays = try GraphReader.arrays(db, file: files.database.lastPathComponent)
                    progress.report("building the hierarchy", done: 0)
                    staged = try StagedRegionFiles(&arrays, as: draft) { try Interruption.check() }
                    FreedMemory.giveBack()
                }
                progress.report("writing names", done: 0)
                let found = try places?() ?? PlaceTables(wayNames, areas: [])
                try found.write(to: db)
                names = (found.index, found.gazetteer)
                progress.report("reading the map", done: 0)
                try map()?.write(to: db, progress: progress)
            }
        } catch let error as DatabaseError {
            throw StoreErrors.wrap(error, path: files.database.lastPathComponent)
        } catch let error as CocoaError {
            throw CommonErrors.fileAccess("\(url.lastPathComponent): \(error.localizedDescription)")
        }
        progress.report("building the hierarchy", done: 0)
        guard let names else { return }
        if let staged {
            let stamp = try adopt(temporary, files)
            staged.publish(as: files, stamp: stamp)
            files.keep(names.index, names.gazetteer, stamp: stamp)
        } else if let work {
            try publish(temporary, try work.result(), names.index, names.gazetteer, as: files)
        }
    }

    /// Turns a whole database into a region, with its derived files.
    func finish(
        _ temporary: URL, _ places: PlaceTables, as files: RegionFiles, progress: ProgressReporter
    ) throws {
        progress.report("building the graph", done: 0)
        let graph = try RegionDatabase.read(temporary) {
            try GraphReader.read($0, file: files.database.lastPathComponent, stamp: 0)
        }
        progress.report("building the hierarchy", done: 0)
        let derived = try DerivedFiles(of: graph) { try Interruption.check() }
        try publish(temporary, derived, places.index, places.gazetteer, as: files)
    }

    /// Renames a database to a region's name; returns its stamp.
    private func adopt(_ temporary: URL, _ files: RegionFiles) throws -> UInt64 {
        guard let stamp = RegionFiles(database: temporary).stamp else {
            throw CommonErrors.fileAccess("\(temporary.lastPathComponent) cannot be read again")
        }
        try AtomicFile.publish(temporary, as: files.database, policy: .replace)
        return stamp
    }

    /// Renames a database to a region's name, and writes the derived files.
    private func publish(
        _ temporary: URL, _ derived: DerivedFiles, _ places: PlaceIndex, _ gazetteer: MemoryImage,
        as files: RegionFiles
    ) throws {
        let stamp = try adopt(temporary, files)
        for image in [derived.graph.image, derived.hierarchy.image] { image.setStamp(stamp) }
        // The stamp stays valid: renaming changes neither size nor time. Without these files opening is
        // only slower.
        let costs = BackgroundWork { _ in files.keep(derived.costs) }
        defer { costs.end() }
        try? RegionFiles.replace(files.graph, with: derived.graph.image)
        try? RegionFiles.replace(files.hierarchy, with: derived.hierarchy.image)
        files.keep(places, gazetteer, stamp: stamp)
    }
}

/// Data derived from a graph and stored beside its database.
private struct DerivedFiles: Sendable {
    let graph: RoutingGraph
    let hierarchy: Hierarchy
    /// Those of the default profile.
    let costs: HierarchyCosts

    /// Computes the data; `check` throws to cancel.
    init(of graph: RoutingGraph, check: () throws -> Void) throws {
        self.graph = graph
        hierarchy = try Hierarchy(graph, check: check)
        let weighted = try WeightedGraph(graph, profile: .hiking, check: check)
        try check()
        costs = try HierarchyCosts(hierarchy, weighted, check: check)
    }
}
