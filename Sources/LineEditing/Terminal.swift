import CLibEdit
import Glibc

/// The process's terminal.
enum Terminal {
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Rows and columns; 24 × 80 if the terminal reports no size.
    static var size: (rows: Int, columns: Int) {
        var rows: Int32 = 0
        var columns: Int32 = 0
        return cle_terminal_size(&rows, &columns) ? (Int(rows), Int(columns)) : (24, 80)
    }

    /// The number of unread input bytes.
    static var waitingBytes: Int { Int(cle_waiting_bytes()) }

    static func write(_ text: String) { cle_write(text) }

    /// The sequences of bracketed paste.
    static let pasteOn = "\u{1B}[?2004h"
    static let pasteOff = "\u{1B}[?2004l"

    /// Moves to the start of a row above and clears from there.
    static func clear(rowsAbove: Int) -> String {
        "\r" + (rowsAbove > 0 ? "\u{1B}[\(rowsAbove)A" : "") + "\u{1B}[J"
    }
}
