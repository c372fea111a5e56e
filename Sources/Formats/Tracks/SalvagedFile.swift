import Core

extension RutterError {
    /// Where a damaged file ends for its reader, in words: what is whole before that is kept.
    var endOfFile: String {
        let line: Int? = if case .file(_, let line, _) = place { line } else { nil }
        let position = line.map { " at line \($0)" } ?? ""
        return "the file is cut or damaged\(position); what follows was not read (\(message))"
    }
}
