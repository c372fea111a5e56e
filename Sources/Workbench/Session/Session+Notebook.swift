import CivilTime
import Foundation
import Notebooks
import PluginKit

extension Session {
    /// The session from an entry on as a notebook, and how many entries it has.
    func notebook(title: String, from first: Int) throws -> (text: String, entries: Int) {
        let kept = transcript.dropFirst(first - 1).filter { !$0.input.hasPrefix("notebook save") }
        let text = NotebookWriter.text(
            title: title, settings: notebookSettings(data: inputFiles), transcript: withClock(kept))
        return (text, kept.count)
    }

    /// The session so far, with entries that set the clock where one was asked.
    func recordedEntries() -> [Notebooks.TranscriptEntry] { withClock(transcript[...]) }

    /// Entries as a notebook that names its data.
    func notebook(title: String, entries: [SessionEntry], data: [String]) -> String {
        NotebookWriter.text(
            title: title, settings: notebookSettings(data: data),
            transcript: entries.map { .init(input: $0.input, output: $0.output, failed: $0.failed) })
    }

    private func withClock(_ kept: some Sequence<TranscriptEntry>) -> [Notebooks.TranscriptEntry] {
        kept.flatMap { entry -> [Notebooks.TranscriptEntry] in
            let own = Notebooks.TranscriptEntry(
                input: entry.input, output: entry.output, failed: entry.failed)
            guard let time = entry.time else { return [own] }
            return [.init(input: "clock \(ISO8601.text(time))", output: shownTime(time)), own]
        }
    }

    private func shownTime(_ time: Timestamp) -> String { ValueText.date(time, environment.timeZone) }

    /// The settings under which the entries give the same again.
    private func notebookSettings(data: [String]) -> NotebookSettings {
        var settings = NotebookSettings()
        let start = configuration.environment
        settings.seed = configuration.seed
        settings.clock = Date(timeIntervalSince1970: startTime.seconds)
        settings.timezone = start.timeZone.identifier == "GMT" ? "UTC" : start.timeZone.identifier
        settings.width = start.width
        settings.units = start.units == .imperial ? .imperial : .metric
        settings.data = data.map { NotebookSettings.DataFile(file: $0) }
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
