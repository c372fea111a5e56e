import PluginKit

/// `web status`
struct WebStatus: CommandProvider {
    let service: WebService

    var name: String { "web status" }

    var command: Command {
        Command(
            name, "show the address of the served page",
            details: "Fields: url port readOnly pages. `pages` counts the open pages.",
            output: .value("webServer"), effect: .reads,
            examples: [
                .init("no open pages", "web status | get pages", after: ["web open"], gives: "0"),
                .init(
                    "no server", "expect-error E-WEB-STOPPED web status",
                    gives: "no page is being served"),
            ], searchTerms: ["is the server running", "address of the page", "port", "url"]
        ) { _ in .object(try service.served().object) }
    }
}

/// `web stop`
struct StopWeb: CommandProvider {
    let service: WebService

    var name: String { "web stop" }

    var command: Command {
        Command(
            name, "stop serving the page",
            details: "Open pages report that the server has stopped.",
            output: .value("text"), effect: .changes,
            examples: [.init("stop the server", "web stop", after: ["web open"], gives: "stopped")],
            searchTerms: ["stop the server", "close the page"]
        ) { _ in
            _ = try service.served()
            await service.stop()
            return .text("stopped")
        }
    }
}
