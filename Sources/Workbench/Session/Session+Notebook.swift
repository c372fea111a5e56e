import CivilTime
import Foundation
import Notebooks
import PluginKit

extension Session {
    /// The session from an entry on as a notebook, and how many entries it has.
    func notebook(title: String, from first: Int) throws -> (text: String, entries: Int) {
        var entries: [Notebooks.TranscriptEntry] = []
        var count = 0
        for entry in transcript.dropFirst(first - 1) where !entry.input.hasPrefix("notebook save") {
            if let time = entry.time {
                let text = ISO8601.text(time)
                entries.append(.init(input: "clock \(text)", output: shownTime(time)))
            }
            entries.append(.init(input: entry.input, output: entry.output, failed: entry.failed))
            count += 1
        }
        return (NotebookWriter.text(title: title, settings: notebookSettings, transcript: entries), count)
    }

    private func shownTime(_ time: Timestamp) -> String { ValueText.date(time, environment.timeZone) }

    /// The settings under which the entries give the same again.
    private var notebookSettings: NotebookSettings {
        var settings = NotebookSettings()
        let start = configuration.environment
        settings.seed = configuration.seed
        settings.clock = Date(timeIntervalSince1970: startTime.seconds)
        settings.timezone = start.timeZone.identifier == "GMT" ? "UTC" : start.timeZone.identifier
        settings.width = start.width
        settings.units = start.units == .imperial ? .imperial : .metric
        settings.data = inputFiles.map { NotebookSettings.DataFile(file: $0) }
        return settings
    }

    /// The files that were read, by the names they have in the entries. Those of the workspace are made by the
    /// notebook itself.
    private var inputFiles: [String] {
        let workspace = configuration.workspace.standardizedFileURL.path + "/"
        let output = configuration.files.outputFolder.standardizedFileURL.path + "/"
        let isConfined = configuration.files.writable != nil
        return configuration.files.log.all.compactMap { name, url in
            let path = url.standardizedFileURL.path
            if path.hasPrefix(workspace) || (isConfined && path.hasPrefix(output)) { return nil }
            return name
        }
    }

    /// Makes sessions like this one for `notebook test`.
    func factoryForTests() throws -> WorkbenchSessionFactory {
        let makers = pluginMakers
        return WorkbenchSessionFactory(log: configuration.log, plugins: makers)
    }
}
