import Foundation
import PluginKit

// stores-bench [--quick] [--mutations [COUNT [SEED]]] [--recovery [COUNT [SEED]]]: measures, or damages and repairs COUNT stores, whose
// copies must be sound, or have every row that can be read.
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rutter-stores-bench-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
var code: Int32 = 0
let arguments = Array(CommandLine.arguments.dropFirst())
do {
    if arguments.first == MutationHunt.worker, arguments.count == 4, let seed = UInt64(arguments[1]),
        let first = Int(arguments[2]), let end = Int(arguments[3]), first <= end
    {
        try await MutationHunt.work(seed, first..<end)
    } else if arguments.first == RecoveryHunt.worker, arguments.count == 4, let seed = UInt64(arguments[1]),
        let first = Int(arguments[2]), let end = Int(arguments[3]), first <= end
    {
        try await RecoveryHunt.work(seed, first..<end)
    } else if arguments.first == "--recovery" {
        let numbers = arguments.dropFirst().compactMap { Int($0) }
        let hunt = RecoveryHunt(count: numbers.first ?? 5_000, seed: UInt64(numbers.dropFirst().first ?? 1))
        code = try hunt.run() ? 0 : 1
    } else if arguments.first == "--mutations" {
        let numbers = arguments.dropFirst().compactMap { Int($0) }
        let hunt = MutationHunt(count: numbers.first ?? 10_000, seed: UInt64(numbers.dropFirst().first ?? 1))
        code = try hunt.run() ? 0 : 1
    } else {
        try await StoresBenchmark(folder: folder, isQuick: arguments.contains("--quick")).run()
    }
} catch let error as RutterError {
    say("\(error.code): \(error.message)")
    code = 1
}
try? FileManager.default.removeItem(at: folder)
exit(code)
