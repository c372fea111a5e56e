import ArgumentParser
import Foundation
import LineEditing
import Notebooks
import PluginKit
import Workbench

/// `rutter test`
struct TestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Rerun notebooks in parallel and compare their output.")

    @Argument(help: "Notebooks, or folders that are searched for them (default: the current folder).")
    var paths: [String] = []

    @Flag(help: "Rewrite the cells that differ; rejected if CI is set.")
    var update = false

    @Option(help: "Number of worker processes.")
    var jobs: Int?

    @Option(help: "Run only notebooks whose path or title contains this text.")
    var filter: String?

    @Flag(name: .customLong("skip-plain"), help: "Pass over named Markdown files that have no cell.")
    var skipsPlain = false

    @Option(help: "Write a JUnit report.")
    var junit: String?

    @Flag(help: "Print TAP.")
    var tap = false

    @Option(help: "Print lines that mark failures in the notebooks' text: github.")
    var annotations: TestOptions.Annotations?

    @Flag(help: "Run notebooks again when they change, until Ctrl-C.")
    var watch = false

    @Option(help: "Folder of data files that are not beside a notebook.")
    var data: String?

    @Flag(name: .customLong("no-skip"), help: "Fail notebooks whose data or plugins are missing.")
    var noSkip = false

    @Flag(help: "List commands, options and error codes that no notebook uses.")
    var coverage = false

    @Flag(name: .customLong("fail-fast"), help: "Stop after the first notebook that fails.")
    var failFast = false

    @Flag(help: "Run only the notebooks that failed in the last run.")
    var failed = false

    @Option(
        name: .customLong("repeat"), help: "Run each notebook N times, to find those that do not always pass."
    )
    var repetitions = 1

    @Option(help: "List the N slowest cells.")
    var slowest = 0

    @Option(help: "Run part I of N of the notebooks, written I/N: the same split on every machine.")
    var shard: String?

    @Option(help: "Megabytes of address space of a worker.")
    var memory = 4096

    @OptionGroup var allowances: AllowanceOptions

    func validate() throws {
        if let shard, Self.parts(of: shard) == nil {
            throw ValidationError("--shard is I/N, such as 1/3, not \(shard)")
        }
        if memory < 512 { throw ValidationError("--memory must be at least 512, not \(memory)") }
    }

    private static func parts(of shard: String) -> (index: Int, count: Int)? {
        let numbers = shard.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let index = numbers[0], let count = numbers[1] else { return nil }
        return (index, count)
    }

    func run() async throws {
        let worker = Notebooks.WorkerCommand(
            executable: Self.executable,
            arguments: ["worker", "--memory", String(memory)] + allowances.asArguments)
        let display = ProgressDisplay()
        let run = TestRun(options: testOptions, worker: worker, surroundings: surroundings(display))
        let task = Task { await run.run() }
        // Also on SIGTERM: workers and their folders are cleaned up.
        let monitor = try InterruptMonitor([SIGINT, SIGTERM, SIGHUP]) { task.cancel() }
        let status = await task.value
        monitor.stop()
        display.end()
        if status != 0 { throw ExitCode(status) }
    }

    private var testOptions: TestOptions {
        var options = TestOptions()
        options.paths = paths
        options.update = update
        if let jobs { options.jobs = jobs }
        options.filter = filter
        options.skipsPlain = skipsPlain
        options.junit = junit.map { URL(fileURLWithPath: $0) }
        options.tap = tap
        options.annotations = annotations
        options.watch = watch
        options.dataFolder = data.map { URL(fileURLWithPath: $0, isDirectory: true) }
        options.noSkip = noSkip
        options.coverage = coverage
        options.failFast = failFast
        options.failed = failed
        options.repetitions = repetitions
        options.slowest = slowest
        options.shard = shard.flatMap(Self.parts)
        options.recordFolder = URL(
            fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        return options
    }

    private func surroundings(_ display: ProgressDisplay) -> TestRun.Surroundings {
        let isTerminal = LineEditor.isTerminal
        return TestRun.Surroundings(
            print: {
                display.wipe()
                Output.print(TerminalText.lines($0))
            },
            confirm: isTerminal ? { @Sendable question in Self.confirm(question) } : nil,
            progress: { progress in
                guard let progress else { return display.end() }
                if progress.done == 0 { display.begin() }
                display.reporter.report("running notebooks", done: progress.done, of: progress.total)
            })
    }

    private static func confirm(_ question: String) -> Bool {
        if let problem = Output.write("\(question) [y/N] ") { Output.fail(problem) }
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }

    /// This program, to start workers with.
    static var executable: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
    }
}

extension TestOptions.Annotations: ExpressibleByArgument {}

/// `rutter worker`: runs notebooks for `rutter test`, by a protocol on its standard input and output.
struct NotebookWorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Serve `rutter test`.", shouldDisplay: false)

    @OptionGroup var allowances: AllowanceOptions

    @Option(help: "Megabytes of address space.")
    var memory: Int?

    func run() async throws {
        if let memory { Self.limitMemory(megabytes: memory) }
        let factory = WorkbenchSessionFactory(
            allowances: allowances.allowances, log: StandardErrorLog.logger(.text), plugins: builtInPlugins)
        await NotebookWorker.serve(factory: factory)
    }

    /// A notebook that exceeds the limit fails at its cell, instead of exhausting the machine's memory.
    private static func limitMemory(megabytes: Int) {
        var limit = rlimit()
        limit.rlim_cur = rlim_t(megabytes) << 20
        limit.rlim_max = rlim_t(megabytes) << 20
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    }
}
