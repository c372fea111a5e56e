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
            terms: ["ci", "continuous integration", "junit", "rerun notebook", "regression"]),
        ShellTopic(
            name: "rutter learn", summary: "in a shell: start or resume a lesson",
            terms: [
                "tutorial", "lesson", "course", "teach", "getting started", "first steps", "introduction",
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
    ]
}
