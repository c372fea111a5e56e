import PluginKit

/// Kinds of error about which store is meant.
enum StoreSessionErrors {
    static let none = ErrorKind(
        "E-STORE-NONE", "no store is in use",
        explanation: """
            The command works on the store in use (`store open FILE`, `store use NAME`), or on one that is named: an \
            open store, a file, or one of your own stores such as waypoints.db.
            """)
    static let unknown = ErrorKind(
        "E-STORE-UNKNOWN", "there is no such store",
        explanation: "`store list` shows the stores that are open, by the names they are called by.")
    static let nameTaken = ErrorKind(
        "E-STORE-NAME", "the name cannot be used",
        explanation:
            "Two open stores cannot have the same name, and a name is not empty. Give another with --name.")
    static let openAlready = ErrorKind(
        "E-STORE-OPEN", "the file is open already",
        explanation:
            "A file is opened once in a session. `store use NAME` works on it; `store close NAME` closes it.")
    static let own = ErrorKind(
        "E-STORE-OWN", "this is one of your own stores",
        explanation: """
            The stores of the workspace need no opening: commands work on them when no other store is in use. To look \
            into one, name it: `store check waypoints.db`, `sql "SELECT …" --store waypoints.db`.
            """)

    static let all = [none, unknown, nameTaken, openAlready, own]
}
