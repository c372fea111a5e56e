import PluginKit
import TrailStores

/// A table while it is recovered.
struct TableRecovery {
    let part: DamagedDatabase.Part
    let table: CopyTable
    /// Damage of its pages.
    var damage = TreeWalk.Damage()
    /// Why SQLite stopped reading; `nil` if it read all rows.
    var stop: String?
    /// The numbers of the rows in the copy, with a hash of their stored cells where they were read by page.
    var rows: [Int64: Int] = [:]
    /// Pages outside its tree whose rows were added.
    var adopted = 0
    /// What its indexes say.
    var witness = IndexWitness()

    /// What its indexes say about the rows so far.
    var verdict: IndexWitness.Verdict { witness.verdict(Set(rows.keys)) }

    /// Whether rows may be missing from it, by a verdict of its indexes.
    func isIncomplete(_ verdict: IndexWitness.Verdict) -> Bool {
        if verdict.isProven { return !verdict.missing.isEmpty }
        return part.tree <= 0 || !damage.isNone || !verdict.missing.isEmpty
    }

    /// The outcome, as the indexes and the pages support it.
    var item: RepairReport.Part {
        var item = RepairReport.Part(kind: "table", name: table.name, outcome: .whole, detail: "")
        let verdict = verdict
        // What is kept beside under the number of a lost row is not that row.
        let others = table.asideNumbers.intersection(verdict.missing).count
        (item.saved, item.aside) = (table.saved, table.aside - others)
        let unread = damage.rows.subtracting(rows.keys)
        item.isProven = verdict.isProven
        item.lost =
            verdict.isProven ? verdict.missing.count : verdict.missing.union(unread).count + damage.cells
        if item.lost > 0 {
            item.outcome = .lost
        } else if verdict.isProven {
            item.outcome =
                damage.isNone && damage.mended.isEmpty && stop == nil && table.numberedKey == nil
                ? .whole : .rebuilt
        } else if part.tree <= 0 || damage.pages.count > adopted {
            item.outcome = .lost
        } else if !damage.isNone {
            item.outcome = .unsure
        } else if stop != nil || !damage.mended.isEmpty || table.numberedKey != nil {
            item.outcome = .rebuilt
        }
        item.doubtful = damage.doubtfulValues
        // Which of the rows has the values of another is not known.
        if !damage.shared.isEmpty, item.outcome != .lost { item.outcome = .unsure }
        item.detail = words(verdict, unread).joined(separator: ", ")
        return item
    }

    private func words(_ verdict: IndexWitness.Verdict, _ unread: Set<Int64>) -> [String] {
        var words: [String] = []
        if part.isMisplaced {
            words.append(
                part.tree > 0
                    ? "its root is page \(part.tree), not \(part.root)" : "page \(part.root) is not its root")
        }
        if !damage.pages.isEmpty { words.append("\(damage.pages.count, of: "page") unreadable") }
        if !unread.isEmpty { words.append("\(unread.count, of: "row") unreadable") }
        if damage.cells > 0 { words.append("\(damage.cells, of: "row") unreadable") }
        if !damage.doubtful.isEmpty {
            words.append("\(damage.doubtful.count, of: "page") with bytes of no row")
        }
        if !damage.shared.isEmpty {
            words.append(
                "\(damage.shared.count, of: "row") with overflow pages of others: values may be wrong")
        }
        if damage.doubtfulValues > 0 {
            words.append(
                "\(damage.doubtfulValues, of: "row") with a wrong overflow page: values may be wrong")
        }
        if !damage.mended.isEmpty {
            words.append("\(damage.mended.count, of: "page") with wrong pointers, all bytes accounted for")
        }
        if !verdict.missing.isEmpty {
            words.append("an index refers to \(verdict.missing.count, of: "lost row")")
        } else if verdict.isProven, !damage.isNone {
            words.append("an index proves that no row is missing")
        }
        if adopted > 0 { words.append("rows of \(adopted, of: "page") outside its tree") }
        if let key = table.numberedKey {
            words.append(
                "no row stores \(table.columns[key]), which is not declared as its number: taken from there")
        }
        if let stop, words.isEmpty { words.append("SQLite stops (\(stop)), its pages are intact") }
        if table.aside > 0 { words.append("\(table.aside) kept in lost_\(table.name)") }
        return words
    }
}
