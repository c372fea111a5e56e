/// Serves the session to other programs for as long as it is left to, such as a web page to a browser.
public protocol Serving: Capability {
    /// Returns when nothing is served any more.
    func untilStopped() async
}
