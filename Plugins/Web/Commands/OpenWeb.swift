import PluginKit

/// `web open`
struct OpenWeb: CommandProvider {
    let service: WebService

    var name: String { "web open" }

    var command: Command {
        Command(
            name, "serve the session to a browser on this machine",
            details: """
                The server listens only on 127.0.0.1, on port \(WebSettings.usualPort) or, if that is taken, on a free one, \
                until `web stop` or the end of the session. The address contains a key, which the browser exchanges for a \
                cookie. Everything on the page comes from commands, and each of its actions is a command that it \
                shows. --read-only rejects commands that change a store, a file or the session, and hides files outside the \
                workspace. `rutter serve` does the same without a prompt.
                """,
            .option("port", .integer(1...65_535), "port to listen on"),
            .flag("read-only", "reject changes by pages"),
            output: .value("webServer"), effect: .reads,
            examples: [
                .init("read-only", "web open --read-only | get readOnly", gives: "true")
            ],
            searchTerms: [
                "local server", "see it in the browser", "click", "browser", "page", "server", "http",
                "serve", "web page", "on my phone", "in a browser", "graphical", "website",
            ]
        ) { context, port, isReadOnly in
            guard context.files.allowsNetwork else {
                throw WebErrors.network(
                    "this session may not open a port", fix: "rutter test --allow-network")
            }
            guard let entries = context.entries else {
                throw WebErrors.network("this session does not accept entries from pages")
            }
            return .object(try await service.start(port: port, isReadOnly: isReadOnly, entries: entries))
        }
    }
}
