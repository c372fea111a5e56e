import Foundation
import Testing

/// The most memory that this process ever used, in kilobytes (`VmHWM` of Linux). Only meaningful in a separate process: read it inside
/// `#expect(processExitsWith: .success) { … }`, where no other test runs beside it.
public func peakMemory() throws -> Int { try peakMemory(of: ProcessInfo.processInfo.processIdentifier) }

/// The most memory that a running process ever used, in kilobytes.
func peakMemory(of process: Int32) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber)))
}
