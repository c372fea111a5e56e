import Foundation
import GRDB
import PluginKit
import Testing
import TrailStores

/// Cells of every storage class are values or errors, and never end the process.
struct TypedRowTests {
    /// SQLite's storage classes with values at their edges, as literals.
    static let cells = [
        "NULL", "0", "-1", "9223372036854775807", "-9223372036854775808", "1.5", "9e99", "9e999", "''",
        "'abc'",
        "x''", "x'00ff41'",
    ]

    private func row(_ cell: String) throws -> TypedRow {
        try DatabaseQueue().read { db in
            try #require(try TypedRow.first(db, "SELECT 7 AS id, \(cell) AS cell", of: "things"))
        }
    }

    @Test(arguments: cells)
    func anyCellIsAValueOrAnError(_ cell: String) throws {
        let row = try row(cell)
        func tries<Value: DatabaseValueConvertible>(_ type: Value.Type) throws {
            do {
                let value = try row.allow("cell", as: type)
                #expect((value == nil) == (cell == "NULL"))
            } catch {
                #expect(error.code == "E-STORE-ROW")
                #expect(error.message.hasPrefix("things, id 7: cell is "), "\(error.message)")
            }
        }
        try tries(Int.self)
        try tries(UInt8.self)
        try tries(Double.self)
        try tries(Bool.self)
        try tries(String.self)
        try tries(Data.self)
    }

    @Test func nullIsMissingWhereAValueIsRequired() throws {
        let row = try row("NULL")
        let error = #expect(throws: RutterError.self) { try row.require("cell", as: Int.self) }
        #expect(error?.message == "things, id 7: cell is missing")
    }

    @Test func anUnknownCaseIsAnErrorThatShowsIt() throws {
        let row = try row("'sideways'")
        let error = #expect(throws: RutterError.self) {
            try row.require("cell") { (text: String) in ["up", "down"].firstIndex(of: text) }
        }
        #expect(error?.message == "things, id 7: cell is the text 'sideways'")
    }

    @Test func aColumnThatIsNotThereIsMissing() throws {
        let row = try row("1")
        #expect(try row.allow("other", as: Int.self) == nil)
        let error = #expect(throws: RutterError.self) { try row.require("other", as: Int.self) }
        #expect(error?.message == "things, id 7: other is missing")
    }
}
