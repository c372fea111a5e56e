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
        discussion: "The same as `web open` at the prompt; `help web open` describes access control.")

    @OptionGroup var options: SessionOptions

    @Option(help: "Port to listen on (default: 8642, or any free port if it is in use).")
    var port: Int?

    @Flag(name: .customLong("read-only"), help: "Serve the page read-only.")
    var isReadOnly = false

    @Option(
        name: .customShort("c"), parsing: .unconditionalSingleValue,
        help: "Run an entry first; several run in order.")
    var entries: [String] = []

    func run() async throws {
        var configuration = try options.configuration(isInteractive: false, progress: ProgressReporter())
        // Output of entries goes to the page; the address goes to standard output.
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
        guard case .text(let url)? = result.value.field("url") else {
            return complain("internal error: `web open` returned no address")
        }
        let waiting = Task { await session.untilServed() }
        do {
            let monitor = try InterruptMonitor([SIGINT, SIGTERM, SIGHUP]) {
                Task { await session.close() }
            }
            // The session may be ended as soon as the address was printed.
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
