/// Decides whether a request is admitted, before any other processing. The port is open to every program on
/// this machine, and to every page in a browser on it: the cookie identifies our pages; `Host` is checked
/// against names that an attacker points here (DNS rebinding); `Origin` and `Sec-Fetch-Site` against pages of
/// other ports, which `SameSite` treats as the same site.
struct RequestGuard: Sendable {
    let port: Int
    /// The key in the printed address.
    let key: Secret
    /// The value of the cookie.
    let pass: Secret

    /// The decision on a request.
    enum Verdict: Sendable {
        /// Admitted.
        case admitted
        /// Has the key, and receives the cookie.
        case enters
        /// Refused.
        case refused(Int, String)
    }

    /// Cookies ignore ports, so each server has its own cookie name.
    var cookieName: String { "rutter-\(port)" }
    private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

    /// The `Set-Cookie` value.
    var cookie: String { "\(cookieName)=\(pass.text); Path=/; HttpOnly; SameSite=Strict" }

    func verdict(_ request: WebRequest) -> Verdict {
        guard let host = request.only("host"), hosts.contains(host.lowercased()) else {
            return .refused(421, "this server accepts only requests to 127.0.0.1")
        }
        let changes = !["GET", "HEAD"].contains(request.method) || !request.all("upgrade").isEmpty
        let origins = request.all("origin")
        if !origins.isEmpty || changes {
            guard origins.map({ $0.lowercased() }) == ["http://" + host.lowercased()] else {
                return .refused(403, "the request comes from another page")
            }
        }
        if let site = request.only("sec-fetch-site"), !["same-origin", "none"].contains(site) {
            // A link may lead here; another page may not make any other request.
            guard !changes, request.only("sec-fetch-mode") == "navigate",
                request.only("sec-fetch-dest") == "document"
            else { return .refused(403, "the request comes from another page") }
        }
        if request.cookies(cookieName).contains(where: pass.matches) { return .admitted }
        if request.method == "GET", request.path == "/", let sent = request.query("key"), key.matches(sent) {
            return .enters
        }
        return .refused(403, "open the address printed by `web open`: it contains the key")
    }
}
