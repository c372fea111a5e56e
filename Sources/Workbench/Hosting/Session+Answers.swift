import PluginKit

extension Session {
    /// Runs a reader's answer to an exercise: it can use the session's variables and files, cannot change a
    /// store or a file, and its own variables are discarded.
    nonisolated func answer(_ entry: String) async -> EntryResult {
        let before = await beginAnswer()
        let result = await PipelineLimit.$reason.withValue(.answer(Self.sessionCommands)) {
            await PipelineLimit.$effect.withValue(.reads) { await run(entry, recorded: false) }
        }
        await endAnswer(before)
        return result
    }

    private struct Before: Sendable {
        let variables: [String: Value]
        let settings: [String: Value]
        let savedState: SavedState
    }

    private func beginAnswer() -> Before {
        let before = Before(variables: variables, settings: pluginSettings, savedState: savedState)
        if files.writable != nil { files.writable = [] }
        return before
    }

    private func endAnswer(_ before: Before) {
        leave(to: before.savedState)
        variables = before.variables
        pluginSettings = before.settings
    }
}
