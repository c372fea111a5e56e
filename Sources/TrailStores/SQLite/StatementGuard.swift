import GRDBSQLite
import PluginKit

/// Decides what no statement of a user may do, as SQLite's authorizer asks while it compiles the statement.
final class StatementGuard {
    /// Why the statement was refused.
    private(set) var refused: RutterError?

    /// Does work with the guard in place.
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
            return deny("a transaction; each statement is one by itself")
        // Whether it writes is known once it is compiled: virtual tables ask here for things that only look so.
        default: return SQLITE_OK
        }
    }

    private func deny(_ what: String) -> Int32 {
        refused = StoreErrors.refused("`sql` does not allow \(what)")
        return SQLITE_DENY
    }

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
    /// Pragmas whose argument only says what to tell.
    private static let pragmasWithArgument: Set<String> = [
        "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
        "quick_check", "table_info", "table_list", "table_xinfo",
    ]
}
