import Foundation
import GRDBSQLite

/// Wall-clock seconds.
func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Processor seconds of all threads of this process and of its child processes.
private func processorTime() -> Double {
    [RUSAGE_SELF, RUSAGE_CHILDREN].map { who in
        var usage = rusage()
        getrusage(__rusage_who_t(who.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }.reduce(0, +)
}

/// The minimum of several runs, in wall-clock and processor time.
struct Best {
    private(set) var wall = Double.infinity
    private(set) var own = Double.infinity

    mutating func measure(_ work: () async throws -> Void) async rethrows {
        let (start, used) = (now(), processorTime())
        try await work()
        wall = min(wall, now() - start)
        own = min(own, processorTime() - used)
    }
}

/// Reports a figure beside its reference, and whether it meets a goal: a maximum multiple of the reference's
/// processor time, which other programs hardly affect.
func report(
    _ what: String, _ ours: Best, beside reference: Best, _ name: String, goal: Double? = nil
) {
    func ms(_ seconds: Double) -> String { "\((seconds * 1e4).rounded() / 10) ms" }
    func ratio(_ a: Double, _ b: Double) -> String { "\((a / b * 100).rounded() / 100)×" }
    let verdict = goal.map { ours.own <= $0 * reference.own ? "met   " : "MISSED" } ?? "      "
    let end = goal.map { " (goal: \($0)×)" } ?? ""
    say(
        "\(verdict) \(what): \(ms(ours.wall)) (processor time \(ms(ours.own))); \(name) \(ms(reference.wall)) "
            + "(\(ms(reference.own))), \(ratio(ours.own, reference.own))\(end)")
}

/// Runs a shell command to its end; returns whether it succeeded.
@discardableResult
func shell(_ command: String) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
}

/// Reads the result of a query through SQLite's C interface; returns the number of bytes of all cells.
func readAll(_ path: String, _ sql: String) -> Int {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer {
        sqlite3_finalize(statement)
        sqlite3_close(database)
    }
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
        sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK
    else { return 0 }
    let count = sqlite3_column_count(statement)
    var total = 0
    while sqlite3_step(statement) == SQLITE_ROW {
        for column in 0..<count {
            // As stored, without conversion to text.
            switch sqlite3_column_type(statement, column) {
            case SQLITE_TEXT, SQLITE_BLOB: total += Int(sqlite3_column_bytes(statement, column))
            case SQLITE_FLOAT: total += sqlite3_column_double(statement, column) > 0 ? 8 : 7
            case SQLITE_INTEGER: total += sqlite3_column_int64(statement, column) > 0 ? 8 : 7
            default: break
            }
        }
    }
    return total
}

/// Prints a line without buffering, also into a file.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
