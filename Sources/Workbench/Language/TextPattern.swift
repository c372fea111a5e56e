import Core
import Synchronization

/// The regular expression on the right of `=~`; it matches when it is found anywhere in the text.
struct TextPattern: Sendable {
    private let regex: BoundedRegex

    init(_ pattern: String, at span: SourceSpan) throws(RutterError) {
        guard let regex = BoundedRegex(pattern) else {
            throw LanguageErrors.pattern("`\(pattern)` is not a regular expression", at: .span(span))
        }
        self.regex = regex
    }

    func matches(_ text: String, at span: SourceSpan) throws(RutterError) -> Bool {
        switch regex.search(text) {
        case .found: return true
        case .notFound: return false
        case .cancelled: throw Interruption.stopped
        case .tooSlow:
            throw LanguageErrors.pattern(
                "the pattern takes too long on a text of \(text.count) characters", at: .span(span),
                fix: "avoid nested repetition: (a+)+ is a+")
        }
    }
}

/// Caches the last compiled regular expression, because successive rows use the same one.
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
