import Foundation
import GRDBSQLite

/// A SQLite VFS that replaces a database's write-ahead log by a copy. The copy is named by the parameter
/// `log` of the database's URI. Logs are opened for reading only, so that nothing is written back into a
/// database, and nothing is deleted. No locks are taken: the caller ensures that the database does not
/// change.
enum LogCopyVFS {
    /// The name of the VFS: `vfs=…`.
    static let name = "rutter-log-copy"
    /// The URI parameter that names the copy.
    static let parameter = "log"

    /// SQLite's own VFS without locks.
    private static let base = "unix-none"

    /// Registers it, once.
    static let isThere: Bool = {
        guard let plain = sqlite3_vfs_find(base) else { return false }
        let made = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        made.initialize(to: plain.pointee)
        made.pointee.pNext = nil
        made.pointee.zName = UnsafePointer(strdup(name))
        made.pointee.xDelete = { _, _, _ in SQLITE_READONLY }
        made.pointee.xOpen = { _, name, file, flags, outFlags in
            guard let plain = sqlite3_vfs_find(base), let open = plain.pointee.xOpen else {
                return SQLITE_CANTOPEN
            }
            guard flags & SQLITE_OPEN_WAL != 0 else { return open(plain, name, file, flags, outFlags) }
            // The name of a log always comes with that of its database and its parameters.
            guard let name, let copy = sqlite3_uri_parameter(sqlite3_filename_database(name), parameter)
            else {
                return SQLITE_CANTOPEN
            }
            let reading = flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_READONLY
            return open(plain, copy, file, reading, outFlags)
        }
        return sqlite3_vfs_register(made, 0) == SQLITE_OK
    }()
}
