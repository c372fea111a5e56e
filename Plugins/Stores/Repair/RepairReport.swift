import PluginKit
import TrailStores

/// The result of a repair.
package struct RepairReport: Sendable {
    /// The outcome for a table, index or other part of a database.
    enum Outcome: String, Sendable {
        /// No damage.
        case whole
        /// Damaged, and rebuilt from recovered rows.
        case rebuilt
        /// Some of it is lost.
        case lost
    }

    /// A part of the database.
    package struct Part: Sendable {
        /// `log`, `schema`, `table`, `index`, `search`, `tree`, `view`, `trigger` or `document`.
        package let kind: String
        /// Its name.
        let name: String
        /// The outcome.
        var outcome: Outcome
        /// Rows in the copy.
        package var saved = 0
        /// Rows that violate its constraints, kept in the table beside it.
        var aside = 0
        /// Number of rows known to be lost; a minimum if `detail` says so.
        var lost = 0
        /// What happened.
        var detail: String
    }

    /// The kind of a write-ahead log that could not be read to its end.
    static let log = "log"

    /// The parts in order of creation.
    package var parts: [Part] = []

    /// All rows in the copy.
    var saved: Int { parts.filter { $0.kind != "index" }.map { $0.saved + $0.aside }.reduce(0, +) }

    /// The summary in one sentence.
    var verdict: String {
        let tables = parts.filter { ["table", "document", "schema", Self.log].contains($0.kind) }
        let rows = "\(saved, of: "row") recovered"
        let bad = tables.filter { $0.outcome == .lost }
        if !bad.isEmpty {
            let known = bad.map(\.lost).reduce(0, +)
            let count = known > 0 ? "at least \(known) lost" : "an unknown number lost"
            return "\(rows), \(count) in \(bad.map(\.name).joined(separator: ", "))"
        }
        let rebuilt = parts.filter { $0.outcome == .rebuilt }
        if !rebuilt.isEmpty {
            return "\(rows), none lost: only derived parts were damaged "
                + "(\(rebuilt.map(\.name).joined(separator: ", ")))"
        }
        let gone = parts.filter { $0.outcome == .lost }.map(\.name)
        return gone.isEmpty
            ? "\(rows), nothing lost" : "\(rows), none lost; without \(gone.joined(separator: ", "))"
    }
}
