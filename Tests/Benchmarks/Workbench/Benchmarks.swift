import Foundation

/// `rutter-bench`: measures the promised speed and memory, each compared with a reference in the same run.
///
/// It never fails because of a time, since a loaded machine is slow. `--quick` measures less often, for
/// CI; words are parts of names of the benchmarks to run.
@main
enum Benchmarks {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        let effort = arguments.contains("--quick") ? Effort.quick : .full
        let wanted = arguments.filter { !$0.hasPrefix("--") }
        let all: [(name: String, run: (Effort) async throws -> [Finding])] = [
            ("start", StartBenchmark.run), ("near", NearBenchmark.run), ("import", ImportBenchmark.run),
            ("cells", CellBenchmark.run), ("parse", ParseBenchmark.run), ("rows", RowsBenchmark.run),
            ("memory", MemoryBenchmark.run),
            ("plugins", PluginBenchmark.run),
        ]
        var missed = 0
        if let load = try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8).prefix(4) {
            print(
                "load \(load) on \(ProcessInfo.processInfo.activeProcessorCount) processors; with a load above 1, times are too long"
            )
        }
        for (name, run) in all where wanted.isEmpty || wanted.contains(where: name.contains) {
            do {
                for finding in try await run(effort) {
                    print(finding.line)
                    if finding.isMet == false { missed += 1 }
                }
            } catch {
                print("\(name): skipped, \(error)")
            }
            fflush(nil)
        }
        print(missed == 0 ? "all goals are met" : "\(missed) goals are missed")
    }
}

/// How often to measure.
enum Effort {
    case quick, full

    /// A number for a full run, and one for a short run.
    func count(_ full: Int, quick: Int) -> Int { self == .full ? full : quick }
}

/// The result of a benchmark.
struct Finding {
    let line: String
    /// Whether the goal is met; `nil` when there is none.
    let isMet: Bool?

    /// A measure, with a reference and a goal if it has them.
    init(
        _ what: String, _ measure: String, reference: String? = nil, goal: (text: String, isMet: Bool)? = nil
    ) {
        let goalText = goal.map { "\($0.isMet ? "met" : "MISSED"): goal \($0.text)" }
        let parts = [measure, reference, goalText].compactMap { $0 }
        line =
            what.padding(toLength: max(42, what.count), withPad: " ", startingAt: 0) + " "
            + parts.joined(separator: "; ")
        isMet = goal?.isMet
    }
}

/// Why a benchmark cannot run here.
struct Skip: Error, CustomStringConvertible {
    let description: String
}
