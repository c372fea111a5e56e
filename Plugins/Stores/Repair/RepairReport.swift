import PluginKit
import TrailStores

/// The result of a repair.
package struct RepairReport: Sendable {
    /// The outcome for a table, index or other part of a database.
    enum Outcome: String, Sendable {
        /// No damage.
        case whole
        /// Damaged, and rebuilt completely.
        case rebuilt
        /// Damaged: no row is known to be lost, but nothing proves that none is.
        case unsure
        /// Some of it is lost.
        case lost
    }

    /// A part of the database.
    package struct Part: Sendable {
        /// `log`, `transfer`, `header`, `schema`, `table`, `index`, `search`, `tree`, `view`, `trigger`, `pages` or
        /// `document`.
        package let kind: String
        /// Its name.
        let name: String
        /// The outcome.
        var outcome: Outcome
        /// Rows in the copy.
        package var saved = 0
        /// Rows that violate its constraints, kept in the table beside it.
        var aside = 0
        /// Number of rows known to be lost.
        package var lost = 0
        /// Whether an intact index proves that no further rows are lost.
        package var isProven = false
        /// Number of its rows of which a value may be wrong, although the row is there.
        package var doubtful = 0
        /// What happened.
        var detail: String

        /// Whether rows are certainly in the copy that were in the file, and no others are missing.
        package var isComplete: Bool { outcome == .whole || outcome == .rebuilt }
    }

    /// The kind of a write-ahead log that could not be read to its end.
    static let log = "log"

    /// The kind of pages that a row has lost.
    static let values = "values"

    /// The parts in order of creation.
    package var parts: [Part] = []

    /// All rows in the copy.
    var saved: Int { parts.filter { $0.kind != "index" }.map { $0.saved + $0.aside }.reduce(0, +) }

    /// Parts that consist of rows.
    private var tables: [Part] {
        parts.filter { ["table", "document", "schema", "pages", Self.log].contains($0.kind) }
    }

    /// Number of rows known to be lost.
    package var lost: Int { tables.map(\.lost).reduce(0, +) }

    /// Whether the copy has every row that the file had; `nil` if that cannot be known.
    package var isComplete: Bool? {
        if tables.contains(where: { $0.outcome == .lost }) { return false }
        return tables.contains { $0.outcome == .unsure } ? nil : true
    }

    /// Whether values of the recovered rows may be wrong, as far as their pages show. A changed byte within a value is never
    /// seen: SQLite keeps no checksums.
    var hasDoubtfulValues: Bool {
        parts.contains { $0.doubtful > 0 || $0.kind == Self.values }
    }

    /// The summary in one sentence: what is known of rows, then of their values.
    package var verdict: String {
        let rows = rowVerdict
        guard hasDoubtfulValues else { return rows }
        let doubtful = parts.filter { $0.doubtful > 0 }
        if doubtful.isEmpty {
            return "\(rows); a value may lack bytes: some pages belong to no row, or end early"
        }
        let count = doubtful.map(\.doubtful).reduce(0, +)
        let names = doubtful.map(\.name).joined(separator: ", ")
        return "\(rows); a value may be wrong in \(count, of: "row") of \(names)"
    }

    private var rowVerdict: String {
        let rows = "\(saved, of: "row") recovered"
        let bad = tables.filter { $0.outcome == .lost }
        let unsure = tables.filter { $0.outcome == .unsure }
        if !bad.isEmpty {
            let names = (bad + unsure).map(\.name).joined(separator: ", ")
            let known = bad.map(\.lost).reduce(0, +)
            if known == 0 { return "\(rows), an unknown number lost in \(names)" }
            let isExact = unsure.isEmpty && bad.allSatisfy(\.isProven)
            return "\(rows), \(isExact ? "" : "at least ")\(known) lost in \(names)"
        }
        if !unsure.isEmpty {
            return "\(rows); whether rows are missing cannot be known for "
                + unsure.map(\.name).joined(separator: ", ")
        }
        let rebuilt = parts.filter { $0.outcome == .rebuilt && $0.kind != Self.values }
        if !rebuilt.isEmpty {
            let isDerived = rebuilt.allSatisfy { ["index", "search", "tree"].contains($0.kind) }
            return
                "\(rows), none lost: \(isDerived ? "only derived parts were damaged" : "damaged and mended were") "
                + "(\(rebuilt.map { $0.kind == "header" ? "the header" : $0.name }.joined(separator: ", ")))"
        }
        let gone = parts.filter { $0.outcome == .lost || $0.outcome == .unsure }.map(\.name)
        return gone.isEmpty
            ? "\(rows), \(hasDoubtfulValues ? "none" : "nothing") lost"
            : "\(rows), none lost; without \(gone.joined(separator: ", "))"
    }
}
