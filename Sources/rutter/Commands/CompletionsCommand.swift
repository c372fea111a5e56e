import ArgumentParser

/// `rutter completions SHELL`
struct CompletionsCommand: ParsableCommand {
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

    func run() {
        let known: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        Output.print(RutterCommand.completionScript(for: known))
    }
}
