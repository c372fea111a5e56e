import Formats
import PluginKit
import Synchronization

/// The web server of a session; at most one.
final class WebService: Serving {
    private struct State: Sendable {
        var serving: Served?
        var isBusy = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The state of a running server.
    struct Served: Sendable {
        let server: WebServer
        let key: Secret
        let pass: Secret
        let isReadOnly: Bool
        let observation: EntryObservation
        let feeds: LiveFeeds

        var object: WebServerObject {
            WebServerObject(
                port: server.port, key: key.text, isReadOnly: isReadOnly, pages: server.hub.count)
        }
        /// The cookie that a request requires.
        var cookie: String {
            "\(RequestGuard(port: server.port, key: key, pass: pass).cookieName)=\(pass.text)"
        }
    }

    private let state = Mutex(State())
    /// Permits of entries that send requests to their own server.
    let permits = EntryPermits()

    /// The running server. Throws `E-WEB-STOPPED`.
    func served() throws -> Served {
        guard let served = state.withLock({ $0.serving }) else {
            throw WebErrors.stopped("no page is being served", fix: "web open")
        }
        return served
    }

    /// Starts serving the session. Throws `E-WEB-RUNNING`, `E-WEB-PORT`.
    func start(port: Int?, isReadOnly: Bool, entries: any EntryRunning) async throws -> WebServerObject {
        let isFree = state.withLock { state in
            guard state.serving == nil, !state.isBusy else { return false }
            state.isBusy = true
            return true
        }
        guard isFree else { throw WebErrors.running("the page is already served", fix: "web status") }
        defer { state.withLock { $0.isBusy = false } }
        let tiles = TilePages(entries: entries)
        let hub = EventHub()
        let feeds = LiveFeeds(entries: entries) { hub.send($0) }
        let pages = WebPages(
            entries: entries, isReadOnly: isReadOnly, permits: permits, tiles: tiles, feeds: feeds,
            send: { hub.send($0) })
        let (key, pass) = (Secret.random(), Secret.random())
        let server = try await Self.server(port, key, pass, hub) { await pages.response(to: $0) }
        hub.whenEmpty { [weak feeds] in feeds?.stop() }
        let observation = await entries.observe { event in
            if event.hasChanged { tiles.forget() }
            hub.send(PageEvent.text(of: event))
        }
        let served = Served(
            server: server, key: key, pass: pass, isReadOnly: isReadOnly, observation: observation,
            feeds: feeds)
        state.withLock { $0.serving = served }
        return served.object
    }

    /// A server on a given port, or else on the usual port, or else on any.
    private static func server(
        _ port: Int?, _ key: Secret, _ pass: Secret, _ hub: EventHub,
        _ answer: @escaping @Sendable (WebRequest) async -> WebResponse
    ) async throws -> WebServer {
        do {
            return try await WebServer(
                port: port ?? WebSettings.usualPort, key: key, pass: pass, hub: hub, answer: answer)
        } catch {
            if let port {
                throw WebErrors.port("port \(port) cannot be opened: \(error)", at: .parameter("port"))
            }
        }
        do {
            return try await WebServer(port: 0, key: key, pass: pass, hub: hub, answer: answer)
        } catch {
            throw WebErrors.port("no port can be opened: \(error)")
        }
    }

    /// Stops the server, if it runs.
    func stop() async {
        let (served, waiting) = state.withLock { state in
            defer { (state.serving, state.waiting) = (nil, []) }
            return (state.serving, state.waiting)
        }
        served?.feeds.stop()
        await served?.server.stop()
        for continuation in waiting { continuation.resume() }
    }

    func untilStopped() async {
        await withCheckedContinuation { continuation in
            let isServing = state.withLock { state in
                if state.serving != nil { state.waiting.append(continuation) }
                return state.serving != nil
            }
            if !isServing { continuation.resume() }
        }
    }
}

/// Events of the session sent to pages.
enum PageEvent {
    /// An entry that ran, as JSON.
    static func text(of event: EntryEvent) -> String {
        JSONTree(members: [
            "type": .text("entry"), "entry": .text(event.entry), "failed": .boolean(event.failed),
            "changed": .boolean(event.hasChanged),
        ]).compactText
    }
}
