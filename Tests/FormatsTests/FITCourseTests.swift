import CivilTime
import Formats
import Foundation
import Geodesy
import PluginTestKit
import Testing

/// FIT: courses.
struct FITCourseTests {
    private static let start: UInt32 = 1_100_000_000

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian, Array.init)
    }

    /// A record at a second, 33 m of latitude per step; the distance and the rate in fields of their own.
    private static func record(_ second: UInt32, step: Int32? = nil, rate: UInt8? = nil) -> [UInt8] {
        [0x40, 0, 0, 20, 0, 4, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 3, 1, 2, 0] + bytes(start + second)
            + bytes(step.map { 560_000_000 + $0 * 3579 } ?? .max)
            + bytes(step.map { _ -> Int32 in 95_000_000 } ?? .max)
            + [rate ?? 0xFF]
    }

    private static func file(_ messages: [UInt8], size: Int? = nil) -> Data {
        Data(
            [14, 0x10, 0x34, 0x08] + bytes(UInt32(size ?? messages.count)) + Array(".FIT".utf8) + [0, 0]
                + messages)
    }

    @Test func aCourseIsAPlan() throws {
        let type: [UInt8] = [0x43, 0, 0, 0, 0, 1, 0, 1, 0, 3, 6]
        let messages = type + Self.record(0, step: 0) + Self.record(10, step: 1)
        let document = try FITReader.document(Self.file(messages), "a.fit")
        #expect(document.tracks.first?.isPlan == true)
        #expect(document.notices.contains { $0.hasPrefix("a course is a plan") })
    }
}
