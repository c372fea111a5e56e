import Foundation

/// The time from start to first output, beside that of the sqlite3 shell.
enum StartBenchmark {
    static func run(_ effort: Effort) throws -> [Finding] {
        let rutter = try Child.rutter()
        let scratch = try Scratch()
        var own: [Double] = []
        var other: [Double] = []
        for _ in 0..<effort.count(40, quick: 8) {
            own.append(try Child(rutter, ["--workspace", scratch.url.path, "-c", "1 + 1"]).firstOutput)
            other.append(try Child("/usr/bin/sqlite3", [":memory:", "select 1"]).firstOutput)
        }
        let ratio = Measure.median(own) / Measure.median(other)
        return [
            Finding(
                "start: rutter -c '1 + 1'", Measure.milliseconds(Measure.median(own)),
                reference: "sqlite3 \(Measure.milliseconds(Measure.median(other))), \(Measure.times(ratio))",
                goal: ("≤ 8×", ratio <= 8))
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
            let child = try Child(rutter, ["--workspace", scratch.url.path, "-c", entry])
            if child.status != 0 { throw Skip(description: "`\(entry)` fails: a command is missing") }
            return child.peakMemory
        }
        let base = try peak("1 + 1")
        return try ["first 10", "count"].map { last in
            let kilobytes = try peak("\(rows) | \(last)")
            // Constant: a list of a million values would take 40 MB and more.
            return Finding(
                "memory: \(rows) | \(last)", "\(kilobytes / 1024)MB",
                reference: "1 + 1 \(base / 1024)MB, \(Measure.times(Double(kilobytes) / Double(base)))",
                goal: ("≤ 10MB more", kilobytes - base <= 10_240))
        }
    }
}
