import Foundation
import GRDB
import PluginKit
import Testing

@testable import Workbench

@Suite struct SummarizeTests {
    @Test("the same groups as SQLite computes")
    func againstSQLite() async throws {
        var generator = RandomSource(seed: 7).fork()
        var rows: [(kind: String, area: Int, size: Int?)] = []
        for _ in 0..<500 {
            let size = Int.random(in: 0..<100, using: &generator)
            rows.append(
                (
                    ["a", "b", "c"][Int.random(in: 0..<3, using: &generator)],
                    Int.random(in: 0..<4, using: &generator),
                    size < 20 ? nil : size
                ))
        }
        let csv =
            "kind,area,size\n"
            + rows.map { "\($0.kind),\($0.area),\($0.size.map(String.init) ?? "")" }.joined(separator: "\n")
        let data = try DataSession(files: ["r.csv": csv])
        let shown = await data.run(
            "open r.csv | summarize count() n=count(size) sum(size) min(size) max(size) by kind area | sort kind area | to csv"
        )
        let database = try DatabaseQueue()
        let expected = try await database.write { [rows] db in
            try db.execute(sql: "CREATE TABLE r (kind TEXT, area INTEGER, size INTEGER)")
            for row in rows {
                try db.execute(
                    sql: "INSERT INTO r VALUES (?, ?, ?)", arguments: [row.kind, row.area, row.size])
            }
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT kind, area, count(*), count(size), sum(size), min(size), max(size) FROM r
                    GROUP BY kind, area ORDER BY kind, area
                    """
            ).map { row in
                (0..<7).map { String.fromDatabaseValue(row[$0]) ?? "\(row[$0] as Int)" }.joined(
                    separator: ",")
            }
        }
        #expect(shown == (["kind,area,count,n,sumSize,minSize,maxSize"] + expected).joined(separator: "\n"))
    }

    /// Percentiles of 1…10 by definition 7 of Hyndman and Fan, as NumPy's default: median 5.5, p95 9.55, p25 3.25.
    @Test func percentiles() async throws {
        let data = try DataSession()
        #expect(
            await data.run("range 1 10 | summarize median(it) p95(it) p25(it) | first | to json --compact")
                == #"{"medianIt":5.5,"p95It":9.55,"p25It":3.25}"#)
        #expect(await data.run("[1km 3km] | summarize m=median(it) | first | get m") == "2km")
    }

    /// The deviation of a sample; far from zero, too, where a difference of sums of squares loses all digits.
    @Test func standardDeviations() async throws {
        let data = try DataSession()
        func deviation(_ values: String) async -> String {
            await data.run("\(values) | summarize d=stddev(it) | first | get d | to json")
        }
        #expect((await deviation("[2 4 4 4 5 5 7 9]")).hasPrefix("2.13808993529939"))
        #expect(await deviation("[1000000001 1000000002 1000000003]") == "1")
        #expect(await data.run("[1km 3km 5km] | summarize d=stddev(it) | first | get d") == "2km")
        #expect(await deviation("[7]") == "null")
        #expect(await data.code("[10deg 350deg] | summarize stddev(it)") == "E-DATA-NUMBERS")
        #expect(await data.code("[1 'a'] | summarize stddev(it)") == "E-DATA-NUMBERS")
    }

    @Test func overNothing() async throws {
        let data = try DataSession()
        #expect(
            await data.run(
                "[] | summarize count() sum(it) mean(it) median(it) max(it) | first | to json --compact")
                == #"{"count":0,"sumIt":0,"meanIt":null,"medianIt":null,"maxIt":null}"#)
        #expect(await data.run("[] | summarize count() by it | count") == "0")
        // Unknown is not zero.
        let rows = "[{v: a, n: 1} {v: b}]"
        #expect(await data.run("\(rows) | summarize sum(n) by v | get sumN | to json") == "[1, null]")
        #expect(await data.run("\(rows) | where v == b | sum n | describe") == "nothing")
    }

    @Test func keysMayBeComputed() async throws {
        let data = try DataSession()
        let rows = "[{t: '2025-05-01', d: 2km} {t: '2026-01-01', d: 1km} {t: '2026-07-01', d: 4km}]"
        #expect(
            await data.run("\(rows) | summarize sum(d) by year(t)") == "year  sumD\n2025   2km\n2026   5km")
        #expect(await data.run("\(rows) | summarize range=max(d) - min(d) | first | get range") == "3km")
        #expect(await data.run("\(rows) | summarize list(d) by y=year(t) | last | get listD") == "1km\n4km")
    }

    @Test(arguments: [
        ("summarize", "E-ARG-MISSING"), ("summarize beds", "E-AGGREGATE"),
        ("summarize mean()", "E-FUNCTION-ARGS"),
        ("summarize mean(beds) by", "E-SYNTAX"), ("summarize sum(name)", "E-DATA-NUMBERS"),
        ("summarize count() by name name", "E-DATA-DUPLICATE"),
        ("summarize nosuch(beds)", "E-FUNCTION-UNKNOWN"),
        ("extend", "E-ARG-MISSING"), ("extend 3=beds", "E-SYNTAX"), ("extend x==beds", "E-SYNTAX"),
    ])
    func errors(line: String, code: String) async throws {
        let data = try await DataSession.withHuts()
        #expect(await data.code("$huts | \(line)") == code, "\(line)")
    }

    @Test func streamsAndLimits() async throws {
        let data = try DataSession()
        _ = await data.run("set rows.limit 1000")
        #expect(
            await data.run("range 1 5000 | where it % 2 == 0 | summarize count(it) | first | get countIt")
                == "2500")
        for line in [
            "sort n", "reverse", "group n", "unique | count", "summarize list(n)", "summarize median(n)",
        ] {
            #expect(await data.code("range 1 5000 | each {n: it} | \(line)") == "E-LIMIT-ROWS", "\(line)")
        }
        #expect(await data.run("range 1 1000 | sort | last") == "1000")
    }
}
