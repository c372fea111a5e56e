import PluginKit

/// The entries of a script: one or more lines each.
public enum ScriptText {
    /// An entry and the number of its first line, from 1.
    public struct Entry: Sendable, Hashable {
        /// The lines.
        public let text: String
        /// The first line's number.
        public let line: Int

        /// An error of the entry, with its location in the file.
        func locating(_ error: RutterError, in file: String) -> RutterError {
            // An error from a sourced file already has its location.
            if case .file = error.place { return error }
            var copy = error
            guard case .span(let span) = error.place else {
                copy.place = .file(path: file, line: line, column: nil)
                return copy
            }
            let before = Array(text.utf8).prefix(span.start)
            let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            copy.place = .file(
                path: file, line: line + before.count { $0 == UInt8(ascii: "\n") },
                column: String(decoding: before[lineStart...], as: UTF8.self).count + 1)
            return copy
        }
    }

    /// Splits a text where an entry is complete; blank entries are skipped.
    public static func entries(of text: String) -> [Entry] {
        var entries: [Entry] = []
        var lines: [Substring] = []
        var first = 1
        let all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in all.enumerated() {
            if lines.isEmpty { first = index + 1 }
            // A first line such as `#!/usr/bin/env -S rutter run` is a comment already.
            lines.append(line)
            let entry = lines.joined(separator: "\n")
            if index + 1 < all.count, Completeness.isIncomplete(entry) { continue }
            if !entry.allSatisfy(\.isWhitespace) { entries.append(Entry(text: entry, line: first)) }
            lines = []
        }
        return entries
    }
}
