import CivilTime
import Foundation
import Notebooks
import PluginKit

/// The stack of running notebooks: cells may run another notebook, but not one that is already running.
public struct NotebookNesting: Sendable {
    /// Maximum number of nested notebooks.
    public static let deepest = 8

    /// Their real paths, the outermost first.
    private var running: [String] = []

    /// No running notebook.
    public init() {}

    /// The number of running notebooks.
    var depth: Int { running.count }

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
    /// The state to restore after a notebook's cells have run.
    struct SavedState: Sendable {
        fileprivate let files: FileAccess
        fileprivate let nesting: NotebookNesting
        fileprivate let environment: PluginKit.Environment
        fileprivate let clock: SessionClock.Reading
        fileprivate let random: Xoshiro256
        let allowsScreen: Bool
    }

    /// The current state.
    var savedState: SavedState {
        SavedState(
            files: files, nesting: nesting, environment: environment, clock: configuration.clock.reading,
            random: random.present, allowsScreen: allowsScreen)
    }

    /// Begins a notebook's cells: restricts files to the notebook's, loads the plugins that it lists, and
    /// applies its settings: seed, clock, zone, units and width, without colour and terminal. Returns the
    /// state for `leave(to:)`.
    func enter(
        notebook: URL, settings: NotebookSettings, dataFiles: [String: URL], allowsPlugins: Bool
    ) throws -> SavedState {
        let outer = savedState
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
        allowsScreen = false
        return outer
    }

    /// Ends a notebook's cells, or a read-only entry.
    func leave(to outer: SavedState) {
        files = outer.files
        nesting = outer.nesting
        environment = outer.environment
        configuration.clock.restore(outer.clock)
        random.restore(outer.random)
        allowsScreen = outer.allowsScreen
    }

    /// The files that cells of a notebook may use. A confined session keeps its own limits.
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
