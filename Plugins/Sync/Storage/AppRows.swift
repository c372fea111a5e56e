import Foundation
import PluginKit
import TrailStores

/// The rows of the apps' own stores, and the rows that the next commit writes.
final class AppRows {
    private var usable: [AppTable] = []
    let routes: AppRoutes
    /// What is remembered of the folder of routes, and what this folder is to the device.
    private var routeLineage: StoreLineage?
    let routeStanding: StoreStanding
    /// The mark that the folder has now, if it is one of this device's.
    private var presentRouteMark: StoreMark?
    private let device: Int64
    let folder: URL
    /// Whether the files of the routes were read since their last mark and differ from what was known.
    var hasNewRoutes = false
    /// Stores that are neither sent nor written, with the reasons.
    var questions: [RecordType: StoreQuestion] = [:]
    /// What happened to stores, where it was more than edits.
    var events: [RecordType: StoreEvent] = [:]
    var examined: Set<RecordType> = []
    /// Files of routes that cannot be read.
    private var unreadableRoutes: [RecordKey: String] = [:]
    /// Entries with a planned row.
    private(set) var planned: [RecordEntry] = []
    /// Entries whose row was read in a batch.
    private var prepared: [RecordEntry] = []
    /// Number of the last scan of all rows.
    private var scanNumber = 0

    /// The tables that can be used now.
    private var tables: [AppTable] { usable.filter { questions[$0.type] == nil } }

    init(
        _ folder: URL, device: UInt64, commits: Int64, marks: [RecordType: LogPosition],
        lineages: [RecordType: StoreLineage], willChangeFile: (() throws -> Void)? = nil
    ) throws {
        self.device = Int64(bitPattern: device)
        self.folder = folder
        routes = AppRoutes(
            folder: PlannedRouteFolder(folder.appendingPathComponent("planned_routes")),
            willChange: willChangeFile)
        routeLineage = lineages[.plannedRoute]
        let found = routes.mark()
        routeStanding = StoreStanding(found, routeLineage, device: self.device, commits: commits)
        presentRouteMark = routeStanding.former(found)
        func open(_ type: RecordType, _ table: String, _ store: () throws -> StoreConnection) throws {
            let place = Self.place(type)
            var isFolder: ObjCBool = false
            let path = folder.appendingPathComponent(place).path
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
                questions[type] = StoreQuestion(why: "\(place) is a folder, not a file", isOfDeletion: false)
                return
            }
            // SQLite would put an empty store at the end of the link.
            if let target = DanglingLink.target(of: path) {
                questions[type] = StoreQuestion(
                    why: "\(place) is a link to \(target), which is not there", isOfDeletion: false)
                return
            }
            do {
                usable.append(
                    try AppTable(
                        type, table: table, connection: try store(), device: device, commits: commits,
                        mark: marks[type], lineage: lineages[type]))
            } catch { try setAside(type, error) }
        }
        try open(.waypoint, "waypoints") {
            try WaypointStore(folder.appendingPathComponent("waypoints.db"), access: .own).connection
        }
        try open(.savedRoute, "saved_routes") {
            try HikeStore(folder.appendingPathComponent("routes.db"), access: .own).connection
        }
    }

    /// Errors of a store's content: the other stores go on without it.
    private static let contentErrors: Set<String> = [
        StoreErrors.notADatabase.code, StoreErrors.corrupt.code, StoreErrors.schema.code,
        StoreErrors.other.code, StoreErrors.folder.code,
    ]

    /// Leaves a store alone whose content cannot be used.
    func setAside(_ type: RecordType, _ error: any Error) throws {
        guard let error = error as? RutterError, Self.contentErrors.contains(error.code) else { throw error }
        questions[type] = StoreQuestion(why: error.message, isOfDeletion: false)
    }

    /// The file or folder of a type's store.
    static func place(_ type: RecordType) -> String {
        switch type {
        case .waypoint: "waypoints.db"
        case .savedRoute: "routes.db"
        default: "planned_routes"
        }
    }

    /// The table of a type, unless it cannot be used.
    func table(_ type: RecordType) -> AppTable? {
        questions[type] == nil ? usable.first { $0.type == type } : nil
    }

    private func isTable(_ type: RecordType) -> Bool { type == .waypoint || type == .savedRoute }

    /// The rows and files that have no record.
    func strays() throws -> [StrayRow] {
        try tables.flatMap { try $0.strays() } + (questions[.plannedRoute] == nil ? try routes.strays() : [])
    }

    /// The records whose row cannot be read, with the reasons.
    var unreadable: [RecordKey: String] {
        tables.reduce(into: unreadableRoutes) { $0.merge($1.unreadable) { first, _ in first } }
    }

    // MARK: Reading

    /// The current row in the app's store.
    func saved(_ key: RecordKey) throws -> Row? {
        if questions[key.type] != nil { return nil }
        if isTable(key.type) { return try table(key.type)?.row(key) }
        switch try routes.reading(key) {
        case .row(let row):
            unreadableRoutes[key] = nil
            return row
        case .missing:
            unreadableRoutes[key] = nil
            return nil
        case .unreadable(let why):
            unreadableRoutes[key] = why
            return nil
        }
    }

    /// Why nothing is known of a row.
    func obstacle(_ entry: RecordEntry) throws -> String? {
        let type = entry.key.type
        if let question = questions[type] { return question.why }
        if entry.plan != nil || entry.row != nil || !RecordType.known.contains(type) { return nil }
        // Read once: the caller asks for the row next.
        let row = try saved(entry.key)
        let why = table(type)?.unreadable[entry.key] ?? unreadableRoutes[entry.key]
        if why == nil {
            entry.row = .some(row)
            prepared.append(entry)
        }
        return why
    }

    /// Reads the rows of several records together.
    func prepare(_ entries: [RecordEntry]) throws {
        forgetPrepared()
        for table in tables {
            let own = entries.filter { $0.key.type == table.type }
            if own.isEmpty { continue }
            var rest = own.makeIterator()
            try table.rows(own.map(\.key)) { _, row in
                guard let entry = rest.next(), table.unreadable[entry.key] == nil else { return }
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
        if version.isDeleted { return true }
        return missing(version, type: type).isEmpty
    }

    /// The required fields that a version lacks.
    func missing(_ version: Version, type: RecordType) -> [String] {
        if version.isDeleted { return [] }
        let needed = isTable(type) ? table(type)?.needed ?? [] : AppRoutes.needed
        return needed.filter { version.value($0) == .absent }
    }

    /// Whether a field only has its column's default.
    func isUnset(_ field: RowField, of type: RecordType) -> Bool {
        if field.value == .absent { return true }
        return table(type)?.columns.first { $0.name == field.key }?.unset == field.value
    }

    /// Whether a field holds a value, in the form in which its column stores it.
    func holds(_ field: RowField, _ value: FieldValue, of type: RecordType) -> Bool {
        if field.value == value { return true }
        guard value != .absent, let table = table(type),
            let column = table.columns.first(where: { $0.name == field.key })
        else { return false }
        return table.stored(value, in: column) == field.value
    }

    func row(of version: Version, type: RecordType) -> Row? {
        guard isTable(type) else { return AppRoutes.row(of: version) }
        guard let table = table(type), !version.isDeleted else { return nil }
        var next = 0
        return table.columns.map { column in
            // Both are in key order.
            while next < version.fields.count, version.fields[next].key < column.name { next += 1 }
            let isThere = next < version.fields.count && version.fields[next].key == column.name
            let value = isThere ? version.fields[next].value : .absent
            // A required column has its default if the record has no value.
            return RowField(
                key: column.name,
                value: value == .absent && column.isRequired
                    ? column.unset : table.stored(value, in: column))
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
        for type in RecordType.known { try examine(type, states) }
        for table in tables {
            do { try findChanges(table, states, intents, &found) } catch {
                try setAside(table.type, error)
                found = found.filter { $0.type != table.type }
            }
        }
        if questions[.plannedRoute] == nil {
            do { try findRoutes(states, intents, &found) } catch { try setAside(.plannedRoute, error) }
        }
        return found.filter { questions[$0.type] == nil }.sorted()
    }

    private func findChanges(
        _ table: AppTable, _ states: StateCache, _ intents: IntentList, _ found: inout Set<RecordKey>
    ) throws {
        if let names = try table.loggedChanges() {
            let keys = names.map { RecordKey(type: table.type, name: $0) }
            try states.load(keys)
            return try table.rows(keys) { key, row in
                let entry = try states.entry(key)
                if let row { scan(entry, row, isExact: true, intents, &found) }
                if row == nil, table.unreadable[key] == nil, isMissing(entry) { found.insert(key) }
            }
        }
        states.reserve(try table.count())
        try states.load(table.type)
        var withBlobs: [RecordKey] = []
        try table.all { key, row in
            let entry = try states.entry(key)
            guard let row else {
                entry.scan = scanNumber
                return
            }
            scan(entry, row, isExact: false, intents, &found)
            if row.contains(where: { $0.value.blob != nil }), !found.contains(key) { withBlobs.append(key) }
        }
        // Blobs of equal size may have different content.
        try table.rows(withBlobs) { key, row in
            if let row, let state = try states.entry(key).state,
                differs(row, state.local, key.type, isExact: true)
            {
                found.insert(key)
            }
        }
        findMissing(table.type, states, &found)
    }

    private func findRoutes(
        _ states: StateCache, _ intents: IntentList, _ found: inout Set<RecordKey>
    ) throws {
        try states.load(.plannedRoute)
        let before = found.count
        unreadableRoutes = [:]
        _ = try routes.all { key, reading in
            let entry = try states.entry(key)
            switch reading {
            case .row(let row): scan(entry, row, isExact: true, intents, &found)
            case .missing: return
            case .unreadable(let why):
                unreadableRoutes[key] = why
                entry.scan = scanNumber
            }
        }
        findMissing(.plannedRoute, states, &found)
        if found.count != before || routeLineage == nil { hasNewRoutes = true }
    }

    /// Writes a row over one that cannot be read. The file of a route is kept beside it.
    func takeBack(_ key: RecordKey, _ row: Row, content: (BlobReference) throws -> BlobCell?) throws {
        guard unreadable[key] != nil else { return }
        guard isTable(key.type) else {
            try routes.moveAside(key)
            return try routes.write(key, before: nil, after: row, isRequested: true)
        }
        try table(key.type)?.overwrite(key, row, content: content)
    }

    private func scan(
        _ entry: RecordEntry, _ row: Row, isExact: Bool, _ intents: IntentList, _ found: inout Set<RecordKey>
    ) {
        if entry.scan == scanNumber { return }
        entry.scan = scanNumber
        let isIntended = intents.has(entry.key)
        if !isIntended, let state = entry.state, state.parked != .exhausted,
            !differs(row, state.local, entry.key.type, isExact: isExact)
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
    private func differs(_ row: Row, _ version: Version, _ type: RecordType, isExact: Bool) -> Bool {
        if version.isDeleted { return true }
        for field in row {
            let held = version.value(field.key)
            if !isExact, case .blob(let mine) = field.value, case .blob(let theirs) = held {
                if mine.size != theirs.size { return true }
            } else if held != field.value, held != .absent || !isUnset(field, of: type),
                !holds(field, held, of: type)
            {
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
    var hasUnrecordedScan: Bool { (hasNewRoutes && routes.isThere) || tables.contains(where: \.log.isDue) }

    /// The log positions for a commit, for the tables that it writes. `isWholeScan` means that all findings
    /// of the last scan are durable with it.
    func nextMarks(commit: Int64, isWholeScan: Bool) throws -> [RecordType: NextLogPosition] {
        var marks: [RecordType: NextLogPosition] = [:]
        for table in tables {
            let isDue = isWholeScan && table.log.isDue
            guard isDue || planned.contains(where: { $0.key.type == table.type }) else { continue }
            marks[table.type] = NextLogPosition(
                mark: try table.nextMark(commit: commit, isDue: isDue), isDue: isDue,
                lineage: table.nextLineage(commit: commit, isWhole: isDue))
        }
        let isWritten = planned.contains { $0.key.type == .plannedRoute }
        let isDue = isWritten || (isWholeScan && hasNewRoutes && routes.isThere)
        if isDue, examined.contains(.plannedRoute), questions[.plannedRoute] == nil {
            markFirst()
            marks[.plannedRoute] = NextLogPosition(
                mark: nil, isDue: true,
                lineage: StoreLineage(
                    mark: StoreMark(device: device, commit: commit), former: presentRouteMark, columns: []))
        }
        return marks
    }

    /// Gives a folder of routes its first mark, before anything is remembered of it. If that fails, the mark after its files fails
    /// too, and says why.
    private func markFirst() {
        guard case .new = routeStanding, routeLineage == nil, presentRouteMark == nil else { return }
        let first = StoreMark.first(of: device)
        do { try routes.write(first, isFirst: true) } catch { return }
        presentRouteMark = first
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
        if let next = marks[.plannedRoute]?.lineage {
            try routes.write(next.mark)
            routeLineage = next
            presentRouteMark = next.mark
            hasNewRoutes = false
        }
        for entry in planned { entry.plan = nil }
        planned = []
        // What happened before the mark is settled.
        for (type, next) in marks where next.lineage != nil { events[type] = nil }
        return done
    }

    /// Writes the names of records that the cloud has into rows and files that have none. The records are synced whether or not
    /// that succeeds.
    func nameRecords(_ keys: [RecordKey]) {
        for table in tables {
            try? table.nameRecords(keys.filter { $0.type == table.type }.map(\.name))
        }
        guard questions[.plannedRoute] == nil else { return }
        for key in keys where key.type == .plannedRoute { try? routes.nameRecord(key) }
    }

    /// Writes a row at once, as the user would.
    func userWrites(_ plan: AppTable.Plan, content: (BlobReference) throws -> BlobCell?) throws {
        guard isTable(plan.key.type), let table = table(plan.key.type) else {
            if let question = questions[plan.key.type] { throw SyncErrors.storeGone(question.why) }
            return try routes.write(plan.key, before: plan.before, after: plan.after)
        }
        try table.userWrites(plan, content: content)
    }
}
