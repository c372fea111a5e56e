import PluginKit

/// Kinds of error of the session itself.
enum SessionErrors {
    static let unforeseen = ErrorKind(
        "E-INTERNAL", "internal error",
        explanation: """
            This is a bug in Rutter or in a library it uses. Nothing was changed. Please report it with the \
            line that you typed; `notebook save FILE` saves the session.
            """)
    static let nothingToUndo = ErrorKind(
        "E-UNDO-NOTHING", "nothing to undo",
        explanation: "`undo` reverts the changes of this session, newest first, and there are none left.")
    static let setting = ErrorKind(
        "E-SETTING-UNKNOWN", "unknown setting",
        explanation: "`set` without a word lists all settings with their values.")
    static let notHelp = ErrorKind(
        "E-HELP-NOTHING", "no help topic",
        explanation: "`help` without a word gives an overview, `help commands` lists all commands.")
    static let notExplained = ErrorKind(
        "E-EXPLAIN-UNKNOWN", "unknown error code",
        explanation:
            "Codes begin with `E-` and are printed with each error; `explain` without a code lists them.")
    static let clock = ErrorKind(
        "E-CLOCK", "invalid clock change",
        explanation: "`clock TIME` sets the clock, `clock +10min` advances it; it never moves back by itself."
    )

    static let all = [unforeseen, nothingToUndo, setting, notHelp, notExplained, clock]
}
