import ArgumentParser
import Workbench

/// `rutter completions SHELL`
struct CompletionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Print the completions for a shell: bash, zsh or fish.",
        discussion: """
            bash: rutter completions bash > ~/.local/share/bash-completion/completions/rutter
            zsh: rutter completions zsh > a folder of $fpath/_rutter
            fish: rutter completions fish > ~/.config/fish/completions/rutter.fish
            """)

    /// The shells that are known.
    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    @OptionGroup var options: SessionOptions

    func run() async throws {
        let known: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        let script = RutterCommand.completionScript(for: known)
        guard shell == .bash else { return Output.print(script) }
        let session = try Session(
            configuration: try options.configuration(isInteractive: false, progress: .init()),
            plugins: builtInPlugins)
        Output.print(BashCompletion.script(script, commands: await session.registry.names))
    }
}
