import ArgumentParser
import Foundation
import LineEditing
import Notebooks
import PluginKit
import Workbench

/// `rutter serve`: a session without a prompt, in a browser.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve a session to a browser on this machine, until Ctrl-C.",
        discussion: "The same as `web open` at the prompt, which explains who is let in.")

    @OptionGroup var options: SessionOptions

    @Option(help: "Port to listen on (default: 8642, or a free one when that is taken).")
    var port: Int?

    @Flag(name: .customLong("read-only"), help: "Let the page change nothing.")
    var isReadOnly = false

    @Option(
        name: .customShort("c"), parsing: .unconditionalSingleValue,
        help: "Run an entry first; several run in order.")
    var entries: [String] = []

    func run() async throws {
        var configuration = try options.configuration(isInteractive: false, progress: ProgressReporter())
        // What entries show goes to the page, and the address to whoever started it.
        configuration.environment.isPipe = false
        configuration.output = nil
        let session = try Session(configuration: configuration, plugins: builtInPlugins)
        let status = await serve(session)
        await session.close()
        if status != 0 { throw ExitCode(status) }
    }

    private func serve(_ session: Session) async -> Int32 {
        let port = port.map { " --port \($0)" } ?? ""
        for entry in entries {
            let result = await session.run(entry)
            if !result.output.isEmpty { Output.print(result.output) }
            if let text = result.errorText { return complain(text) }
        }
        let result = await session.run("web open\(port)\(isReadOnly ? " --read-only" : "")")
        if let text = result.errorText { return complain(text) }
        guard case .text(let url)? = result.value.field("url") else { return complain("no address") }
        let waiting = Task { await session.untilServed() }
        do {
            let monitor = try InterruptMonitor([SIGINT, SIGTERM, SIGHUP]) {
                Task { await session.close() }
            }
            // Who has read the address may end the session at once.
            Output.print("\(url)\nOpen this address in a browser. Ctrl-C ends the session.")
            await waiting.value
            monitor.stop()
        } catch {
            return complain("\(error)")
        }
        return 0
    }

    private func complain(_ text: String) -> Int32 {
        Output.complain(text + "\n")
        return ExitStatus.failure
    }
}
