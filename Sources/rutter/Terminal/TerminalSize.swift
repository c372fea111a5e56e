import Foundation

/// The size of the terminal, or 80 × 24 without a terminal.
struct TerminalSize {
    let columns: Int
    let rows: Int

    static var present: TerminalSize {
        var size = winsize()
        for descriptor in [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO]
        where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
            return TerminalSize(columns: Int(size.ws_col), rows: max(1, Int(size.ws_row)))
        }
        return TerminalSize(columns: 80, rows: 24)
    }
}
