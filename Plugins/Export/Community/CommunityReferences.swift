import Foundation
import PluginKit

/// Finds routes of the community by name, by path, or by the first letters of their identifier.
struct CommunityReferences: ReferenceResolving {
    let kind = "communityRoute"
    /// What one has goes before what others share: a hike of one's own may have been published under its name.
    let isFallback = true
    let firstSteps: String? = "`community list` shows the routes"
    /// Letters of a path are enough of it; identifiers begin with at least these.
    private static let shortestID = 4

    func resolve(_ text: String, context: Context) async throws -> [Reference] {
        // A name is asked of every kind: without a folder it is none of the community's.
        guard let folder = try? CommunityFolder(context) else { return [] }
        let all = try folder.contents(context).entries
        let folded = text.foldedForSearch
        let named = all.filter { $0.name.foldedForSearch == folded }
        let placed = all.filter { $0.path == text || $0.path.hasSuffix("/" + text) }
        let begun = text.count < Self.shortestID ? [] : all.filter { $0.id.foldedForSearch.hasPrefix(folded) }
        let found = [named, placed, begun].first { !$0.isEmpty } ?? []
        return found.map { reference($0, folder, byPath: found.count > 1 || $0.name.isEmpty) }
    }

    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] {
        guard let folder = try? CommunityFolder(context) else { return [] }
        let folded = prefix.foldedForSearch
        return try folder.contents(context).entries.filter { $0.name.foldedForSearch.hasPrefix(folded) }
            .prefix(limit).map { reference($0, folder, byPath: $0.name.isEmpty) }
    }

    private func reference(_ entry: CommunityEntry, _ folder: CommunityFolder, byPath: Bool) -> Reference {
        Reference(
            name: byPath ? entry.path : entry.name, detail: entry.path,
            object: CommunityObject(entry: entry, file: folder.file(of: entry)))
    }
}
