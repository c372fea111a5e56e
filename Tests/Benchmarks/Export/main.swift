import Foundation

do {
    try await ExportBenchmark().run()
} catch {
    print("export-bench: \(error)")
    exit(1)
}
