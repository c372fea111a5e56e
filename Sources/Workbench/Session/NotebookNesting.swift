import CivilTime
import Foundation
import Notebooks
import PluginKit

/// The notebooks that run one inside the other: cells of a notebook may run another one, but none runs itself.
public struct NotebookNesting: Sendable {
    /// How many may run one inside the other.
    public static let deepest = 8

    /// Their real paths, the outermost first.
    private var running: [String] = []

    /// None runs.
    public init() {}

    /// With one more notebook. Throws `E-NOTEBOOK-RECURSION` when it is already running, or the nesting is too deep.
    public func entering(_ file: URL) throws(NotebookError) -> NotebookNesting {
        let path = file.resolvingSymlinksInPath().standardizedFileURL.path
        let name = file.lastPathComponent
        if running.contains(path) {
            throw NotebookError(
                .recursion, "\(name) is already running", suggestion: "remove the cell"
            )
        }
        if running.count >= Self.deepest {
            throw NotebookError(
                .recursion, "\(name) exceeds \(Self.deepest) levels of nested notebooks")
        }
        var inner = self
        inner.running.append(path)
        return inner
    }
}

extension Session {
    /// What holds again when a notebook's cells have run.
    struct Surroundings: Sendable {
        fileprivate let files: FileAccess
        fileprivate let nesting: NotebookNesting
        fileprivate let environment: PluginKit.Environment
        fileprivate let clock: SessionClock.Reading
        fileprivate let random: Xoshiro256
        let lendsScreen: Bool
    }

    /// What holds at present.
    var surroundings: Surroundings {
        Surroundings(
            files: files, nesting: nesting, environment: environment, clock: configuration.clock.reading,
            random: random.present, lendsScreen: lendsScreen)
    }

    /// From here on cells of a notebook run: they get its files and no others. Gives what `leave(to:)` restores.
    /// The plugins that it lists are loaded. And they run under the notebook's settings: seed, clock, zone, units and width, without colour and terminal.
    func enter(
        notebook: URL, settings: NotebookSettings, dataFiles: [String: URL], allowsPlugins: Bool
    ) throws -> Surroundings {
        let outer = surroundings
        let inner = try nesting.entering(notebook)
        var allowed = try confined(to: notebook.absoluteURL.deletingLastPathComponent(), dataFiles)
        if !allowsPlugins { allowed.pluginFolders = nil }
        if let wanted = settings.plugins { try catalog.require(wanted, allowed) }
        files = allowed
        nesting = inner
        environment = WorkbenchSessionFactory.environment(of: settings)
        environment.rowLimit = outer.environment.rowLimit
        configuration.clock.set(
            Timestamp(seconds: settings.clock.timeIntervalSince1970) ?? Timestamp(milliseconds: 0))
        random.reseed(settings.seed)
        lendsScreen = false
        return outer
    }

    /// The notebook's cells, or an entry that may change nothing, have run.
    func leave(to outer: Surroundings) {
        files = outer.files
        nesting = outer.nesting
        environment = outer.environment
        configuration.clock.restore(outer.clock)
        random.restore(outer.random)
        lendsScreen = outer.lendsScreen
    }

    /// The files that cells of a notebook may use. A session that is confined already stays within its own limits.
    private func confined(to folder: URL, _ dataFiles: [String: URL]) throws -> FileAccess {
        var inner = files
        inner.named = dataFiles
        if files.readable != nil {
            inner.searchFolders = [files.outputFolder, folder]
            return inner
        }
        let output = configuration.workspace.appendingPathComponent("files", isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        } catch {
            throw CommonErrors.workspace("the folder \(output.path) cannot be created")
        }
        inner.searchFolders = [output, folder]
        inner.readable = [output, folder] + dataFiles.values
        inner.writable = [output]
        inner.outputFolder = output
        inner.allowsNetwork = false
        return inner
    }
}
