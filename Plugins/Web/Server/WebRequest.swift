/// A request as used by the server's rules.
struct WebRequest: Sendable {
    /// `GET`, `POST` …
    var method: String
    /// Path and query as sent.
    var target: String
    /// Fields in the order sent, names in lower case.
    var headers: [(name: String, value: String)]
    var body: [UInt8] = []

    /// The path, not decoded: our names need no escapes.
    var path: Substring { target.prefix { $0 != "?" } }

    /// A value of the query, not decoded.
    func query(_ name: String) -> Substring? {
        guard let mark = target.firstIndex(of: "?") else { return nil }
        for pair in target[target.index(after: mark)...].split(separator: "&")
        where pair.hasPrefix(name + "=") {
            return pair.dropFirst(name.count + 1)
        }
        return nil
    }

    /// The values of a header.
    func all(_ name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }

    /// The value of a header that occurs once; `nil` if it is missing or repeated.
    func only(_ name: String) -> String? {
        let values = all(name)
        return values.count == 1 ? values[0] : nil
    }

    /// The values of a cookie.
    func cookies(_ name: String) -> [Substring] {
        all("cookie").flatMap { line in
            line.split(separator: ";").compactMap { pair in
                let text = pair.drop { $0 == " " }
                return text.hasPrefix(name + "=") ? text.dropFirst(name.count + 1) : nil
            }
        }
    }
}

/// A response.
struct WebResponse: Sendable {
    var status: Int
    var headers: [(String, String)] = []
    var body: [UInt8] = []
    /// A file sent instead of bytes in memory.
    var file: FilePages.Download?

    /// Size of the body in bytes.
    var size: Int { file?.size ?? body.count }

    /// Plain text.
    static func text(_ status: Int, _ text: String) -> WebResponse {
        WebResponse(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: Array(text.utf8))
    }

    /// JSON.
    static func json(_ text: String, status: Int = 200) -> WebResponse {
        WebResponse(
            status: status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: Array(text.utf8))
    }
}
