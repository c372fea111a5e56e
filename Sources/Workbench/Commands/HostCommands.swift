import Archives
import Formats
import PluginKit

/// The workbench's own commands, one per file in this folder and its neighbours.
enum HostCommands {
    /// Commands that need only the context.
    static let stateless: [any CommandProvider] =
        DataCommands.all + [
            DeclinationCommand(), ImportCommand(), MapCommand(), MapShowCommand(), MapTilesCommand(),
            PlotCommand(), ProfileCommand(),
        ]

    /// Commands that read or change the session.
    static func stateful(_ session: SessionHandle) -> [any CommandProvider] {
        [
            AliasCommand(session: session), ArgsCommand(session: session), AssertCommand(), ClockCommand(),
            ConfigEditCommand(session: session), ConfigPathCommand(session: session),
            ConfigShowCommand(session: session), DefCommand(session: session), ExpectErrorCommand(),
            ExplainCommand(session: session),
            ExportCommand(session: session),
            ForCommand(session: session), IfCommand(), SourceCommand(session: session),
            HelpCommand(session: session), HistoryCommand(session: session),
            LetCommand(session: session),
            NotebookImportCommand(), NotebookRenderCommand(session: session),
            NotebookRunCommand(session: session), NotebookSaveCommand(session: session),
            NotebookListCommand(), NotebookResultsCommand(), NotebookShowCommand(session: session),
            NotebookEditCommand(),
            NotebookTestCommand(session: session), PluginsCommand(session: session),
            QuitCommand(session: session), SampleCommand(session: session),
            SeedCommand(), SetCommand(session: session), TraceCommand(),
            SweepCommand(session: session), UndoCommand(),
        ] + SteppingCommands.all(Stepper())
    }

    /// Commands of earlier versions, each with what to type now.
    static let former: [String: String] = [
        "commands": "help commands", "player": "export FILE.html", "settings": "set", "step goto": "step to",
        "step stop": "step end", "step until": "step to", "vars": "let",
    ]

    /// The kinds of error of the host.
    static let errors: [ErrorKind] =
        CommonErrors.all + LanguageErrors.all + FunctionErrors.all + StatementErrors.all + RegistryErrors.all
        + SessionErrors.all + DataErrors.all + ExportCommandErrors.all
        + KernelErrors.all + NotebookErrors.all + PictureErrors.all + StepErrors.all + GPXErrors.all
        + KMLErrors.all + FITErrors.all + TCXErrors.all + ArchiveErrors.all + ImportErrors.all
        + ImportKindErrors.all
}
