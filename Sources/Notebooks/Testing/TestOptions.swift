import Foundation

/// The arguments of `rutter test`.
public struct TestOptions: Sendable {
    /// Notebooks, and folders that are searched for them; the current folder by default.
    public var paths: [String] = []
    /// Rewrites the cells that differ.
    public var update = false
    /// The number of workers; by default one per processor.
    public var jobs = ProcessInfo.processInfo.activeProcessorCount
    /// Runs only notebooks whose path or title contains this text.
    public var filter: String?
    /// Whether named files without a cell are listed, as those of folders are, and do not fail.
    public var skipsPlain = false
    /// Writes a JUnit report.
    public var junit: URL?
    /// Prints TAP instead of text.
    public var tap = false
    /// Prints, after the report of a notebook, lines by which a service marks the failures in the notebook's text.
    public var annotations: Annotations?
    /// Runs notebooks again when they change.
    public var watch = false
    /// The folder of input files that are not beside a notebook.
    public var dataFolder: URL?
    /// Fails notebooks with missing requirements.
    public var noSkip = false
    /// Lists commands, options and error codes that no notebook uses.
    public var coverage = false
    /// Stops after the first notebook that fails.
    public var failFast = false
    /// Runs only the notebooks that failed in the last run.
    public var failed = false
    /// How often each notebook runs.
    public var repetitions = 1
    /// How many of the slowest cells are listed.
    public var slowest = 0
    /// Which part of the notebooks runs, such as 2 of 3.
    public var shard: (index: Int, count: Int)?
    /// The folder of `.rutter-test.json`; `nil` for none.
    public var recordFolder: URL?

    /// The format of annotations.
    public enum Annotations: String, Sendable, CaseIterable {
        /// Workflow commands of GitHub Actions.
        case github
    }

    /// The default options.
    public init() {}

    /// Throws for incompatible options.
    func validate(environment: [String: String]) throws(NotebookError) {
        let variable = NotebookLimits.continuousIntegrationVariable
        if update, environment[variable]?.isEmpty == false {
            throw NotebookError(
                .usage, "`--update` is refused while `\(variable)` is set",
                suggestion: "update locally and review the changes before committing")
        }
        if repetitions < 1 {
            throw NotebookError(.usage, "`--repeat` must be at least 1, not \(repetitions)")
        }
        if slowest < 0 { throw NotebookError(.usage, "`--slowest` must be at least 0, not \(slowest)") }
        if let shard, shard.count < 1 || !(1...max(1, shard.count)).contains(shard.index) {
            throw NotebookError(
                .usage, "`--shard` is I/N with I from 1 to N, not \(shard.index)/\(shard.count)")
        }
        if update, repetitions > 1 {
            throw NotebookError(.usage, "`--update` cannot be combined with `--repeat`")
        }
        if jobs < 1 { throw NotebookError(.usage, "`--jobs` must be at least 1, not \(jobs)") }
        if watch, junit != nil || tap || update {
            throw NotebookError(.usage, "`--watch` cannot be combined with `--update`, `--junit` or `--tap`")
        }
        if let dataFolder {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: dataFolder.path, isDirectory: &isFolder),
                isFolder.boolValue
            else { throw NotebookError(.usage, "`--data \(dataFolder.relativePath)` is not a folder") }
        }
    }
}

/// The exit status.
public enum ExitStatus {
    /// Success.
    public static let success: Int32 = 0
    /// A notebook differed.
    public static let failure: Int32 = 1
    /// Usage error.
    public static let usage: Int32 = 2
    /// Ctrl-C.
    public static let interrupted: Int32 = 130
    /// Closed output pipe.
    public static let closedPipe: Int32 = 141
}
