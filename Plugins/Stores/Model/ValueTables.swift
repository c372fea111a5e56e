import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// Values of the session as tables of a database in memory, for SQL. Quantities become base units, times ISO
/// 8601 in UTC, columns of days `2026-02-06`, coordinates text with two further columns for latitude and longitude. A column that a
/// statement selects unchanged is converted back.
struct ValueTables {
    /// The original type of a column.
    private enum Original {
        case quantity(Quantity)
        case date
        /// Days, which are midnight in the session's zone.
        case day
        /// Numbers of which a database holds the nearest one only.
        case numbers([Double: Value])
        case boolean
    }

    /// The name of the table of the pipe's rows.
    static let piped = "it"

    let store: ChosenStore
    private var originals: [String: Original] = [:]
    private let zone: TimeZone

    /// Tables of rows by name; `zone` is that of the session's days. Throws `E-INPUT-KIND` for a column of quantities that cannot be
    /// added or compared.
    init(_ tables: [(name: String, rows: Rows)], zone: TimeZone) throws {
        self.zone = zone
        let connection = try StoreConnection(emptyNamed: "values")
        var found: [String: Original] = [:]
        try connection.queue.write { db in
            for (name, rows) in tables { try Self.fill(db, name, rows, zone, &found) }
        }
        originals = found
        store = ChosenStore(name: "values", connection: connection)
    }

    /// The rows used by a statement: those of the pipe, and variables that hold rows.
    static func named(in statement: String, input: Value, _ context: Context) -> [(name: String, rows: Rows)]
    {
        let words = Set(
            statement.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        var tables = input.asRows.map { [(piped, $0)] } ?? []
        for (name, value) in context.variables.sorted(by: { $0.key < $1.key })
        where words.contains(name.lowercased()) && name != "_" && name.lowercased() != piped {
            if let rows = value.asRows { tables.append((name, rows)) }
        }
        return tables
    }

    private static func fill(
        _ db: Database, _ table: String, _ rows: Rows, _ zone: TimeZone, _ originals: inout [String: Original]
    ) throws {
        let items = try rows.collect()
        guard let fields = rows.knownFields ?? items.fieldNames(after: []), !fields.isEmpty else {
            throw CommonErrors.inputKind(
                "`\(table)` has no columns", fix: "wrap plain values: … | each {value: it} | sql …")
        }
        // SQLite's names are case-insensitive.
        var taken = Set<String>()
        for field in fields where !taken.insert(field.lowercased()).inserted {
            throw CommonErrors.inputKind(
                "`\(table)` has two columns `\(field)` that differ in case only", fix: "rename one of them")
        }
        var columns: [(name: String, read: (Value) -> DatabaseValue)] = []
        for field in fields {
            let values = items.compactMap { $0.field(field) }
            try requireOneDimension(values, of: field)
            let original = original(of: values, zone)
            originals[key(table, field)] = original
            let isFine = values.contains {
                if case .date(let date) = $0 { date.nanoseconds > 0 } else { false }
            }
            columns.append(
                (
                    field,
                    { row in
                        guard case .date(let date)? = row.field(field) else {
                            return cell(row.field(field) ?? .nothing)
                        }
                        if case .day? = original { return date.civil(in: zone).date.text.databaseValue }
                        return time(date, isFine: isFine).databaseValue
                    }
                ))
            guard items.contains(where: { if case .coordinate? = $0.field(field) { true } else { false } })
            else { continue }
            for part in ["latitude", "longitude"] where taken.insert("\(field)_\(part)".lowercased()).inserted
            {
                columns.append(
                    (
                        "\(field)_\(part)",
                        { row in
                            guard case .coordinate(let point)? = row.field(field) else { return .null }
                            return (part == "latitude" ? point.latitude : point.longitude).databaseValue
                        }
                    ))
            }
        }
        let names = columns.map { $0.name.quotedDatabaseIdentifier }.joined(separator: ", ")
        try db.execute(sql: "CREATE TABLE \(table.quotedDatabaseIdentifier) (\(names))")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let insert = try db.makeStatement(
            sql: "INSERT INTO \(table.quotedDatabaseIdentifier) VALUES (\(marks))")
        for row in items {
            try Interruption.check()
            try insert.execute(arguments: StatementArguments(columns.map { $0.read(row) }))
        }
    }

    /// A time in UTC with all its digits, as many in each row of a column, so that the order of the texts is that of the times.
    private static func time(_ date: Timestamp, isFine: Bool) -> String {
        let text = ISO8601.text(Timestamp(milliseconds: date.milliseconds), fraction: .always)
        guard isFine else { return text }
        let digits = String(date.nanoseconds)
        return text.dropLast() + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + "Z"
    }

    private static func requireOneDimension(_ values: [Value], of field: String) throws {
        var found: Set<String> = []
        for value in values {
            switch value {
            case .quantity(let quantity): found.insert(quantity.dimension.name)
            case .integer, .number: found.insert("number")
            default: continue
            }
        }
        guard found.count > 1 else { return }
        throw CommonErrors.inputKind(
            "the column `\(field)` has values of the kinds \(found.sorted().joined(separator: " and ")), which SQL would add and compare as numbers",
            fix: "leave it out: … | reject \(field) | sql …, or make them one kind")
    }

    /// The zero byte separates the names, since a name cannot contain one.
    private static func key(_ table: String, _ column: String) -> String { table + "\u{0}" + column }

    /// The common type of a column's values, if there is one.
    private static func original(of values: [Value], _ zone: TimeZone) -> Original? {
        if let days = days(values, zone) { return days }
        if let numbers = numbers(values) { return numbers }
        var found: Original?
        for value in values {
            switch (value, found) {
            case (.nothing, _): continue
            case (.quantity(let quantity), nil): found = .quantity(quantity)
            case (.quantity(let quantity), .quantity(var sample)?)
            where quantity.dimension == sample.dimension:
                if quantity.unit != sample.unit { sample.unit = nil }
                sample.digits = sample.digits.flatMap { known in quantity.digits.map { max(known, $0) } }
                found = .quantity(sample)
            case (.date, nil), (.date, .date?): found = .date
            case (.boolean, nil), (.boolean, .boolean?): found = .boolean
            default: return nil
            }
        }
        return found
    }

    private static func days(_ values: [Value], _ zone: TimeZone) -> Original? {
        var count = 0
        for value in values {
            switch value {
            case .nothing: continue
            case .date(let date) where date.nanoseconds == 0 && date.civil(in: zone).millisecondsOfDay == 0:
                count += 1
            default: return nil
            }
        }
        return count > 0 ? .day : nil
    }

    /// The exact numbers of a column by the nearest floating-point numbers; those that share one are not told apart afterwards.
    private static func numbers(_ values: [Value]) -> Original? {
        var found: [Double: Value] = [:]
        var shared: Set<Double> = []
        for case .object(let object) in values {
            guard let number = (object as? any NumericObject)?.number else { return nil }
            if let known = found[number], case .object(let other) = known, other.summary != object.summary {
                shared.insert(number)
            }
            found[number] = .object(object)
        }
        for number in shared { found[number] = nil }
        return found.isEmpty ? nil : .numbers(found)
    }

    private static func cell(_ value: Value) -> DatabaseValue {
        switch value {
        case .nothing: .null
        case .boolean(let flag): (flag ? 1 : 0).databaseValue
        case .integer(let number): number.databaseValue
        case .number(let number): number.databaseValue
        case .quantity(let quantity): quantity.value.databaseValue
        case .text(let text): text.databaseValue
        case .date(let date): ISO8601.text(date, fraction: .always).databaseValue
        case .coordinate(let coordinate): Literal.coordinate(coordinate).databaseValue
        case .box(let box): Literal.box(box).databaseValue
        case .object(let object):
            (object as? any NumericObject)?.number.databaseValue ?? object.summary.databaseValue
        case .list(let items): "\(items.count) items".databaseValue
        case .record(let record): "\(record.keys.count) fields".databaseValue
        case .rows: "rows".databaseValue
        }
    }

    /// Converts a cell back to the original type of its column.
    func value(_ cell: Value, from origin: SQLQuery.Origin?) -> Value {
        guard let origin, let original = originals[Self.key(origin.table, origin.column)] else { return cell }
        switch (original, cell) {
        case (.quantity(var quantity), _):
            guard let number = cell.asNumber else { return cell }
            quantity.value = number
            return .quantity(quantity)
        case (.date, .text(let text)):
            guard let parts = ISO8601.parts(text), var date = ISO8601.timestamp(text) else { return cell }
            date.nanoseconds = parts.nanoseconds
            return .date(date)
        case (.day, .text(let text)):
            guard let parts = ISO8601.parts(text), parts.millisecondsOfDay == nil else { return cell }
            let day = LocalTime.dateTime(days: parts.date.daysSinceEpoch, milliseconds: 0)
            return .date(day.moment(now: Timestamp(milliseconds: 0), in: zone))
        case (.numbers(let known), _): return cell.asNumber.flatMap { known[$0] } ?? cell
        case (.boolean, .integer(let number)): return .boolean(number != 0)
        default: return cell
        }
    }
}
