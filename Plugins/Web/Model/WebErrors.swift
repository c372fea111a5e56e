import PluginKit

/// Kinds of error of the local web page.
enum WebErrors {
    static let network = ErrorKind(
        "E-WEB-NETWORK", "the network may not be used here",
        explanation: """
            A notebook and a read-only session may not open a port unless that is allowed: run the \
            notebook with --allow-network.
            """)
    static let port = ErrorKind(
        "E-WEB-PORT", "the port cannot be opened",
        explanation: """
            Another program listens on the port, or the port is reserved (below 1024). Without --port a free port is chosen \
            if the usual one is taken.
            """)
    static let running = ErrorKind(
        "E-WEB-RUNNING", "the page is already served",
        explanation: "A session serves one page. `web status` shows its address; `web stop` ends it.")
    static let stopped = ErrorKind(
        "E-WEB-STOPPED", "no page is being served",
        explanation: "`web open` starts the server.")
    static let answer = ErrorKind(
        "E-WEB-ANSWER", "the server refused the request",
        explanation: """
            `web fetch` sends requests as the page does, and shows why the server refused: paths begin with a slash, and the \
            page's files are listed by `web fetch /api/files`.
            """)

    static let feeds = ErrorKind(
        "E-WEB-FEEDS", "too many pages are watching",
        explanation:
            "Each page that watches a store takes a thread. Stop watching on another page, or close it.")

    static let file = ErrorKind(
        "E-WEB-FILE", "no file to download",
        explanation: """
            A page downloads the file written by an entry, such as `export walk.pdf …`: one file of at most 64 MiB. It is not \
            written to the workspace.
            """)

    static let upload = ErrorKind(
        "E-WEB-UPLOAD", "a file was not taken",
        explanation: """
            A page hands files over in parts, which are kept in a temporary folder until they are imported. There is no space left, a \
            part is missing, or the page is read-only: `import FILE` at the prompt reads the file where it is.
            """)

    static let all = [network, port, running, stopped, answer, feeds, file, upload]
}
