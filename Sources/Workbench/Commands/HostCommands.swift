import Archives
import Formats
import PluginKit

/// The workbench's own commands, one per file in this folder and its neighbours.
enum HostCommands {
    /// Commands that need only the context.
    static let stateless: [any CommandProvider] =
        DataCommands.rows.grouped(.rows) + DataCommands.files.grouped(.files)
        + [
            DeclinationCommand().grouped(.places), ImportCommand().grouped(.files),
            AccountCommand().grouped(.files),
        ]
        + [MapCommand(), MapShowCommand(), MapTilesCommand(), PlotCommand(), ElevationCommand()].grouped(
            .pictures)

    /// Commands that read or change the session.
    static func stateful(_ session: SessionHandle) -> [any CommandProvider] {
        language(session).grouped(.variables) + notebooks(session).grouped(.notebooks)
            + tests(session).grouped(.testing)
            + [
                ExportCommand(session: session).grouped(.files),
                PluginListCommand(session: session).grouped(.plugin),
                SampleCommand(session: session).grouped(.files),
            ]
            + [
                ClockCommand(), ConfigEditCommand(session: session), ConfigPathCommand(session: session),
                ConfigShowCommand(session: session), CopyCommand(session: session),
                ExplainCommand(session: session),
                HelpCommand(session: session),
                HistoryCommand(session: session), QuitCommand(session: session), SetCommand(session: session),
                UndoCommand(),
            ]
            + (SteppingCommands.all(Stepper()) + [TraceCommand(), SweepCommand(session: session)]).grouped(
                .teaching)
    }

    private static func language(_ session: SessionHandle) -> [any CommandProvider] {
        [
            AliasCommand(session: session), ArgsCommand(session: session), DefCommand(session: session),
            ForCommand(session: session), IfCommand(), LetCommand(session: session),
            SourceCommand(session: session),
        ]
    }

    private static func notebooks(_ session: SessionHandle) -> [any CommandProvider] {
        [
            NotebookImportCommand(), NotebookRenderCommand(session: session),
            NotebookRunCommand(session: session),
            NotebookSaveCommand(session: session), NotebookListCommand(), NotebookResultsCommand(),
            NotebookShowCommand(session: session), NotebookEditCommand(),
        ]
    }

    private static func tests(_ session: SessionHandle) -> [any CommandProvider] {
        [AssertCommand(), ExpectErrorCommand(), NotebookTestCommand(session: session), SeedCommand()]
    }

    /// Commands of earlier versions, each with what to type now.
    static let former: [String: String] = [
        "commands": "help commands", "profile": "elevation", "player": "export FILE.html",
        "plugins": "plugin list", "settings": "set",
        "step goto": "step to",
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
