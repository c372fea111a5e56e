import Foundation
import PluginKit

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rutter-transit-bench-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
do {
    try TransitBenchmark(arguments: Array(CommandLine.arguments.dropFirst()), folder: folder).run()
} catch let error as RutterError {
    print("\(error.code): \(error.message)")
    try? FileManager.default.removeItem(at: folder)
    exit(1)
}
