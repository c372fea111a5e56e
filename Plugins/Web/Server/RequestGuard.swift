/// Decides who is let in, before anything else looks at a request.
///
/// The port is open to every program on this machine, and to every page that a browser on it shows: the cookie tells ours
/// from others; `Host` is checked against names that an attacker lets point here (DNS rebinding); `Origin` and
/// `Sec-Fetch-Site` against pages of other ports, which `SameSite` takes for ours.
struct RequestGuard: Sendable {
    let port: Int
    /// In the address that was printed.
    let key: Secret
    /// In the cookie.
    let pass: Secret

    /// What becomes of a request.
    enum Verdict: Sendable {
        /// It is answered.
        case admitted
        /// It brought the key and gets the cookie.
        case enters
        /// It is not answered.
        case refused(Int, String)
    }

    /// Cookies know no ports: each server has a name of its own.
    var cookieName: String { "rutter-\(port)" }
    private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

    /// The cookie that lets in.
    var cookie: String { "\(cookieName)=\(pass.text); Path=/; HttpOnly; SameSite=Strict" }

    func verdict(_ request: WebRequest) -> Verdict {
        guard let host = request.only("host"), hosts.contains(host.lowercased()) else {
            return .refused(421, "this server answers to 127.0.0.1 alone")
        }
        let changes = !["GET", "HEAD"].contains(request.method) || !request.all("upgrade").isEmpty
        let origins = request.all("origin")
        if !origins.isEmpty || changes {
            guard origins.map({ $0.lowercased() }) == ["http://" + host.lowercased()] else {
                return .refused(403, "the request comes from another page")
            }
        }
        if let site = request.only("sec-fetch-site"), !["same-origin", "none"].contains(site) {
            // A link may lead here; nothing of another page may ask for anything else.
            guard !changes, request.only("sec-fetch-mode") == "navigate",
                request.only("sec-fetch-dest") == "document"
            else { return .refused(403, "the request comes from another page") }
        }
        if request.cookies(cookieName).contains(where: pass.matches) { return .admitted }
        if request.method == "GET", request.path == "/", let sent = request.query("key"), key.matches(sent) {
            return .enters
        }
        return .refused(403, "open the address that `web open` printed: it holds the key")
    }
}
