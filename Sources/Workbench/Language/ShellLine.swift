import Foundation

/// Lines for the system's shell that show a file in a program of the user's choice.
package enum ShellLine {
    /// Opens a file in $VISUAL, $EDITOR or vi.
    package static func editing(_ file: URL) -> String { "${VISUAL:-${EDITOR:-vi}} \(quoted(file.path))" }

    /// Shows a file in $PAGER; less keeps colours, and does not stay for a text that fits on the screen.
    package static func paging(_ file: URL) -> String { "LESS=${LESS-FRX} ${PAGER} < \(quoted(file.path))" }

    private static func quoted(_ path: String) -> String { "'" + path.replacing("'", with: "'\\''") + "'" }
}
