import PluginKit

/// Commands that work on any rows: one a file in this folder.
enum DataCommands {
    static let all: [any Command] = [CountCommand(), FirstCommand(), WhereCommand()]
}

/// Kinds of error of the data commands.
enum DataErrors {
    static let notRows = ErrorKind(
        "E-DATA-ROWS", "the value has no rows",
        explanation: """
            Commands such as `where`, `sort` and `count` work on lists, tables and streams of rows. A single \
            record or object is no list; put it into one with [ ].
            """)

    static let all = [notRows]
}
