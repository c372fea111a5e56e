/// Serves the session to other programs until it is stopped, such as a web page to a browser.
public protocol Serving: Capability {
    /// Returns when serving has stopped.
    func untilStopped() async
}
