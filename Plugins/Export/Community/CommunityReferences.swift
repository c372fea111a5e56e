import Foundation
import PluginKit

/// Finds routes of the community by name, by path, or by the first letters of their identifier.
struct CommunityReferences: ReferenceResolving {
    let kind = "communityRoute"
    /// What one has goes before what others share: a hike of one's own may have been published under its name.
    let isFallback = true
    let firstSteps: String? = "`community list` shows the routes"
    let listing: String? = "community list"
    func resolve(_ text: String, context: Context) async throws -> [Reference] {
        // A name is asked of every kind: without a folder it is none of the community's.
        guard let folder = try? CommunityFolder(context) else { return [] }
        let all = try folder.contents(context).entries
        let placed = all.filter { $0.path == text || $0.path.hasSuffix("/" + text) }
        let named = NameMatch.items(all, named: text, name: \.name, id: \.id)
        let isNamed = named.contains { $0.name.foldedForSearch == text.foldedForSearch }
        let found = isNamed || placed.isEmpty ? named : placed
        return found.map { reference($0, folder, byPath: found.count > 1 || $0.name.isEmpty) }
    }

    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] {
        guard let folder = try? CommunityFolder(context) else { return [] }
        return try folder.contents(context).entries.filter { NameMatch.begins($0.name, with: prefix) }
            .prefix(limit).map { reference($0, folder, byPath: $0.name.isEmpty) }
    }

    private func reference(_ entry: CommunityEntry, _ folder: CommunityFolder, byPath: Bool) -> Reference {
        Reference(
            name: byPath ? entry.path : entry.name, detail: entry.path,
            object: CommunityObject(entry: entry, file: folder.file(of: entry)))
    }
}
