import Foundation
import PluginKit

// transit-bench [--data FOLDER] [--quick] [PART…]: all parts, or some of import, regions, departures, search, clusters, check,
//   realtime, journeys
// transit-bench --compare [--data FOLDER] [FEED…]: all departures of whole feeds beside the slow reference
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rutter-transit-bench-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
var arguments = Array(CommandLine.arguments.dropFirst())
var data = URL(fileURLWithPath: "../shared/data/gtfs")
if let place = arguments.firstIndex(of: "--data"), place + 1 < arguments.count {
    data = URL(fileURLWithPath: arguments[place + 1]).appendingPathComponent("gtfs")
    arguments.removeSubrange(place...place + 1)
}
do {
    var isRight = true
    if let option = arguments.firstIndex(of: "--compare") {
        arguments.remove(at: option)
        isRight = try FeedComparison(data: data, feeds: arguments, folder: folder).run()
    } else {
        let parts = arguments.filter { !$0.hasPrefix("--") }
        try TransitBenchmark(
            data: data, isQuick: arguments.contains("--quick"), parts: parts, folder: folder
        ).run()
    }
    if !isRight {
        try? FileManager.default.removeItem(at: folder)
        exit(1)
    }
} catch let error as RutterError {
    say("\(error.code): \(error.message)")
    try? FileManager.default.removeItem(at: folder)
    exit(1)
}
