import Foundation

/// The size of the terminal, or the usual 80 × 24 where there is none.
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
