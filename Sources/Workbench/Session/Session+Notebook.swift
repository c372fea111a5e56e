import CivilTime
import Foundation
import Notebooks
import PluginKit

extension Session {
    /// A session as a notebook.
    struct SavedNotebook: Sendable {
        /// The notebook.
        let text: String
        /// How many entries are compared.
        let entries: Int
        /// How many earlier entries run first, to restore variables, stores and identifiers.
        let preparing: Int
        /// Why a rerun may differ, a sentence each.
        let warnings: [String]
    }

    /// The session as a notebook that compares the entries from `first` on, counted from 1. Throws
    /// `E-NOTEBOOK-NOENTRY` when there are no such entries. `folder` is where it is saved.
    func notebook(
        title: String, in folder: URL, from first: Int, check: () throws -> Void
    ) throws -> SavedNotebook {
        var entries: [Notebooks.TranscriptEntry] = []
        var (count, preparing, unknown) = (0, 0, 0)
        let stopped = transcript.count { $0.wasStopped }
        let personal = transcript.count { Self.isPersonal($0.input) }
        // `history` counts the entries of a rerun, to which the times of the clock are added.
        var isRenumbered = stopped + personal > 0
        let paths = NotebookPaths(inputFiles, folder: folder)
        for (index, entry) in transcript.enumerated()
        where !entry.input.hasPrefix("notebook save") && !entry.wasStopped && !Self.isPersonal(entry.input) {
            let isCompared = index + 1 >= first
            if let time = entry.time {
                let text = ISO8601.text(time)
                entries.append(
                    .init(
                        input: "clock \(text)", output: shownTime(time, entry.timeZone),
                        isCompared: isCompared))
                isRenumbered = true
            }
            let input = paths.relative(entry.input)
            // The error of an entry with another path underlines another place.
            let counts = isRenumbered && entry.input.contains("history")
            let output =
                entry.failed && input != entry.input || counts ? nil : entry.output.map(paths.relative)
            if output == nil { unknown += 1 }
            entries.append(
                .init(
                    input: input, output: output ?? "", failed: entry.failed,
                    isCompared: isCompared && output != nil))
            if isCompared { count += 1 } else { preparing += 1 }
        }
        guard count > 0 else {
            let all = transcript.count
            throw NotebookErrors.nothingToSave(
                all == 0
                    ? "the session has no entries yet"
                    : "the session has \(all, of: "entry", plural: "entries")",
                at: first > 1 ? .parameter("from") : .none,
                fix: all == 0 ? "run something first" : "`history` numbers them")
        }
        var warnings: [String] = []
        if firstState?.isEmpty == false {
            warnings.append(
                "the workspace was not empty at the start of the session; a rerun starts with an empty one and may differ"
            )
        }
        if unknown > 0 {
            warnings.append(
                "the output of \(unknown, of: "entry", plural: "entries") went to a pipe, names a file elsewhere or counts the entries, and is not compared"
            )
        }
        if stopped > 0 {
            warnings.append(
                "\(stopped, of: "entry that was stopped is", plural: "entries that were stopped are") left out"
            )
        }
        if personal > 0 {
            warnings.append(
                "\(personal, of: "entry about your settings is", plural: "entries about your settings are") left out"
            )
        }
        warnings += paths.warnings
        let settings = try notebookSettings(in: folder, paths, check)
        let text = NotebookWriter.text(title: title, settings: settings, transcript: entries)
        return SavedNotebook(text: text, entries: count, preparing: preparing, warnings: warnings)
    }

    /// The session so far, with entries that set the clock before each clock reading.
    func recordedEntries() -> [SessionEntry] {
        transcript.flatMap { entry -> [SessionEntry] in
            let own = SessionEntry(
                input: entry.input, output: entry.output ?? "", failed: entry.failed)
            guard let time = entry.time else { return [own] }
            let clock = SessionEntry(
                input: "clock \(ISO8601.text(time))", output: shownTime(time, entry.timeZone), failed: false)
            return [clock, own]
        }
    }

    /// Entries as a notebook that names its data.
    func notebook(title: String, entries: [SessionEntry], data: [String]) -> String {
        var settings = startSettings
        settings.data = data.map { NotebookSettings.DataFile(file: $0) }
        return NotebookWriter.text(
            title: title, settings: settings,
            transcript: entries.map { .init(input: $0.input, output: $0.output, failed: $0.failed) })
    }

    private func shownTime(_ time: Timestamp, _ zone: TimeZone) -> String { ValueText.date(time, zone) }

    /// Whether an entry is about the files of a user, which a rerun does not have.
    private static func isPersonal(_ entry: String) -> Bool { entry.hasPrefix("config ") }

    /// The workspace's content when the session began, and whether it is unchanged.
    func firstStores() -> [FirstStore] {
        firstState?.compared(with: WorkspaceState(configuration.workspace)) ?? []
    }

    /// The settings under which the entries produce the same output.
    private func notebookSettings(
        in folder: URL, _ paths: NotebookPaths, _ check: () throws -> Void
    ) throws -> NotebookSettings {
        var settings = startSettings
        let data = inputFiles.filter { !$0.isProgram }
        if !data.isEmpty { try NativeLibrary.crypto.require() }
        settings.data = try data.map { file in
            try check()
            return NotebookSettings.DataFile(
                file: paths.relative(file.name), sha256: InputData.sha256(of: file.url))
        }
        // A plugin that an entry names by its folder is also listed in the front matter, because a notebook
        // cannot read other folders than its own.
        let isHere = folder.standardizedFileURL == configuration.files.outputFolder.standardizedFileURL
        let programs = inputFiles.filter(\.isProgram).map { isHere ? $0.name : $0.url.path }
        if !programs.isEmpty { settings.plugins = (settings.plugins ?? []) + programs }
        return settings
    }

    /// The settings without the files.
    private var startSettings: NotebookSettings {
        var settings = NotebookSettings()
        let start = configuration.environment
        settings.seed = configuration.seed
        settings.clock = Date(timeIntervalSince1970: startTime.seconds)
        settings.timezone = start.timeZone.displayName
        settings.width = start.width
        settings.units = start.units == .imperial ? .imperial : .metric
        let used = usedExtensions
        if !used.isEmpty {
            settings.plugins = used.compactMap(\.reference)
            settings.pluginVersions = used.map { "\($0.name) \($0.version)" }
        }
        return settings
    }

    /// The external plugins whose commands ran.
    private var usedExtensions: [CommandExtension] {
        catalog.extensions.filter { $0.commands.contains { usage.commands.contains($0.spec.name) } }
    }

    /// The files that were read, by the names used in the entries. Workspace files are created by the
    /// notebook itself.
    private var inputFiles: [InputLog.Input] {
        let workspace = configuration.workspace.standardizedFileURL.path + "/"
        let output = configuration.files.outputFolder.standardizedFileURL.path + "/"
        let isConfined = configuration.files.writable != nil
        return configuration.files.log.all.filter { file in
            let path = file.url.standardizedFileURL.path
            return !path.hasPrefix(workspace) && !(isConfined && path.hasPrefix(output))
        }
    }

    /// Creates sessions like this one for `notebook test`.
    func factoryForTests(allowsPlugins: Bool) -> WorkbenchSessionFactory {
        var allowances = WorkbenchSessionFactory.Allowances()
        if allowsPlugins { allowances.pluginFolders = files.pluginFolders }
        return WorkbenchSessionFactory(
            allowances: allowances, nesting: nesting, log: configuration.log, plugins: pluginMakers)
    }
}
