import Foundation

/// A regular expression in ICU syntax, the only dialect of the workbench, with bounded search.
///
/// ICU's engine backtracks if a part of the pattern can match in several ways, which can take exponential
/// time. It calls back at intervals, so that a search is stopped after a fixed number of callbacks: the same
/// on every machine, and within a second. Cancelling the task stops it, too.
public struct BoundedRegex: Sendable {
    /// How a search ended.
    public enum Outcome: Sendable {
        /// The expression matches.
        case found
        /// It does not match.
        case notFound
        /// The search exceeded its limit; whether the expression matches is unknown.
        case tooSlow
        /// The task was cancelled.
        case cancelled
    }

    /// Most callbacks of the engine, one per about ten thousand steps, before a search is stopped.
    private static let reports = 3000

    /// How much of a text an expression must match.
    public enum Extent: Sendable {
        /// Any part of it.
        case part
        /// All of it. `\b` and look-around see the text around a range; `^` and `$` match the range's ends.
        case all
    }

    private let regex: NSRegularExpression
    private let options: NSRegularExpression.MatchingOptions

    /// Compiles an expression; `nil` if it is invalid.
    public init?(_ pattern: String, matching extent: Extent = .part) {
        // Check the pattern by itself first: `a)(b` is invalid, but `(?:a)(b)` is not.
        guard var regex = try? NSRegularExpression(pattern: pattern) else { return nil }
        if extent == .all {
            guard let whole = try? NSRegularExpression(pattern: "(?:\(pattern))\\z") else { return nil }
            regex = whole
        }
        self.regex = regex
        options = extent == .all ? [.anchored, .withTransparentBounds, .reportProgress] : .reportProgress
    }

    /// Looks for the expression in a text, or in a range of it in UTF-16 units.
    public func search(_ text: String, in range: Range<Int>? = nil) -> Outcome {
        var outcome = Outcome.notFound
        var left = Self.reports
        let range = NSRange(range ?? 0..<text.utf16.count)
        regex.enumerateMatches(in: text, options: options, range: range) { match, _, stop in
            left -= 1
            if match != nil {
                outcome = .found
            } else if Task.isCancelled {
                outcome = .cancelled
            } else if left == 0 {
                outcome = .tooSlow
            }
            if outcome != .notFound { stop.pointee = true }
        }
        return outcome
    }
}
