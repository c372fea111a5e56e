import PluginKit
import TrailStores

extension HikeStore {
    /// The undo of changes by a command.
    func undo(in context: Context) -> RecordUndo<HikeStore> {
        RecordUndo(self, in: context.journal, changed: HikeErrors.changedSince)
    }
}
