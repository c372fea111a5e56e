/// A subcommand of the program, which help names when a question is about it.
struct ShellTopic {
    let name: String
    let summary: String
    let terms: [String]

    static let all = [
        ShellTopic(
            name: "rutter run", summary: "in a shell: run a file of entries, or replay a notebook",
            terms: ["run a notebook", "run a script", "tour", "replay", "batch"]),
        ShellTopic(
            name: "rutter tour", summary: "in a shell: replay a tour of five minutes on sample data",
            terms: ["tutorial", "tour", "getting started", "first steps", "introduction", "demo", "overview"]),
        ShellTopic(
            name: "rutter test", summary: "in a shell: rerun notebooks in parallel and compare their output",
            terms: [
                "run all notebooks", "which notebooks fail", "pull request", "github actions", "ci",
                "continuous integration", "junit",
                "rerun notebook", "regression", "every night", "automate a check", "cron",
            ]),
        ShellTopic(
            name: "rutter learn", summary: "in a shell: start or resume a lesson",
            terms: [
                "hint", "exercise", "homework", "lesson about", "tutorial", "lesson", "course", "teach",
                "getting started", "first steps",
                "introduction",
            ]),
        ShellTopic(
            name: "rutter kernel", summary: "in a shell: install or remove the Jupyter kernel",
            terms: ["jupyter", "jupyterlab", "ipynb", "kernel"]),
        ShellTopic(
            name: "rutter serve", summary: "in a shell: serve a session to a browser",
            terms: ["browser", "web page", "server", "http"]),
        ShellTopic(
            name: "rutter reference", summary: "in a shell: print the command reference as Markdown",
            terms: ["manual", "documentation", "all commands"]),
        ShellTopic(
            name: "rutter --version", summary: "in a shell: print the program's version",
            terms: ["version", "which version", "release", "build", "about this program"]),
        ShellTopic(
            name: "rutter --workspace FOLDER",
            summary:
                "in a shell: keep your stores in a folder; without it, in $XDG_DATA_HOME/rutter/workspace",
            terms: [
                "where are my files stored", "where is my data", "data folder", "workspace", "start over",
                "fresh start", "reset everything", "backup", "move to another computer", "several users",
            ]),
        ShellTopic(
            name: "rutter completions", summary: "in a shell: print the completions for bash, zsh or fish",
            terms: ["tab completion", "shell completion", "autocomplete", "bash", "zsh", "fish"]),
        ShellTopic(
            name: "rutter manual", summary: "in a shell: write the manual pages",
            terms: ["man page", "manual page", "man"]),
        ShellTopic(
            name: "rutter licenses", summary: "in a shell: print the licences of all that is inside",
            terms: ["licence", "license", "copyright", "open source", "third party"]),
        ShellTopic(
            name: "Ctrl-L", summary: "at the prompt: clear the screen",
            terms: ["clear the screen", "clear screen", "empty the terminal", "wipe"]),
        ShellTopic(
            name: "Ctrl-C", summary: "at the prompt: stop the running command, or drop the line",
            terms: ["cancel", "stop a command", "abort", "interrupt", "it hangs"]),
        ShellTopic(
            name: "Ctrl-R", summary: "at the prompt: find an earlier entry",
            terms: ["search the history", "earlier command", "repeat a command", "last command again"]),
    ]
}
