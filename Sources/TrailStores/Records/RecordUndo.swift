import Core
import PluginKit

/// A store of records that can be removed and restored.
public protocol RecordStore: Sendable {
    /// What it keeps.
    associatedtype Record: TitledRecord
    /// Removes records, all or none. With `onlyUnchanged` they must equal the given values.
    func remove(_ records: [Record], onlyUnchanged: Bool) throws(RutterError) -> RecordRemoval<Record>
    /// Restores removed rows, all or none. Returns `false` if one of them exists.
    func restore(_ rows: [StoredRow]) throws(RutterError) -> Bool
}

/// A record as a sentence names it.
public protocol TitledRecord: Sendable {
    /// Its kind, such as `waypoint`.
    static var noun: String { get }
    /// Its name, or its short identifier if it has none.
    var shownName: String { get }
}

extension TitledRecord {
    /// Kind and name, such as `waypoint Summit`.
    public var title: String { "\(Self.noun) \(shownName)" }
}

extension WaypointStore: RecordStore {}
extension HikeStore: RecordStore {}

extension Waypoint: TitledRecord {
    /// Waypoints.
    public static let noun = "waypoint"
    /// Its label, or its short identifier.
    public var shownName: String { name }
}

extension Hike: TitledRecord {
    /// Hikes.
    public static let noun = "hike"
    /// Its name, or its short identifier.
    public var shownName: String { displayName }
}

/// Records how changes of a store's records are taken back. Each undo first checks that nothing changed since.
public struct RecordUndo<Store: RecordStore>: Sendable {
    private let store: Store
    private let journal: Journal
    private let changed: ErrorKind

    /// The undo of changes of a store; `changed` is the error for what another session changed.
    public init(_ store: Store, in journal: Journal, changed: ErrorKind) {
        (self.store, self.journal, self.changed) = (store, journal, changed)
    }

    /// Records that were added.
    public func added(_ records: [Store.Record]) {
        journal.record("added \(words(records))") { try take(records) }
    }

    /// An edited record; `revert` writes the state before and says whether it was unchanged.
    public func edited(_ record: Store.Record, _ revert: @escaping @Sendable () throws -> Bool) {
        journal.record("edited \(record.title)") {
            guard try revert() else { throw changedSince(record) }
        }
    }

    /// Records that were deleted, with their rows.
    public func deleted(_ records: [Store.Record], _ rows: [StoredRow]) {
        journal.record("deleted \(words(records))") {
            guard try store.restore(rows) else {
                throw changed("\(words(records)): already restored by another session")
            }
        }
    }

    /// Records that stand in the place of others, such as the parts of a hike, with the rows of those before them.
    public func replaced(_ what: String, by records: [Store.Record], _ rows: [StoredRow]) {
        journal.record(what) {
            try take(records)
            guard try store.restore(rows) else { throw records.first.map(changedSince) ?? changed(what) }
        }
    }

    private func take(_ records: [Store.Record]) throws {
        if case .changed(let record) = try store.remove(records, onlyUnchanged: true) {
            throw changedSince(record)
        }
    }

    private func words(_ records: [Store.Record]) -> String {
        records.count == 1 ? records[0].title : "\(records.count, of: Store.Record.noun)"
    }

    private func changedSince(_ record: Store.Record) -> RutterError {
        changed("\(record.title) was changed by another session")
    }
}
