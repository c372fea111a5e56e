import Core

extension RutterError {
    /// Where a damaged file ends for its reader, in words: what is whole before that is kept.
    var endOfFile: String {
        let line: Int? = if case .file(_, let line, _) = place { line } else { nil }
        return SalvagedFile.words(at: line.map { "line \($0)" }, message)
    }
}

/// A file of which what stands before a fault was read.
enum SalvagedFile {
    /// What is said of it: where the fault is, if known, and what it is.
    static func words(at place: String?, _ message: String) -> String {
        "the file is cut or damaged\(place.map { " at \($0)" } ?? ""); what follows was not read (\(message))"
    }
}
