import Foundation
import PluginKit

/// The derived files of a large region, built one after the other under temporary names: each is written
/// section by section and then mapped, so that it is not in memory while the next one is built.
struct StagedRegionFiles {
    private let draft: RegionFiles
    private let costs: URL?

    /// Builds the files; the arrays are empty afterwards. `check` throws to cancel.
    init(_ arrays: inout GraphArrays, as draft: RegionFiles, check: () throws -> Void) throws {
        self.draft = draft
        guard let graph = try arrays.mappedGraph(draft.graph, check: check) else {
            throw CommonErrors.fileAccess("\(draft.graph.lastPathComponent) cannot be written")
        }
        FreedMemory.giveBack()
        let hierarchy = try Hierarchy(graph, in: draft.hierarchy, check: check)
        graph.image.releasePages()
        FreedMemory.giveBack()
        let weighted = try WeightedGraph(graph, profile: .hiking, check: check)
        graph.image.releasePages()
        let worked = try HierarchyCosts(hierarchy, weighted, check: check)
        graph.image.releasePages()
        hierarchy.image.releasePages()
        FreedMemory.giveBack()
        guard let key = CostsKey(.hiking, graph: graph, hierarchy: hierarchy) else {
            costs = nil
            return
        }
        let file = draft.costs(key)
        costs = try StoredCosts.write(worked, key: key, to: file, check: check) ? file : nil
    }

    /// Renames the files to those of a region whose database has a stamp. A file for which this fails is
    /// rebuilt on demand.
    func publish(as files: RegionFiles, stamp: UInt64) {
        for (from, to) in [(draft.graph, files.graph), (draft.hierarchy, files.hierarchy)] {
            guard MemoryImage.stamp(from, stamp), rename(from.path, to.path) == 0 else { return }
        }
        guard let costs, let graph = MemoryImage.mapped(files.graph, stamp: stamp),
            let hierarchy = MemoryImage.mapped(files.hierarchy, stamp: stamp),
            let key = CostsKey(
                .hiking, graph: RoutingGraph(image: graph), hierarchy: Hierarchy(image: hierarchy)),
            MemoryImage.stamp(costs, key.stamp)
        else { return }
        files.makeRoom(for: key)
        rename(costs.path, files.costs(key).path)
    }
}
