import PluginKit
import TrailStores

extension WaypointStore {
    /// The undo of changes by a command.
    func undo(in context: Context) -> RecordUndo<WaypointStore> {
        RecordUndo(self, in: context.journal, changed: WaypointErrors.changedSince)
    }
}
