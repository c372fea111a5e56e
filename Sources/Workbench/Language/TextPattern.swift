import Foundation
import PluginKit
import Synchronization

/// A regular expression in the syntax of ICU; it matches when it is found anywhere in the text.
///
/// ICU's engine goes back over a text where a part of the pattern can match in several ways, which can take longer
/// than anyone waits. It reports as it goes, so that a search is stopped after a fixed number of reports: the same
/// number on every machine, and less than a second on any. Ctrl-C stops it, too.
struct TextPattern: Sendable {
    /// Reports of the engine, each after some ten thousand steps, until a search is given up.
    private static let reports = 3000

    private let regex: NSRegularExpression

    init(_ pattern: String, at span: SourceSpan) throws(RutterError) {
        do {
            regex = try NSRegularExpression(pattern: pattern)
        } catch {
            throw LanguageErrors.pattern("`\(pattern)` is not a regular expression", at: .span(span))
        }
    }

    func matches(_ text: String, at span: SourceSpan) throws(RutterError) -> Bool {
        var isFound = false
        var left = Self.reports
        var isCancelled = false
        let whole = NSRange(location: 0, length: text.utf16.count)
        regex.enumerateMatches(in: text, options: .reportProgress, range: whole) { match, _, stop in
            if match != nil {
                isFound = true
                stop.pointee = true
            } else {
                left -= 1
                isCancelled = Task.isCancelled
                if left == 0 || isCancelled { stop.pointee = true }
            }
        }
        if isFound { return true }
        if isCancelled { throw CommonErrors.interrupted("stopped") }
        guard left > 0 else {
            throw LanguageErrors.pattern(
                "the pattern takes too long on a text of \(text.count) characters", at: .span(span),
                fix: "repeat nothing that is itself repeated: (a+)+ is a+")
        }
        return false
    }
}

/// Keeps the regular expression that was compiled last, as rows come one after the other with the same one.
final class PatternCache: Sendable {
    private struct Entry: Sendable {
        var source: String
        var pattern: TextPattern
    }

    private let last = Mutex<Entry?>(nil)

    func pattern(_ source: String, at span: SourceSpan) throws(RutterError) -> TextPattern {
        if let kept = last.withLock({ $0?.source == source ? $0?.pattern : nil }) { return kept }
        let made = try TextPattern(source, at: span)
        last.withLock { $0 = Entry(source: source, pattern: made) }
        return made
    }
}
