import Foundation

// Measures place find, and prints ratios against references measured in the same run.
do {
    try await PlacesBenchmark(CommandLine.arguments).run()
} catch {
    print("failed: \(error)")
    exit(1)
}
