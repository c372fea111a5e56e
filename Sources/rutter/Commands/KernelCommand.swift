import ArgumentParser
import CivilTime
import Foundation
import JupyterKernel
import LineEditing
import Notebooks
import PluginKit
import Workbench

/// `rutter kernel …`
struct KernelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kernel", abstract: "Install, remove or run the Jupyter kernel.",
        subcommands: [KernelInstallCommand.self, KernelRemoveCommand.self, KernelRunCommand.self])

    /// Runs an action; typed errors are shown as at the prompt.
    static func reporting(_ action: () throws -> Void) throws {
        do { try action() } catch let error as RutterError {
            Output.complain(ErrorRenderer(color: false).text(error, entry: "") + "\n")
            throw ExitCode(ExitStatus.failure)
        }
    }
}

/// The options that select a kernel specification.
struct KernelOptions: ParsableArguments {
    @Option(help: "Name of the kernel.")
    var name = "rutter"

    @Option(
        help: "Install below DIR/share/jupyter, such as a Python environment, instead of the user's folder.")
    var prefix: String?

    func specification() throws -> KernelSpecification {
        let folder =
            prefix.map {
                URL(fileURLWithPath: $0, isDirectory: true)
                    .appendingPathComponent("share/jupyter", isDirectory: true)
            }
            ?? KernelSpecification.userDataFolder(
                ProcessInfo.processInfo.environment,
                home: UserFolders.home(ProcessInfo.processInfo.environment))
        return try KernelSpecification(name: name, dataFolder: folder)
    }
}

/// Where the cells of a kernel work.
struct KernelGround: ParsableArguments {
    @Option(help: "Folder of the stores that cells use (default: $XDG_DATA_HOME/rutter/workspace).")
    var workspace: String?

    @Flag(help: "Use a temporary workspace, which is deleted at the end, and a clock that stands.")
    var temporary = false

    func validate() throws {
        if temporary, workspace != nil { throw ValidationError("--temporary has no --workspace") }
    }

    /// The same with an absolute path, for a process with another working directory.
    var absolute: KernelGround {
        var ground = self
        ground.workspace = workspace.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        return ground
    }

    /// The same as arguments.
    var asArguments: [String] {
        (temporary ? ["--temporary"] : []) + (workspace.map { ["--workspace", $0] } ?? [])
    }

    /// What makes the user's own session, and where it works, in words; `nil` for a temporary workspace.
    var session: (make: KernelConfiguration.OwnSession, words: String)? {
        guard !temporary else { return nil }
        let start = SessionStart(workspace: workspace)
        let folder = FileManager.default.currentDirectoryPath
        let stores = start.workspaceFolder(ProcessInfo.processInfo.environment).path
        let make: KernelConfiguration.OwnSession = { log, progress, display in
            var configuration = try start.configuration(isInteractive: false, progress: progress)
            let zone = configuration.environment.timeZone
            configuration.environment = .notebook
            configuration.environment.timeZone = zone
            configuration.log = log
            configuration.output = nil
            configuration.live = nil
            configuration.screen = nil
            configuration.display = display
            return try Session(configuration: configuration, plugins: builtInPlugins)
        }
        return (make, "in \(folder), on the workspace \(stores), at the real time")
    }
}

/// `rutter kernel install`
struct KernelInstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install the kernel, so that Jupyter finds it.",
        discussion: """
            Cells work in the folder of the notebook, on your own workspace or that of --workspace, and at the real time, as the \
            prompt does: what they write is there afterwards. With --temporary, or after a cell of front matter, they work in a \
            workspace that is deleted at the end, confined like the cells of `rutter test`; --allow-… let those do more.
            """)

    @OptionGroup var options: KernelOptions
    @OptionGroup var ground: KernelGround
    @OptionGroup var allowances: AllowanceOptions

    func run() throws {
        try KernelCommand.reporting {
            let specification = try options.specification()
            let arguments = ground.absolute.asArguments + allowances.absolute.asArguments
            try specification.install(program: TestCommand.executable, arguments: arguments)
            Output.print("kernel \(specification.name) installed in \(specification.folder.path)")
        }
    }
}

/// `rutter kernel remove`
struct KernelRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove the installed kernel.")

    @OptionGroup var options: KernelOptions

    func run() throws {
        try KernelCommand.reporting {
            let specification = try options.specification()
            try specification.remove()
            Output.print("kernel \(specification.name) removed from \(specification.folder.path)")
        }
    }
}

/// `rutter kernel run FILE`: what Jupyter starts.
struct KernelRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run the kernel; Jupyter does this.")

    @Argument(help: "Connection file of Jupyter.")
    var connection: String

    @OptionGroup var ground: KernelGround
    @OptionGroup var allowances: AllowanceOptions

    func run() async throws {
        let kernel: Kernel
        do {
            kernel = try Kernel(try configuration)
        } catch let error as RutterError {
            Output.complain(ErrorRenderer(color: false).text(error, entry: "") + "\n")
            throw ExitCode(ExitStatus.failure)
        }
        let interrupts = try InterruptMonitor { kernel.interrupt() }
        let ends = try InterruptMonitor([SIGTERM, SIGHUP]) { kernel.stop() }
        await kernel.run()
        interrupts.stop()
        ends.stop()
    }

    private var configuration: KernelConfiguration {
        get throws {
            let identity = Self.identity
            let allowed = allowances.allowances
            var configuration = KernelConfiguration(
                connection: try ConnectionFile(contentsOf: URL(fileURLWithPath: connection)),
                folder: URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true),
                scratch: FileManager.default.temporaryDirectory.appendingPathComponent(
                    "rutter-kernel-\(identity)", isDirectory: true),
                version: RutterCommand.configuration.version, identity: identity, now: Self.now,
                makeFactory: {
                    WorkbenchSessionFactory(allowances: allowed, log: $0, plugins: builtInPlugins)
                })
            if let own = ground.session { (configuration.makeOwnSession, configuration.ground) = own }
            let parent = getppid()
            // Set by Jupyter if the kernel must exit with it.
            if ProcessInfo.processInfo.environment["JPY_PARENT_PID"] != nil {
                configuration.isAbandoned = { getppid() != parent }
            }
            return configuration
        }
    }

    /// Session names must be unique: messages and folders use them.
    private static var identity: String {
        [UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)]
            .map { String($0, radix: 16) }.joined(separator: "-")
    }

    /// Messages use the machine's time; the session has its own clock.
    @Sendable private static func now() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return ISO8601.text(
            Timestamp(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000))
    }
}
