import Foundation
import TrailStores

/// The rows of the apps' own stores, and the rows that the next commit writes.
final class AppRows {
    private let waypoints: AppTable
    private let hikes: AppTable
    private let routes: AppRoutes
    /// Entries with a planned row.
    private(set) var planned: [RecordEntry] = []
    /// Entries whose row was read in a batch.
    private var prepared: [RecordEntry] = []
    /// Number of the last scan of all rows.
    private var scanNumber = 0

    private var tables: [AppTable] { [waypoints, hikes] }

    init(
        _ folder: URL, device: UInt64, marks: [RecordType: LogPosition],
        willChangeFile: (() throws -> Void)? = nil
    ) throws {
        let waypointStore = try WaypointStore(folder.appendingPathComponent("waypoints.db"), access: .own)
        waypoints = try AppTable(
            .waypoint, table: "waypoints", connection: waypointStore.connection,
            device: device, mark: marks[.waypoint])
        let hikeStore = try HikeStore(folder.appendingPathComponent("routes.db"), access: .own)
        hikes = try AppTable(
            .savedRoute, table: "saved_routes", connection: hikeStore.connection,
            device: device, mark: marks[.savedRoute])
        routes = AppRoutes(
            folder: PlannedRouteFolder(folder.appendingPathComponent("planned_routes")),
            willChange: willChangeFile)
    }

    func table(_ type: RecordType) -> AppTable? {
        switch type {
        case .waypoint: waypoints
        case .savedRoute: hikes
        default: nil
        }
    }

    // MARK: Reading

    /// The current row in the app's store.
    func saved(_ key: RecordKey) throws -> Row? {
        try table(key.type).map { try $0.row(key) } ?? routes.row(key)
    }

    /// Reads the rows of several records together.
    func prepare(_ entries: [RecordEntry]) throws {
        forgetPrepared()
        for table in tables {
            let own = entries.filter { $0.key.type == table.type }
            if own.isEmpty { continue }
            var rest = own.makeIterator()
            try table.rows(own.map(\.key)) { _, row in
                guard let entry = rest.next() else { return }
                entry.row = .some(row)
                prepared.append(entry)
            }
        }
    }

    func forgetPrepared() {
        for entry in prepared { entry.row = nil }
        prepared = []
    }

    func row(_ entry: RecordEntry) throws -> Row? {
        if let plan = entry.plan { return plan.after }
        if let row = entry.row {
            entry.row = nil
            return row
        }
        return try saved(entry.key)
    }

    /// Whether a version can be stored: its type is known, and it has all required fields.
    func canHold(_ version: Version, type: RecordType) -> Bool {
        guard RecordType.known.contains(type), !version.isOpaque else { return false }
        guard !version.isDeleted, let table = table(type) else { return true }
        return table.needed.allSatisfy { version.value($0) != .absent }
    }

    func row(of version: Version, type: RecordType) -> Row? {
        guard let table = table(type) else { return AppRoutes.row(of: version) }
        if version.isDeleted { return nil }
        var next = 0
        return table.columns.map { column in
            // Both are in key order.
            while next < version.fields.count, version.fields[next].key < column.name { next += 1 }
            let isThere = next < version.fields.count && version.fields[next].key == column.name
            return RowField(key: column.name, value: isThere ? version.fields[next].value : .absent)
        }
    }

    func editTime(of row: Row, type: RecordType) -> Int64? {
        let key = type == .plannedRoute ? "modifiedAt" : "modified_at"
        // In a table's rows each column has a fixed index.
        let index = table(type)?.momentIndex ?? row.firstIndex { $0.key == key }
        guard let index, row.indices.contains(index), row[index].key == key,
            case .text(let text) = row[index].value
        else { return nil }
        return SyncTime.milliseconds(text)
    }

    // MARK: Finding changes

    /// The records whose row may differ from their state, including those with an intent or waiting for a
    /// retry. If a table's log is complete, only the rows named there are read.
    func changes(_ states: StateCache, _ intents: IntentList) throws -> [RecordKey] {
        forgetPrepared()
        scanNumber += 1
        try states.loadWaiting()
        var found = Set(intents.keys)
        for entry in states.loaded where entry.state?.parked == .exhausted { found.insert(entry.key) }
        for table in tables {
            if let names = try table.loggedChanges() {
                let keys = names.map { RecordKey(type: table.type, name: $0) }
                try states.load(keys)
                try table.rows(keys) { key, row in
                    let entry = try states.entry(key)
                    if let row { scan(entry, row, isExact: true, intents, &found) }
                    if row == nil, isMissing(entry) { found.insert(key) }
                }
                continue
            }
            states.reserve(try table.count())
            try states.load(table.type)
            var withBlobs: [RecordKey] = []
            try table.all { key, row in
                scan(try states.entry(key), row, isExact: false, intents, &found)
                if row.contains(where: { $0.value.blob != nil }), !found.contains(key) {
                    withBlobs.append(key)
                }
            }
            // Blobs of equal size may have different content.
            try table.rows(withBlobs) { key, row in
                if let row, let state = try states.entry(key).state,
                    Self.differs(row, state.local, isExact: true)
                {
                    found.insert(key)
                }
            }
            findMissing(table.type, states, &found)
        }
        try states.load(.plannedRoute)
        try routes.all { scan(try states.entry($0), $1, isExact: true, intents, &found) }
        findMissing(.plannedRoute, states, &found)
        return found.sorted()
    }

    private func scan(
        _ entry: RecordEntry, _ row: Row, isExact: Bool, _ intents: IntentList, _ found: inout Set<RecordKey>
    ) {
        if entry.scan == scanNumber { return }
        entry.scan = scanNumber
        let isIntended = intents.has(entry.key)
        if !isIntended, let state = entry.state, state.parked != .exhausted,
            !Self.differs(row, state.local, isExact: isExact)
        {
            return
        }
        found.insert(entry.key)
        // Rows that may have been written in the meantime are read again.
        if !isIntended, row.allSatisfy({ $0.value.blob == nil }) {
            entry.row = .some(row)
            prepared.append(entry)
        }
    }

    private func isMissing(_ entry: RecordEntry) -> Bool { entry.state?.local.isDeleted == false }

    /// Finds records of a type whose expected row was not seen.
    private func findMissing(_ type: RecordType, _ states: StateCache, _ found: inout Set<RecordKey>) {
        for entry in states.loaded
        where entry.key.type == type && entry.scan != scanNumber && isMissing(entry) {
            found.insert(entry.key)
        }
    }

    /// Blobs without a digest are compared by size; they are read if another field shows a change.
    private static func differs(_ row: Row, _ version: Version, isExact: Bool) -> Bool {
        if version.isDeleted { return true }
        for field in row {
            let held = version.value(field.key)
            if !isExact, case .blob(let mine) = field.value, case .blob(let theirs) = held {
                if mine.size != theirs.size { return true }
            } else if held != field.value {
                return true
            }
        }
        return false
    }

    // MARK: Writing

    func plan(_ entry: RecordEntry, before: Row?, after: Row?) {
        if entry.plan == nil { planned.append(entry) }
        entry.plan = AppTable.Plan(
            key: entry.key, before: entry.plan.map(\.before) ?? before, after: after)
    }

    /// Whether a scan is not yet recorded as complete.
    var hasUnrecordedScan: Bool { tables.contains(where: \.log.isDue) }

    /// The log positions for a commit, for the tables that it writes. `isWholeScan` means that all findings
    /// of the last scan are durable with it.
    func nextMarks(commit: Int64, isWholeScan: Bool) throws -> [RecordType: NextLogPosition] {
        var marks: [RecordType: NextLogPosition] = [:]
        for table in tables {
            let isDue = isWholeScan && table.log.isDue
            guard isDue || planned.contains(where: { $0.key.type == table.type }) else { continue }
            marks[table.type] = NextLogPosition(
                mark: try table.nextMark(commit: commit, isDue: isDue), isDue: isDue)
        }
        return marks
    }

    /// Writes the planned rows and log positions. Returns the records whose row was written.
    func write(
        commit: Int64, _ marks: [RecordType: NextLogPosition], content: (BlobReference) throws -> BlobCell?
    ) throws -> [RecordKey] {
        let plans = planned.compactMap(\.plan)
        var done: [RecordKey] = []
        for table in tables {
            guard let mark = marks[table.type] else { continue }
            let own = plans.filter { $0.key.type == table.type }
            done += try table.write(own, commit: commit, mark, content: content)
        }
        for plan in plans where plan.key.type == .plannedRoute {
            try routes.write(plan.key, before: plan.before, after: plan.after)
            if try routes.row(plan.key) == plan.after { done.append(plan.key) }
        }
        for entry in planned { entry.plan = nil }
        planned = []
        return done
    }

    /// Writes a row at once, as the user would.
    func userWrites(_ plan: AppTable.Plan, content: (BlobReference) throws -> BlobCell?) throws {
        guard let table = table(plan.key.type) else {
            return try routes.write(plan.key, before: plan.before, after: plan.after)
        }
        try table.userWrites(plan, content: content)
    }
}
