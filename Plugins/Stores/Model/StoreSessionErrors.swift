import PluginKit

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

    static let all = [none, unknown, nameTaken, openAlready, own]
}
