import Foundation
import PluginTestKit

/// The time from start to first output, beside that of the sqlite3 shell.
enum StartBenchmark {
    static func run(_ effort: Effort) throws -> [Finding] {
        let rutter = try Child.rutter()
        let scratch = try Scratch()
        // The workspace is set by the environment, so that the call is the usual one.
        setenv("XDG_DATA_HOME", scratch.url.path, 1)
        var own: [Child] = []
        var other: [Child] = []
        for _ in 0..<effort.count(60, quick: 10) {
            own.append(try Child(rutter, ["-c", "1 + 1"]))
            other.append(try Child("/usr/bin/sqlite3", [":memory:", "select 1"]))
        }
        func ratio(_ measure: (Child) -> Double) -> Double {
            Measure.median(own.map(measure)) / Measure.median(other.map(measure))
        }
        let wall = ratio(\.firstOutput)
        return [
            Finding(
                "start: rutter -c '1 + 1'", Measure.milliseconds(Measure.median(own.map(\.firstOutput))),
                reference: "sqlite3 \(Measure.milliseconds(Measure.median(other.map(\.firstOutput)))), "
                    + "\(Measure.times(wall)), in processor time \(Measure.times(ratio(\.processor)))",
                goal: ("≤ 5×", wall <= 5))
        ]
    }
}

/// Memory of a long pipeline, beside that of a sum.
enum MemoryBenchmark {
    static func run(_ effort: Effort) throws -> [Finding] {
        let rutter = try Child.rutter()
        let scratch = try Scratch()
        let rows = "range 1 1000000 | where it > 5"
        func peak(_ entry: String) throws -> Int {
            try SessionMemory.peak(
                of: entry, program: URL(fileURLWithPath: rutter), workspace: scratch.url) / 1024
        }
        let base = try peak("1 + 1")
        let summary = "extend km=n / 1000.0 tens=n % 10 | summarize count() mean(km) by tens"
        return try ["\(rows) | first 10", "\(rows) | count", "range 1 1000000 | each {n: it} | \(summary)"]
            .map { entry in
                let kilobytes = try peak(entry)
                // Constant: a list of a million values would take 40 MB and more.
                return Finding(
                    "memory: \(entry)", "\(kilobytes / 1024)MB",
                    reference: "1 + 1 \(base / 1024)MB, \(Measure.times(Double(kilobytes) / Double(base)))",
                    goal: ("≤ 10MB more", kilobytes - base <= 10_240))
            }
    }
}
