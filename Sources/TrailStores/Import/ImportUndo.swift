import Formats
import Foundation
import PluginKit

/// What an import added, and how it is taken back: all of it or nothing.
struct ImportUndo: Sendable {
    /// Removes added objects, and returns an action that restores them.
    private typealias Reversal = @Sendable () throws -> @Sendable () throws -> Void

    private var steps: [Reversal] = []
    private var hikes = 0
    private var routes = 0
    private var waypoints = 0

    /// Number of added objects.
    var count: Int { hikes + routes + waypoints }

    /// What was added, such as `1 hike, 2 waypoints`.
    static func words(_ hikes: Int, _ routes: Int, _ waypoints: Int) -> String {
        [(hikes, "hike"), (routes, "planned route"), (waypoints, "waypoint")].filter { $0.0 > 0 }
            .map { "\($0.0, of: $0.1)" }.joined(separator: ", ")
    }

    /// Records the undo, if anything was added.
    func record(in journal: Journal) {
        guard count > 0 else { return }
        let undo = self
        journal.record("imported \(Self.words(hikes, routes, waypoints))") { try undo.revert() }
    }

    /// Reverts all steps, the last first; if one fails, those already reverted are restored. Throws `E-IMPORT-CHANGED`
    /// for what was changed since.
    func revert() throws {
        var restores: [@Sendable () throws -> Void] = []
        do {
            for step in steps.reversed() { restores.append(try step()) }
        } catch {
            // The first error is the one to report.
            for restore in restores.reversed() { try? restore() }
            throw error
        }
    }

    /// Reverts what was added since an earlier state.
    mutating func revert(to before: ImportUndo) throws {
        var further = ImportUndo()
        further.steps = Array(steps.dropFirst(before.steps.count))
        self = before
        try further.revert()
    }

    private static func removal<S: RecordStore>(of records: [S.Record], from store: S) -> Reversal {
        {
            switch try store.remove(records, onlyUnchanged: true) {
            case .removed(let rows): return { _ = try store.restore(rows) }
            case .changed(let record):
                throw ImportErrors.changed("\(record.title) was changed by another session")
            }
        }
    }

    mutating func added(_ hikes: [Hike], to store: HikeStore) {
        self.hikes += hikes.count
        steps.append(Self.removal(of: hikes, from: store))
    }

    /// Puts another hike with its recording in the place of one that was added.
    mutating func replace(
        _ before: Hike, by after: Hike, _ recording: Recording, in store: HikeStore
    ) throws {
        guard case .removed(let rows) = try store.remove([before], onlyUnchanged: true) else { return }
        try store.insertAll([(hike: after, recording: recording)])
        steps.append {
            guard case .removed(let new) = try store.remove([after], onlyUnchanged: true) else {
                throw ImportErrors.changed("\(after.title) was changed by another session")
            }
            _ = try store.restore(rows)
            return {
                _ = try store.remove([before])
                _ = try store.restore(new)
            }
        }
    }

    mutating func added(_ waypoints: [Waypoint], to store: WaypointStore) {
        self.waypoints += waypoints.count
        steps.append(Self.removal(of: waypoints, from: store))
    }

    /// Links of waypoints that were there before; those changed in the meantime keep the change and the link.
    mutating func linked(_ changes: [WaypointLinks.Change], in store: WaypointStore) {
        guard !changes.isEmpty else { return }
        steps.append {
            _ = try store.updateAll(changes.map { ($0.after, $0.before) })
            return { _ = try store.updateAll(changes.map { ($0.before, $0.after) }) }
        }
    }

    /// Whether the file of a route is as it was written, but for the name of its record in the cloud, which a sync writes.
    private static func isUnchanged(_ present: Data, _ written: Data) -> Bool {
        if present == written { return true }
        guard var now = try? JSONTree(parsing: present), var before = try? JSONTree(parsing: written) else {
            return false
        }
        now[PlannedRouteJSON.recordKey] = nil
        before[PlannedRouteJSON.recordKey] = nil
        return now.sorted == before.sorted
    }

    mutating func added(_ route: PlannedRoute, to folder: PlannedRouteFolder) {
        routes += 1
        steps.append {
            guard let file = try folder.file(of: route.id),
                Self.isUnchanged(try Data(contentsOf: file), PlannedRouteJSON.data(route))
            else {
                throw ImportErrors.changed("route \(route.name) was changed by another session")
            }
            let data = try folder.delete(route.id)
            return { try folder.restore(data, of: route.id) }
        }
    }
}
