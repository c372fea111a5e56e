import Foundation
import GRDB
import PluginKit
import TrailStores

/// Indexes, which are made anew or read as tables.
extension StoreRepair {
    /// Walks an index for the rows it refers to.
    func ownIndex(_ part: DamagedDatabase.Part) throws {
        guard part.tree > 0 else {
            indexDamage[part.name] = TreeWalk.Damage(pages: [part.root])
            return
        }
        var walk = source.walker(.index)
        var named: Set<Int64> = []
        var entries = 0
        try walk.walk(root: part.tree) { entry in
            guard case .integer(let number)? = entry.cells.last else { return }
            named.insert(number)
            entries += 1
        }
        // A leaf of a table (type 0x0D) is no index's, wherever a tree leads.
        let rows = walk.damage.pages.filter { source.pages.page($0)?.first == 0x0D }
        owned.formUnion(walk.visited.subtracting(rows))
        indexDamage[part.name] = walk.damage
        let words = part.sql.uppercased().split(whereSeparator: \.isWhitespace)
        witnesses[part.table.lowercased(), default: IndexWitness()].add(
            .init(
                name: part.name, rows: named,
                isIntact: walk.damage.isNone && entries == named.count && !part.isMisplaced,
                isPartial: words.contains("WHERE")))
    }

    private func hasMessage(about index: String) -> Bool {
        source.messages.contains { $0.hasSuffix("index \(index)") }
    }

    func index(_ part: DamagedDatabase.Part) throws {
        var item = RepairReport.Part(
            kind: "index", name: part.name, outcome: .whole, detail: "on \(part.table)")
        if !(indexDamage[part.name]?.isNone ?? true) || hasMessage(about: part.name) {
            item.outcome = .rebuilt
            item.detail = "damaged, rebuilt from the rows of \(part.table)"
        }
        do {
            try copy.define(part.sql)
        } catch {
            item.outcome = .lost
            item.detail = "cannot be created: \(error.reason)"
        }
        report.parts.append(item)
    }
}
