import PluginKit
import Synchronization
import Testing

@Suite struct RowsTests {
    /// An endless sequence of rows from 0, which counts how many were computed.
    private static func numbers(_ made: RowMade) -> Rows {
        Rows {
            var next = 0
            return Rows.Iterator {
                defer { next += 1 }
                made.add()
                return .integer(next)
            }
        }
    }

    private static func integers(_ rows: Rows) throws -> [Int] {
        try rows.collect().compactMap { $0.asNumber.map { Int($0) } }
    }

    @Test("steps over rows make no more rows than they need, and every iteration starts again")
    func lazySteps() throws {
        let made = RowMade()
        let even = Self.numbers(made).filter { { $0.asNumber.map { Int($0) % 2 == 0 } ?? false } }
        let doubled = even.map { .integer(2 * Int($0.asNumber ?? 0)) }.prefix(3)
        #expect(made.count == 0)
        #expect(try Self.integers(doubled) == [0, 4, 8])
        #expect(made.count == 5)
        #expect(try Self.integers(doubled) == [0, 4, 8])
        #expect(try Self.numbers(made).row(at: 4)?.asNumber == 4)
        #expect(made.count == 15)
    }

    @Test("a filter has a memory of its own in each iteration")
    func memory() throws {
        let rows = Rows([.integer(1), .integer(1), .integer(2)]).filter {
            var last = 0
            return { row in
                defer { last = Int(row.asNumber ?? 0) }
                return Int(row.asNumber ?? 0) != last
            }
        }
        #expect(try Self.integers(rows) == [1, 2])
        #expect(try Self.integers(rows) == [1, 2])
    }

    @Test("rows are found by their index, from both ends", arguments: [true, false])
    func index(isLazy: Bool) throws {
        let ready = Rows([.integer(7), .integer(8), .integer(9)])
        let rows = isLazy ? ready.map { $0 } : ready
        #expect(rows.isLazy == isLazy)
        #expect(try rows.count() == 3)
        #expect(try [0, 2, -1, -3].map { try rows.row(at: $0)?.asNumber } == [7, 9, 9, 7])
        #expect(try rows.row(at: 3) == nil && rows.row(at: -4) == nil)
    }

    @Test("what is made of incomplete rows is incomplete, and a list that cannot say so stays rows")
    func cut() throws {
        let cut = try #require(Cut(missing: 40, "200 are read"))
        let rows = Rows([.integer(1), .integer(2)], cut: cut)
        #expect(cut.summary == "incomplete, 40 rows left out: 200 are read")
        #expect(Cut(missing: nil, "200 are read")?.summary == "incomplete: 200 are read")
        #expect(Cut(missing: 0, "all are read") == nil)
        #expect(rows.map { $0 }.prefix(1).filter { { _ in true } }.cut?.missing == 40)
        #expect(rows.mapErrors { $0 }.cut?.missing == 40)
        guard case .rows(let reversed) = rows.replaced(by: [.integer(2), .integer(1)]) else {
            Issue.record("the mark was lost")
            return
        }
        #expect(reversed.cut?.missing == 40 && Value.rows(reversed).kindName == "list")
    }

    @Test("a value of another type is refused with the command, what it takes and what there is")
    func refused() throws {
        let error = #expect(throws: RutterError.self) {
            try Value.integer(3).objects(
                of: RowExpression.self, "expressions", for: "demo", fix: "begin anew")
        }
        #expect(error?.code == "E-INPUT-KIND" && error?.fix == "begin anew")
        #expect(error?.message == "`demo` takes expressions, not a number")
        #expect(throws: RutterError.self) { try Value.nothing.rows("rows", for: "demo") }
        #expect(try Value.list([]).objects(of: RowExpression.self, "expressions", for: "demo").isEmpty)
    }

    @Test("only a list or rows of one are taken apart")
    func onlyItem() {
        #expect(Value.list([.list([.integer(3)])]).onlyItem.asNumber == 3)
        #expect(Value.rows(Rows([.integer(3)])).onlyItem.asNumber == 3)
        #expect(Value.list([.integer(3), .integer(4)]).onlyItem.readyItems?.count == 2)
    }
}

/// The number of computed rows.
private final class RowMade: Sendable {
    private let total = Atomic(0)
    var count: Int { total.load(ordering: .relaxed) }
    func add() { total.wrappingAdd(1, ordering: .relaxed) }
}
