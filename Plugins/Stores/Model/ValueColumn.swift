import CivilTime
import Foundation
import PluginKit
import TrailStores

/// How SQL sees a column of values, and what its cells are when they come back unchanged: found from all of its values at once.
struct ValueColumn {
    /// The original type of its values, where they share one.
    private enum Original {
        case quantity(Quantity)
        case date
        /// Days, which are midnight in the session's zone.
        case day
        /// Numbers of which a database holds the nearest one only.
        case numbers([Double: Value])
        case boolean
    }

    private let original: Original?
    /// Whether some of its values are coordinates.
    let hasCoordinates: Bool
    /// The first two different numbers of which a database holds the same; `nil` if there are none.
    let indistinct: (String, String)?
    /// Whether a time is finer than a millisecond.
    private let isFine: Bool
    private let zone: TimeZone

    /// The column of a field of rows; `zone` is that of the session's days. Throws `E-INPUT-KIND` for numbers and quantities that
    /// cannot be added or compared.
    init(_ field: String, of rows: [Value], _ zone: TimeZone) throws {
        var scan = Scan(zone: zone)
        var reader = FieldReader(field)
        for row in rows { scan.take(reader.value(in: row)) }
        (original, isFine, self.zone) = (scan.original, scan.isFine, zone)
        hasCoordinates = scan.hasCoordinates
        indistinct = scan.indistinct
        guard scan.kinds.count > 1 else { return }
        let kinds = scan.kinds.map { $0?.name ?? "number" }.sorted().joined(separator: " and ")
        throw CommonErrors.inputKind(
            "the column `\(field)` has values of the kinds \(kinds), which SQL would add and compare as numbers",
            fix: "leave it out: … | reject \(field) | sql …, or make them one kind")
    }

    /// What the values of a column share.
    private struct Scan {
        let zone: TimeZone
        /// The dimensions that occur, and `nil` for numbers.
        var kinds: [PhysicalDimension?] = []
        var isFine = false
        var hasCoordinates = false
        private var hasDays = false
        private var hasOthers = false
        /// The common type as far as it goes; `isMixed` where there is none.
        private var common: Original?
        private var isMixed = false
        /// Exact numbers by the nearest floating-point numbers; those that share one are not told apart afterwards.
        private var exact: [Double: Value] = [:]
        private var shared: Set<Double> = []
        private(set) var indistinct: (String, String)?
        private var hasObjects = false

        init(zone: TimeZone) { self.zone = zone }

        var original: Original? {
            if hasDays, !hasOthers { return .day }
            let numbers = exact.filter { !shared.contains($0.key) }
            if !hasObjects, !numbers.isEmpty { return .numbers(numbers) }
            return isMixed ? nil : common
        }

        mutating func take(_ value: Value) {
            switch value {
            case .nothing: return
            case .date(let date): take(date)
            case .object(let object): take(object)
            case .quantity(let quantity): note(quantity.dimension)
            case .integer, .number: note(nil)
            case .coordinate: hasCoordinates = true
            default: break
            }
            if case .date = value {} else { hasOthers = true }
            merge(value)
        }

        private mutating func note(_ kind: PhysicalDimension?) {
            if !kinds.contains(kind) { kinds.append(kind) }
        }

        private mutating func take(_ date: Timestamp) {
            if date.nanoseconds > 0 { isFine = true }
            // Whether it is midnight is not asked for times once one is none.
            if hasOthers { return }
            if date.nanoseconds == 0, date.civil(in: zone).millisecondsOfDay == 0 {
                hasDays = true
            } else {
                hasOthers = true
            }
        }

        private mutating func take(_ object: any DomainObject) {
            guard let number = (object as? any NumericObject)?.number else {
                hasObjects = true
                return
            }
            if case .object(let known)? = exact[number], known.summary != object.summary {
                shared.insert(number)
                if indistinct == nil { indistinct = (known.summary, object.summary) }
            }
            exact[number] = .object(object)
        }

        private mutating func merge(_ value: Value) {
            if isMixed { return }
            switch (value, common) {
            case (.quantity(let quantity), nil): common = .quantity(quantity)
            case (.quantity(let quantity), .quantity(var sample)?)
            where quantity.dimension == sample.dimension:
                if quantity.unit != sample.unit { sample.unit = nil }
                sample.digits = sample.digits.flatMap { known in quantity.digits.map { max(known, $0) } }
                common = .quantity(sample)
            case (.date, nil), (.date, .date?): common = .date
            case (.boolean, nil), (.boolean, .boolean?): common = .boolean
            default: isMixed = true
            }
        }
    }

    /// Binds a value as a cell of the database.
    func bind(_ value: Value, to statement: RawStatement, at index: Int32) {
        switch value {
        case .nothing: statement.bindNull(index)
        case .boolean(let flag): statement.bind(index, Int64(flag ? 1 : 0))
        case .integer(let number): statement.bind(index, Int64(number))
        case .number(let number): statement.bind(index, number)
        case .quantity(let quantity): statement.bind(index, quantity.value)
        case .text(let text): statement.bind(index, text)
        case .date(let date): statement.bind(index, text(date))
        case .coordinate(let coordinate): statement.bind(index, Literal.coordinate(coordinate))
        case .box(let box): statement.bind(index, Literal.box(box))
        case .object(let object):
            if let number = (object as? any NumericObject)?.number {
                statement.bind(index, number)
            } else {
                statement.bind(index, object.summary)
            }
        case .list(let items): statement.bind(index, "\(items.count) items")
        case .record(let record): statement.bind(index, "\(record.keys.count) fields")
        case .rows: statement.bind(index, "rows")
        }
    }

    /// A day, or a time in UTC with as many digits in each row of the column, so that the order of the texts is that of the times.
    private func text(_ date: Timestamp) -> String {
        if case .day? = original { return date.civil(in: zone).date.text }
        let text = ISO8601.text(Timestamp(milliseconds: date.milliseconds), fraction: .always)
        guard isFine else { return text }
        let digits = String(date.nanoseconds)
        return text.dropLast() + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + "Z"
    }

    /// A cell as a value of the original type.
    func value(_ cell: Value) -> Value {
        switch (original, cell) {
        case (.quantity(var quantity)?, _):
            guard let number = cell.asNumber else { return cell }
            quantity.value = number
            return .quantity(quantity)
        case (.date?, .text(let text)):
            guard let parts = ISO8601.parts(text), var date = ISO8601.timestamp(text) else { return cell }
            date.nanoseconds = parts.nanoseconds
            return .date(date)
        case (.day?, .text(let text)):
            guard let parts = ISO8601.parts(text), parts.millisecondsOfDay == nil else { return cell }
            let day = LocalTime.dateTime(days: parts.date.daysSinceEpoch, milliseconds: 0)
            return .date(day.moment(now: Timestamp(milliseconds: 0), in: zone))
        case (.numbers(let known)?, _): return cell.asNumber.flatMap { known[$0] } ?? cell
        case (.boolean?, .integer(let number)): return .boolean(number != 0)
        default: return cell
        }
    }
}

/// Reads one field of rows of which most have the same keys.
struct FieldReader {
    private let name: String
    private var keys: [String] = []
    private var index: Int?

    init(_ name: String) { self.name = name }

    /// The field's value; nothing where the row lacks it.
    mutating func value(in row: Value) -> Value {
        guard case .record(let record) = row else { return row.field(name) ?? .nothing }
        if keys.isEmpty || record.keys != keys {
            (keys, index) = (record.keys, record.keys.firstIndex(of: name))
        }
        return index.map { record.values[$0] } ?? .nothing
    }
}
