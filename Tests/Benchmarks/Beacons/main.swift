import Foundation

// Renders scenes, and prints ratios against a reference measured in the same run.
do {
    try BeaconsBenchmark(isQuick: CommandLine.arguments.contains("--quick")).run()
} catch {
    print("failed: \(error)")
    exit(1)
}
