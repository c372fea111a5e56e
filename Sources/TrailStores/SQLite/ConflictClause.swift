import GRDB

/// The conflict clause of statements that add or change rows of an app's table.
package enum ConflictClause {
    /// ` OR ABORT` for a table with a constraint that is declared to replace or ignore rows: the other row would go without a word.
    /// Else empty, since the clause of a statement also counts instead of those in the triggers that it fires, such as
    /// `INSERT OR REPLACE INTO totals`: https://www.sqlite.org/lang_createtrigger.html
    package static func refusing(_ db: Database, _ table: String) throws -> String {
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE
                AND sql LIKE '%CONFLICT%')
                """)
        return try Bool.fetchOne(statement, arguments: [table]) == true ? " OR ABORT" : ""
    }
}
