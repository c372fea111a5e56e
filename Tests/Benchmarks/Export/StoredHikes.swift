import Foundation
import PluginKit
import TrailStores

/// The hikes of the session's store by name, as the plugin of hikes offers them.
struct StoredHikes: Plugin {
    let name = "stored"
    let summary = "hikes by name"
    let version = "1.0"
    private let library = ActiveStore<HikeStore>()

    var commands: [any CommandProvider] { [] }
    var capabilities: [any Capability] { [Names(library: library)] }
    func close() async { library.close() }

    private struct Names: ReferenceResolving {
        let library: ActiveStore<HikeStore>
        let kind = "hike"

        func resolve(_ text: String, context: Context) async throws -> [Reference] {
            let store = try library.store(context)
            return try store.hikes(named: text).map {
                Reference(name: $0.name, detail: $0.shortID, object: StoredHike(hike: $0, store: store))
            }
        }

        func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] { [] }
    }
}

/// A hike of a store.
private struct StoredHike: RecordedHike {
    let hike: Hike
    let store: HikeStore

    var typeName: String { "hike" }
    var fieldNames: [String] { ["name"] }
    var summary: String { hike.name }
    func field(_ name: String) -> Value? { name == "name" ? .text(hike.name) : nil }
    func recording() throws -> Recording { try store.recording(of: hike, checksCoordinates: false) }
}
