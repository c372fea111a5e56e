import Foundation

// Runs all benchmarks, or the named ones: `export-bench exports imports week`.
let wanted = Set(CommandLine.arguments.dropFirst())
func isWanted(_ part: String) -> Bool { wanted.isEmpty || wanted.contains(part) }

do {
    if isWanted("exports") { try await ExportBenchmark().run() }
    if isWanted("week") { try await WeekBenchmark().run() }
    if isWanted("imports") { try await ImportBenchmark().run() }
} catch {
    print("export-bench: \(error)")
    exit(1)
}
