import ArgumentParser
import Workbench

/// `rutter reference`: the command reference as Markdown, generated from the commands' declarations.
struct ReferenceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference", abstract: "Print the command reference as Markdown.")

    @OptionGroup var options: SessionOptions

    func run() async throws {
        let session = try Session(
            configuration: try options.configuration(isInteractive: false, progress: .init()),
            plugins: builtInPlugins)
        Output.print(ReferencePage.markdown(of: await session.registry))
    }
}
