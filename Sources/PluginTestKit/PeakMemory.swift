import Foundation
import Testing

/// The most memory that this process ever used, in kilobytes (`VmHWM` of Linux). Only meaningful in a separate process: read it inside
/// `#expect(processExitsWith: .success) { … }`, where no other test runs beside it.
public func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber)))
}
