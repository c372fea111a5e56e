import PluginKit

/// `web status`
struct WebStatus: CommandProvider {
    let desk: WebDesk

    var name: String { "web status" }

    var command: Command {
        Command(
            name, "show the address of the page that is served",
            details: "Fields: url port readOnly pages. `pages` counts the pages that are open.",
            output: .value("webServer"), effect: .reads,
            examples: [
                .init("nobody looks yet", "web status | get pages", after: ["web open"], gives: "0"),
                .init(
                    "nothing is served", "expect-error E-WEB-STOPPED web status",
                    gives: "no page is being served"),
            ]
        ) { _ in .object(try desk.served().object) }
    }
}

/// `web stop`
struct StopWeb: CommandProvider {
    let desk: WebDesk

    var name: String { "web stop" }

    var command: Command {
        Command(
            name, "stop serving the page",
            details: "Pages that are open say that the server is gone.",
            output: .value("text"), effect: .changes,
            examples: [.init("and nothing is served", "web stop", after: ["web open"], gives: "stopped")]
        ) { _ in
            _ = try desk.served()
            await desk.stop()
            return .text("stopped")
        }
    }
}
