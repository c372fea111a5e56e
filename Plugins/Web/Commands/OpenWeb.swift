import PluginKit

/// `web open`
struct OpenWeb: CommandProvider {
    let desk: WebDesk

    var name: String { "web open" }

    var command: Command {
        Command(
            name, "serve the session to a browser on this machine",
            details: """
                The server listens on 127.0.0.1 alone, on port \(WebSettings.usualPort) or, when that is taken, on a free one, \
                until `web stop` or the end of the session. The address holds a key: it lets a browser in, which then gets a \
                cookie. Everything that the page shows comes from commands, and everything that it does is a command that it \
                shows. --read-only refuses commands that change a store, a file or the session, and hides files outside of the \
                workspace. `rutter serve` does the same without a prompt.
                """,
            .option("port", .integer(1...65_535), "port to listen on"),
            .flag("read-only", "let pages change nothing"),
            output: .value("webServer"), effect: .reads,
            examples: [
                .init("for looking only", "web open --read-only | get readOnly", gives: "true")
            ], searchTerms: ["browser", "page", "server", "http", "serve"]
        ) { context, port, isReadOnly in
            guard context.files.allowsNetwork else {
                throw WebErrors.network(
                    "this session may not open a port", fix: "rutter test --allow-network")
            }
            guard let entries = context.entries else {
                throw WebErrors.network("this session runs no entries of others")
            }
            return .object(try await desk.start(port: port, isReadOnly: isReadOnly, entries: entries))
        }
    }
}
