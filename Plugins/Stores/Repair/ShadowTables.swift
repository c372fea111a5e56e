import Foundation
import GRDB
import PluginKit
import TrailStores

/// The shadow tables of virtual tables.
struct ShadowTables {
    private let names: Set<String>
    static let suffixes = [
        "data", "idx", "content", "docsize", "config", "node", "rowid", "parent", "segments", "segdir",
        "stat",
    ]

    init(_ parts: [DamagedDatabase.Part]) {
        names = Set(
            parts.filter(\.isVirtual).flatMap { part in
                Self.suffixes.map { "\(part.name)_\($0)".lowercased() }
            })
    }

    func owns(_ name: String) -> Bool { names.contains(name.lowercased()) }
}
