import CivilTime
import Foundation
import GRDBSQLite
import Logging
import PluginKit
import Workbench

/// A query over a million rows: filter, computed column, aggregates per group. Compared with SQLite with the
/// same rows in memory, and with DuckDB if Python has it (`pip install duckdb`).
enum RowsBenchmark {
    private static let rows = 1_000_000
    private static let table = "range 1 \(rows) | each {id: it, kind: it % 10, metres: it * 2}"
    private static let question =
        "where metres > 100000 | extend km=metres / 1000.0 | summarize count() mean(km) max(metres) by kind"
    private static let sql = """
        SELECT kind, count(*), avg(km), max(metres)
        FROM (SELECT kind, metres, metres / 1000.0 AS km FROM t WHERE metres > 100000) GROUP BY kind
        """

    static func run(_ effort: Effort) async throws -> [Finding] {
        let scratch = try Scratch()
        let session = try Session(
            configuration: SessionConfiguration(
                seed: 1, clock: SessionClock(standingAt: Timestamp(milliseconds: 0)), environment: .notebook,
                workspace: scratch.url, files: FileAccess(unconfinedIn: scratch.url),
                log: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }), plugins: { [] })
        // SQLite's rows are in memory, and so are ours if they were sorted. Those of `range` are generated
        // each time.
        for entry in ["let made = \(table)", "let rows = $made | sort id"] {
            if let failure = await session.run(entry).failure { throw Skip(description: failure.message) }
        }
        let rounds = effort.count(7, quick: 3)
        func times(_ rows: String) async -> ([Double], answer: String) {
            var answer = ""
            var times: [Double] = []
            for _ in 0..<rounds {
                times.append(
                    await Measure.seconds {
                        answer = await session.run("\(rows) | \(question) | sort kind | to json").text
                    })
            }
            return (times, answer)
        }
        let (own, answer) = await times("$rows")
        let (streamed, _) = await times("$made")
        let (reference, expected) = try sqlite(rounds)
        guard try maxima(of: answer) == expected else { throw Skip(description: "SQLite's results differ") }
        let what = "SQLite \(Measure.milliseconds(Measure.median(reference)))"
        func ratio(_ times: [Double]) -> Double { Measure.median(times) / Measure.median(reference) }
        return [
            Finding(
                "rows: where | extend | summarize of 1,000,000", Measure.milliseconds(Measure.median(own)),
                reference: "\(what) \(Measure.times(ratio(own))), \(duckDB(rounds))",
                goal: ("≤ 3×", ratio(own) <= 3)),
            Finding(
                "rows: the same, made by range | each on the way",
                Measure.milliseconds(Measure.median(streamed)),
                reference: "\(what) \(Measure.times(ratio(streamed)))"),
        ]
    }

    /// Times of SQLite, and its greatest length per kind.
    private static func sqlite(_ rounds: Int) throws -> ([Double], [Int]) {
        let database = try SQLite(":memory:")
        try database.run("CREATE TABLE t (id INTEGER, kind INTEGER, metres INTEGER)")
        try database.run(
            """
            INSERT INTO t WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < \(rows))
            SELECT x, x % 10, x * 2 FROM c
            """)
        var maxima: [Int] = []
        let times = try (0..<rounds).map { _ in
            try Measure.seconds {
                maxima = []
                let statement = try database.prepare(sql)
                while sqlite3_step(statement) == SQLITE_ROW {
                    maxima.append(Int(sqlite3_column_int64(statement, 3)))
                }
                sqlite3_finalize(statement)
            }
        }
        return (times, maxima)
    }

    private static func maxima(of answer: String) throws -> [Int] {
        let rows = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [[String: Any]]
        return (rows ?? []).compactMap { $0["maxMetres"] as? Int }
    }

    /// DuckDB's time with one thread, in words.
    private static func duckDB(_ rounds: Int) -> String {
        let script = """
            import duckdb, time
            db = duckdb.connect()
            db.execute("SET threads = 1")
            db.execute("CREATE TABLE t AS SELECT x AS id, x % 10 AS kind, x * 2 AS metres FROM range(1, \(rows + 1)) AS r(x)")
            times = []
            for _ in range(\(rounds)):
                start = time.perf_counter()
                db.execute(\"\"\"\(sql)\"\"\").fetchall()
                times.append(time.perf_counter() - start)
            print(sorted(times)[len(times) // 2])
            """
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return "DuckDB not measured: no Python" }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let seconds = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            return "DuckDB not measured: pip install duckdb"
        }
        return "DuckDB on one thread \(Measure.milliseconds(seconds))"
    }
}
