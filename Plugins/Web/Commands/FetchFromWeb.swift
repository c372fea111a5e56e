import PluginKit

/// `web fetch`
struct FetchFromWeb: CommandProvider {
    let service: WebService

    var name: String { "web fetch" }

    var command: Command {
        Command(
            name, "fetch a page or an entry's result over HTTP",
            details: """
                Requests from the server that `web open` started, as its page does: over the loopback address and with the cookie. \
                --run sends an entry and returns the page's result. Fields: status type body; `body | from json` reads \
                JSON.
                """,
            .optional("path", .text, "path of the page, such as /api/session"),
            .option("run", .text, "entry to run"),
            .options(
                "view", .choice(ResultView.names.map { .init($0) }), "view of the result to fetch"),
            .flag("without-cookie", "send the request without the cookie"),
            output: .value("response"), effect: .reads,
            examples: [
                .init(
                    "the result of an entry",
                    "web fetch --run '1 + 1' | get body | from json | get text",
                    after: ["web open"], gives: "2"),
                .init(
                    "without the cookie", "web fetch / --without-cookie | get status", after: ["web open"],
                    gives: "403"),
            ], searchTerms: ["download a page", "curl", "http request", "wget"]
        ) { context, path, entry, views, omitsCookie in
            guard context.files.allowsNetwork else {
                throw WebErrors.network(
                    "this session may not use the network", fix: "rutter test --allow-network")
            }
            let served = try service.served()
            let cookie = omitsCookie ? nil : served.cookie
            let response: LoopbackClient.Response
            let client = LoopbackClient(server: served.server, cookie: cookie)
            if let entry, let permit = context.entries?.permit {
                response = try await service.permits.granting(permit) {
                    try await client.run(entry, views: views, permit: $0)
                }
            } else {
                response = try await client.get(path ?? "/")
            }
            return .record(
                Record([
                    ("status", .integer(response.status)), ("type", .text(response.type)),
                    ("body", .text(response.body)),
                ]))
        }
    }
}
