import Foundation
import PluginKit

// stores-bench [--quick]
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rutter-stores-bench-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
var code: Int32 = 0
do {
    try await StoresBenchmark(folder: folder, isQuick: CommandLine.arguments.contains("--quick")).run()
} catch let error as RutterError {
    say("\(error.code): \(error.message)")
    code = 1
}
try? FileManager.default.removeItem(at: folder)
exit(code)
