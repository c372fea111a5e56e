import Core
import GRDBSQLite

/// Rejects parts of a user's statement, as SQLite's authorizer while it is compiled.
final class StatementGuard {
    /// Why the statement was refused.
    private(set) var refused: RutterError?
    private let isWritable: Bool

    /// A guard for a store that may be written, or only read.
    init(isWritable: Bool) { self.isWritable = isWritable }

    /// Runs work with the guard active.
    func watching<T>(_ handle: OpaquePointer, _ work: () throws -> T) rethrows -> T {
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, _ in
                guard let context else { return SQLITE_DENY }
                let guardian = Unmanaged<StatementGuard>.fromOpaque(context).takeUnretainedValue()
                return guardian.decide(
                    action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_set_authorizer(handle, nil, nil) }
        return try work()
    }

    private func decide(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
        switch action {
        case SQLITE_FUNCTION:
            let name = second?.lowercased() ?? ""
            return Self.harmfulFunctions.contains(name) ? deny("the function \(name)") : SQLITE_OK
        case SQLITE_PRAGMA:
            let name = first?.lowercased() ?? ""
            let isHarmless = second == nil ? Self.plainPragmas : Self.pragmasWithArgument
            return isHarmless.contains(name) ? SQLITE_OK : deny("this PRAGMA (\(name))")
        case SQLITE_ATTACH, SQLITE_DETACH: return deny("another file (ATTACH, DETACH, VACUUM)")
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
            return deny("a transaction; each statement has its own")
        case SQLITE_READ, SQLITE_SELECT, SQLITE_RECURSIVE: return SQLITE_OK
        // Sent when a virtual table declares its columns. It permits nothing to a user's statement: SQLite
        // does not allow an update of its schema.
        case SQLITE_UPDATE where Self.schemas.contains(first?.lowercased() ?? ""): return SQLITE_OK
        // All other actions insert, update, delete, create, drop or alter something.
        default:
            if isWritable { return SQLITE_OK }
            refused = refused ?? Self.readOnly
            return SQLITE_DENY
        }
    }

    /// The error for a statement that would write to a store open for reading.
    static let readOnly = StoreErrors.readOnly(
        "the statement would change the store, which is open for reading only",
        fix: "work on a copy, opened with `store open FILE --write`")

    /// Connects the virtual tables of a database. On connection they compile writing statements of their own,
    /// which the guard would attribute to the user. Runs in a transaction, so that no schema changes before
    /// the statement.
    static func connectVirtualTables(_ handle: OpaquePointer) {
        // An unreadable schema or virtual table fails when the user's statement uses it.
        let tables = try? RawStatement(
            handle, "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'")
        while (try? tables?.next()) == true {
            if let name = tables?.text(0) {
                _ = try? RawStatement(handle, "SELECT 1 FROM \(name.sqlIdentifier)")
            }
        }
    }

    private func deny(_ what: String) -> Int32 {
        refused = StoreErrors.refused("`sql` does not allow \(what)")
        return SQLITE_DENY
    }

    private static let schemas: Set<String> = [
        "sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema",
    ]
    private static let harmfulFunctions: Set<String> = [
        "load_extension", "fts3_tokenizer", "readfile", "writefile",
    ]
    /// Pragmas that read a property.
    private static let plainPragmas: Set<String> = [
        "application_id", "auto_vacuum", "collation_list", "compile_options", "data_version", "encoding",
        "foreign_key_check", "foreign_key_list", "freelist_count", "function_list", "integrity_check",
        "journal_mode", "page_count", "page_size", "quick_check", "schema_version", "table_list",
        "user_version",
    ]
    /// Pragmas whose argument only selects what to report.
    private static let pragmasWithArgument: Set<String> = [
        "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
        "quick_check", "table_info", "table_list", "table_xinfo",
    ]
}
