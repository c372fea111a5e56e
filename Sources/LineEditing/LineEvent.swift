/// The result of requesting a line.
public enum LineEvent: Sendable, Equatable {
    /// An entire entry, whose lines are joined with a newline.
    case line(String)
    /// Ctrl-C: the entry was discarded.
    case interrupted
    /// Ctrl-D on an empty line, a closed terminal, or a closed editor.
    case endOfInput
}

/// Why an editor could not be created.
public enum LineEditorError: Error, Sendable, Equatable {
    /// Standard input or output is not a terminal: read plain lines instead.
    case notATerminal
    /// The C library has no UTF-8 locale at all.
    case noUTF8Locale
    /// libedit or the terminal is unavailable.
    case unavailable(String)
    /// The process may open no further file for a pipe.
    case tooManyFiles
}
