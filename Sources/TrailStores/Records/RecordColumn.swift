import CivilTime
import Foundation
import GRDB

/// One column of a kind of records: its name and its value, written once for insertions and changes.
struct RecordColumn<Record>: Sendable {
    /// The name in the app's own format.
    let name: String
    /// Binds its value of a record to a parameter, counted from 1.
    let bind: @Sendable (RawStatement, Int32, Record) -> Void
    /// Its value in the second of two records, if it is not stored as in the first.
    let change: @Sendable (Record, Record) -> DatabaseValue?

    init<V: RecordCell & SendableMetatype>(_ name: String, _ value: @escaping @Sendable (Record) -> V) {
        self.name = name
        bind = { statement, index, record in value(record).bind(to: statement, index) }
        change = { before, after in
            let new = value(after)
            return value(before).isStored(as: new) ? nil : new.databaseValue
        }
    }
}

/// A value of a record's column.
protocol RecordCell {
    /// Whether both are stored as the same bytes.
    func isStored(as other: Self) -> Bool
    /// Binds it to a parameter, counted from 1.
    func bind(to statement: RawStatement, _ index: Int32)
    /// What is stored.
    var databaseValue: DatabaseValue { get }
}

extension RecordCell where Self: Equatable {
    func isStored(as other: Self) -> Bool { self == other }
}

extension String: RecordCell {
    func bind(to statement: RawStatement, _ index: Int32) { statement.bind(index, self) }
}

extension Double: RecordCell {
    func bind(to statement: RawStatement, _ index: Int32) { statement.bind(index, self) }
}

extension Bool: RecordCell {
    func bind(to statement: RawStatement, _ index: Int32) { statement.bind(index, Int64(self ? 1 : 0)) }
}

extension UUID: RecordCell {
    func bind(to statement: RawStatement, _ index: Int32) { statement.bind(index, self) }
    var databaseValue: DatabaseValue { uuidString.databaseValue }
}

extension Timestamp: RecordCell {
    func bind(to statement: RawStatement, _ index: Int32) { statement.bind(index, self) }
    var databaseValue: DatabaseValue { ISO8601.text(self, fraction: .always).databaseValue }
}

extension Optional: RecordCell where Wrapped: RecordCell {
    func isStored(as other: Wrapped?) -> Bool {
        switch (self, other) {
        case (let mine?, let other?): mine.isStored(as: other)
        case (nil, nil): true
        case (nil, _?), (_?, nil): false
        }
    }

    func bind(to statement: RawStatement, _ index: Int32) {
        if let self { self.bind(to: statement, index) } else { statement.bindNull(index) }
    }

    var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
}
