import ArgumentParser
import Foundation
import LineEditing
import Notebooks
import Workbench

/// `rutter run FILE`: entries of a file, or a notebook cell by cell with its prose.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a file of entries, or replay a notebook cell by cell.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var allowances: AllowanceOptions

    @Argument(help: "A file of entries, or a notebook.")
    var file: String

    @Argument(
        parsing: .allUnrecognized, help: "Arguments of the script, declared in it by `args`.")
    var arguments: [String] = []

    @Option(help: "Folder of a notebook's data files.")
    var data: String?

    func run() async throws {
        let url = URL(fileURLWithPath: file)
        let status: Int32
        if ["md", "markdown"].contains(url.pathExtension.lowercased()) {
            let factory = WorkbenchSessionFactory(
                allowances: allowances.allowances, log: options.logger,
                plugins: builtInPlugins)
            let tour = NotebookTour(factory: factory, dataFolder: data.map { URL(fileURLWithPath: $0) })
            status = try await tour.replay(url, named: file)
        } else {
            status = try await runEntries(of: url)
        }
        if status != 0 { throw ExitCode(status) }
    }

    private func runEntries(of url: URL) async throws -> Int32 {
        guard let bytes = FileManager.default.contents(atPath: url.path) else {
            throw ValidationError("\(file) cannot be read")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ValidationError("\(file) is not UTF-8 text")
        }
        let display = ProgressDisplay()
        var start = options.start
        // What follows `--` may begin with a sign.
        start.arguments = arguments.first == "--" ? Array(arguments.dropFirst()) : arguments
        var configuration = try start.configuration(isInteractive: false, progress: display.reporter)
        configuration.files.standardInput = SessionStart.passedInput
        configuration.streams = StandardStreams(input: SessionStart.passedInput) { Output.pass($0) }
        let session = try Session(configuration: configuration, plugins: builtInPlugins)
        let runner = EntryRunner(session: session, display: display)
        let monitor = try InterruptMonitor { runner.stop() }
        let ends = try EndSignals(runner)
        let status = try await BatchInput(runner: runner, reports: BatchReports(start)).run(text, file: file)
        ends.stop()
        monitor.stop()
        await session.close()
        return status
    }
}

/// What notebooks may use beyond their own folder, data and workspace.
struct AllowanceOptions: ParsableArguments {
    @Option(name: .customLong("allow-read"), help: "Another folder that notebooks may read.")
    var read: [String] = []

    @Option(name: .customLong("allow-write"), help: "Another folder that notebooks may write.")
    var write: [String] = []

    @Flag(name: .customLong("allow-network"), help: "Let notebooks use the network.")
    var network = false

    @Flag(name: .customLong("allow-plugins"), help: "Let notebooks run trusted external plugins.")
    var plugins = false

    var allowances: WorkbenchSessionFactory.Allowances {
        var allowances = WorkbenchSessionFactory.Allowances()
        allowances.read = read.map { URL(fileURLWithPath: $0, isDirectory: true) }
        allowances.write = write.map { URL(fileURLWithPath: $0, isDirectory: true) }
        allowances.network = network
        if plugins { allowances.pluginFolders = [UserFolders.plugins(ProcessInfo.processInfo.environment)] }
        return allowances
    }

    /// The same with absolute paths, for a process with another working directory.
    var absolute: AllowanceOptions {
        var options = self
        options.read = read.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        options.write = write.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        return options
    }

    /// The same as arguments, for worker processes.
    var asArguments: [String] {
        read.flatMap { ["--allow-read", $0] } + write.flatMap { ["--allow-write", $0] }
            + (network ? ["--allow-network"] : []) + (plugins ? ["--allow-plugins"] : [])
    }
}
