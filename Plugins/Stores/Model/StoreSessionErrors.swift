import Foundation
import PluginKit
import TrailStores

/// Errors in choosing a store.
enum StoreSessionErrors {
    static let none = ErrorKind(
        "E-STORE-NONE", "no store is in use",
        explanation: """
            The command requires a store in use (`store open FILE`, `store use NAME`) or the name of one: an \
            open store, a file, or one of your own stores such as waypoints.db.
            """)
    static let unknown = ErrorKind(
        "E-STORE-UNKNOWN", "unknown store",
        explanation: "`store list` lists the stores that are open, with their names.")
    static let nameTaken = ErrorKind(
        "E-STORE-NAME", "the name cannot be used",
        explanation:
            "Names of open stores are unique and not empty. Choose another with --name.")
    static let openAlready = ErrorKind(
        "E-STORE-OPEN", "the file is already open",
        explanation:
            "A file is opened once in a session. `store use NAME` selects it; `store close NAME` closes it.")
    static let own = ErrorKind(
        "E-STORE-OWN", "the file is one of your own stores",
        explanation: """
            Stores of the workspace are not opened: commands work on them when no other store is in use. To inspect \
            one, name it: `store check waypoints.db`, `sql "SELECT …" --store waypoints.db`.
            """)

    static let commit = ErrorKind(
        "E-STORE-COMMIT", "the commit is not in the log",
        explanation: """
            A write-ahead log has the commits since its last restart; `store history` lists them. Pages written back into the \
            database file replace earlier ones, so earlier states are unknown.
            """)

    static func noCommit(_ wanted: Int?, _ count: Int) -> RutterError {
        commit(
            count == 0
                ? "the store has no commits in a log"
                : "unknown commit \(wanted ?? 0); the log has \(count)",
            fix: "`store history` lists the commits")
    }

    static func noState(_ wanted: Int, _ first: Int, _ pages: Int) -> RutterError {
        commit(
            "the state at commit \(wanted) is unknown: \(pages, of: "page") of later commits were "
                + "written back into the file",
            fix: "store at \(first)")
    }

    /// The error for a file that is not a database, with its actual format.
    static func notADatabase(_ url: URL) -> RutterError {
        let diagnosis = FileDiagnosis.of(url).first
        let why = diagnosis.map { ": \($0.what)" } ?? ""
        return StoreErrors.notADatabase(
            "not a SQLite database: \(url.lastPathComponent)\(why)", fix: diagnosis?.fix)
    }

    static let key = ErrorKind(
        "E-STORE-KEY", "the key does not open the store",
        explanation: """
            A database encrypted by SQLCipher is decrypted into a copy with the app's key: a passphrase, or x'…' with the raw key \
            in hexadecimal digits. A wrong key and a format newer than the installed library look the same. A database that \
            is not encrypted needs no key.
            """)

    static let devices = ErrorKind(
        "E-CONTAINER-DEVICES", "no devices of a simulator",
        explanation: """
            `container list` needs a folder with devices as a simulator lays them out: UDID/device.plist and \
            UDID/data/Containers/Data/Application. A container itself is opened with `store open FOLDER`.
            """)

    static let all = [none, unknown, nameTaken, openAlready, own, commit, key, devices]
}
