import CLibEdit
import Glibc

/// The terminal that the process has.
enum Terminal {
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Rows and columns. A terminal that knows no size has the usual one.
    static var size: (rows: Int, columns: Int) {
        var rows: Int32 = 0
        var columns: Int32 = 0
        return cle_terminal_size(&rows, &columns) ? (Int(rows), Int(columns)) : (24, 80)
    }

    /// How many bytes have been typed and not read yet.
    static var waitingBytes: Int { Int(cle_waiting_bytes()) }

    static func write(_ text: String) { cle_write(text) }

    /// The sequences of bracketed paste.
    static let pasteOn = "\u{1B}[?2004h"
    static let pasteOff = "\u{1B}[?2004l"

    /// Goes to the beginning of a row so many rows above and clears from there.
    static func clear(rowsAbove: Int) -> String {
        "\r" + (rowsAbove > 0 ? "\u{1B}[\(rowsAbove)A" : "") + "\u{1B}[J"
    }
}
