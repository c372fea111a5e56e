/// A kind of error: a stable code that never changes its meaning, and its explanation for `explain`.
///
/// Each area declares its kinds as static values and its plugin lists them, so that the registry has all of them.
public struct ErrorKind: Sendable, Hashable {
    /// Stable code such as `E-WAYPOINT-NONE`.
    public let code: String
    /// What it means, in one line.
    public let title: String
    /// A longer text: when it happens, and what to do about it.
    public let explanation: String

    /// Declares a kind.
    public init(_ code: String, _ title: String, explanation: String) {
        self.code = code
        self.title = title
        self.explanation = explanation
    }

    /// An error of this kind.
    public func callAsFunction(
        _ message: String, at place: RutterError.Place = .none, fix: String? = nil, suggestion: String? = nil
    ) -> RutterError {
        RutterError(kind: self, message: message, place: place, fix: fix, suggestion: suggestion)
    }
}
