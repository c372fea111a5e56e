import Foundation
import PluginKit

/// The files beside the database of a large region, made one after the other under names of their own: each is written piece by
/// piece and then read out of its file, so that none is held while the next is worked out.
struct LaidDownFiles {
    private let draft: RegionFiles
    private let costs: URL?

    /// Works the files out; the arrays are empty afterwards. `check` throws when the work is to stop.
    init(_ arrays: inout GraphArrays, as draft: RegionFiles, check: () throws -> Void) throws {
        self.draft = draft
        guard let graph = try arrays.mappedGraph(draft.graph, check: check) else {
            throw CommonErrors.fileAccess("\(draft.graph.lastPathComponent) cannot be written")
        }
        FreedMemory.giveBack()
        let hierarchy = try Hierarchy(graph, in: draft.hierarchy, check: check)
        graph.image.letGo()
        FreedMemory.giveBack()
        let weighted = try WeightedGraph(graph, profile: .hiking, check: check)
        graph.image.letGo()
        let worked = try HierarchyCosts(hierarchy, weighted, check: check)
        graph.image.letGo()
        hierarchy.image.letGo()
        FreedMemory.giveBack()
        guard let key = CostsKey(.hiking, graph: graph, hierarchy: hierarchy) else {
            costs = nil
            return
        }
        let file = draft.costs(key)
        costs = try StoredCosts.write(worked, key: key, to: file, check: check) ? file : nil
    }

    /// Gives the files the names of a region whose database has a stamp. Those that fail are made anew when they are needed.
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
