import CivilTime
import Foundation
import GRDB
import PluginKit

/// The cells of a statement's current row, read by index and validated, since another program wrote them.
/// Reads SQLite's values directly: a list of a hundred thousand rows has a million cells.
struct Cells {
    private let row: RawStatement
    private let kind: String
    private let columns: [String]
    private let first: Int

    /// The current row of a statement; `kind` is the word for a row in errors, `columns` are the names of its
    /// cells, which begin at column `first`.
    init(_ row: RawStatement, kind: String, columns: [String], first: Int = 0) {
        self.row = row
        self.kind = kind
        self.columns = columns
        self.first = first
    }

    private func column(_ index: Int) -> Int32 { Int32(index + first) }

    private func storage(_ index: Int) -> RawStatement.StorageClass { row.storage(column(index)) }

    /// Text; numbers are converted, other values are `nil`.
    func text(_ index: Int) -> String? {
        switch storage(index) {
        case .text: row.text(column(index))
        case .integer: String(row.integer(column(index)))
        case .real: Literal.number(row.number(column(index)))
        case .null, .blob: nil
        }
    }

    func integer(_ index: Int) -> Int64 {
        storage(index) == .integer ? row.integer(column(index)) : 0
    }

    func optionalNumber(_ index: Int) throws(RutterError) -> Double? {
        switch storage(index) {
        case .real, .integer: return row.number(column(index))
        case .null: return nil
        case .text, .blob: throw wrong(index, "is not a number")
        }
    }

    func number(_ index: Int) throws(RutterError) -> Double {
        try required(index, try optionalNumber(index))
    }

    /// A number of degrees; throws if it is beyond a limit on either side: such a place is not on Earth.
    func degrees(_ index: Int, within limit: Double) throws(RutterError) -> Double {
        let degrees = try number(index)
        guard abs(degrees) <= limit else {
            throw wrong(index, "is not within ±\(Int(limit))")
        }
        return degrees
    }

    /// A number that a figure must be in; throws if it is not. Rounding may have left it a little below 0.
    func figure(_ index: Int, in range: ClosedRange<Double>) throws(RutterError) -> Double {
        let figure = try number(index)
        if figure < 0, figure > -StoreSettings.rounding { return 0 }
        guard range.contains(figure) else {
            throw wrong(index, "is an impossible number")
        }
        return figure
    }

    /// A number that may be missing; `nil` too if it is not in the range that it must be in.
    func possible(_ index: Int, in range: ClosedRange<Double>) throws(RutterError) -> Double? {
        try optionalNumber(index).flatMap { range.contains($0) ? $0 : nil }
    }

    /// What is left out of the row, as it is impossible: of the optional numbers those beyond their ranges.
    func leftOut(_ ranges: [(index: Int, range: ClosedRange<Double>)]) -> String? {
        let words = ranges.compactMap { index, range -> String? in
            guard case .some(.some(let number)) = try? optionalNumber(index), !range.contains(number)
            else { return nil }
            return "\(columns[index]) is an impossible number"
        }
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }

    func optionalIdentifier(_ index: Int) throws(RutterError) -> UUID? {
        if storage(index) == .null { return nil }
        guard storage(index) == .text, let id = UUID(hexadecimal: row.utf8(column(index))) else {
            throw wrong(index, "is not a UUID")
        }
        return id
    }

    func identifier(_ index: Int) throws(RutterError) -> UUID {
        try required(index, try optionalIdentifier(index))
    }

    func optionalMoment(_ index: Int) throws(RutterError) -> Timestamp? {
        if storage(index) == .null { return nil }
        guard storage(index) == .text, let moment = ISO8601.timestamp(utf8: row.utf8(column(index))) else {
            throw wrong(index, "is not an ISO 8601 time")
        }
        return moment
    }

    func moment(_ index: Int) throws(RutterError) -> Timestamp {
        try required(index, try optionalMoment(index))
    }

    private func required<T>(_ index: Int, _ value: T?) throws(RutterError) -> T {
        guard let value else { throw wrong(index, "is missing") }
        return value
    }

    private func wrong(_ index: Int, _ what: String) -> RutterError {
        let id = storage(0) == .text ? text(0) : nil
        return StoreErrors.row(
            "\(id.map { "\(kind) \($0)" } ?? "a \(kind) without id"): \(columns[index]) \(what)",
            fix: "`store check` lists all such rows")
    }
}

/// A row of a store that cannot be decoded.
public struct RowProblem: Sendable, Hashable {
    /// SQLite's row number.
    public let row: Int64
    /// Its stored identifier.
    public let id: String?
    /// The problem.
    public let what: String
    /// Whether the row is used, without the values that the problem names.
    public var isUsed = false
}
