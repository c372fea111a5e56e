import Foundation

/// A regular expression in the syntax of ICU, the one dialect of the workbench, with a search that ends.
///
/// ICU's engine backtracks where a part of the pattern can match in several ways, which can take longer than anyone
/// waits. It reports as it goes, so that a search is stopped after a fixed number of reports: the same number on every
/// machine, and less than a second on any. Cancellation of the task stops it, too.
public struct BoundedRegex: Sendable {
    /// How a search ended.
    public enum Outcome: Sendable {
        /// The expression matches.
        case found
        /// It does not match.
        case notFound
        /// The search was given up; whether the expression matches is not known.
        case tooSlow
        /// The task was cancelled.
        case cancelled
    }

    /// Reports of the engine, each after some ten thousand steps, until a search is given up.
    private static let reports = 3000

    /// How much of a text an expression must match.
    public enum Extent: Sendable {
        /// Any part of it.
        case part
        /// All of it. What stands around a range is seen by `\b` and by look-around; `^` and `$` are the range's ends.
        case all
    }

    private let regex: NSRegularExpression
    private let options: NSRegularExpression.MatchingOptions

    /// Compiles an expression; `nil` when it is not one.
    public init?(_ pattern: String, matching extent: Extent = .part) {
        // The pattern by itself first: `a)(b` is no expression, `(?:a)(b)` would be one.
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
