import Foundation
import PluginKit
import TrailStores

/// Finds hikes by `@name` or by the first letters of their identifier.
struct HikeReferences: ReferenceResolving {
    let library: ActiveStore<HikeStore>
    let kind = "hike"
    let firstSteps: String? = "`import FILE` brings recordings"
    let listing: String? = "hike list"
    private static let most = 50

    func resolve(_ text: String, context: Context) async throws -> [Reference] {
        guard let store = try library.storeIfFits(context) else { return [] }
        let named = try store.hikes(named: text)
        let found =
            named.isEmpty && NameMatch.mayBeginIdentifier(text)
            ? try store.hikes(idPrefix: text, limit: Self.most) : named
        return found.map { reference($0, store, byID: found.count > 1 || $0.name.isEmpty) }
    }

    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] {
        guard let store = try library.storeIfFits(context) else { return [] }
        let named = try store.all().filter { !$0.name.isEmpty && NameMatch.begins($0.name, with: prefix) }
        let found = named.isEmpty ? try store.hikes(idPrefix: prefix, limit: limit) : named
        return found.prefix(limit).map { reference($0, store, byID: named.isEmpty) }
    }

    private func reference(_ hike: Hike, _ store: HikeStore, byID: Bool) -> Reference {
        Reference(
            name: byID ? hike.shortID : hike.name, detail: hike.shortID,
            object: HikeObject(hike, in: store))
    }
}

/// Resolves hike names for other plugins.
struct HikeNames: HikeResolver {
    let references: HikeReferences

    func identifiers(of text: String, context: Context) async throws -> [UUID] {
        try await references.resolve(text, context: context).compactMap {
            ($0.object as? HikeObject)?.hike.id
        }
    }
}
