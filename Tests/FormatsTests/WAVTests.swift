import Core
import Formats
import Foundation
import PluginTestKit
import Testing

struct WAVTests {
    private static let format = WAVFormat(rate: 22_050, channels: 1)

    /// A header by the layout of the specification, written by hand: 16 bits, mono, 22,050 Hz.
    private static func file(_ samples: [Int16], length: UInt32? = nil) -> Data {
        var data = Data("RIFF".utf8)
        func append<T: FixedWidthInteger>(_ value: T) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        let bytes = length ?? UInt32(2 * samples.count)
        append(bytes &+ 36)
        data.append(contentsOf: Data("WAVEfmt ".utf8))
        for (value, size) in [(16, 4), (1, 2), (1, 2), (22_050, 4), (44_100, 4), (2, 2), (16, 2)] {
            if size == 4 { append(UInt32(value)) } else { append(UInt16(value)) }
        }
        data.append(contentsOf: Data("data".utf8))
        append(bytes)
        for sample in samples { append(sample) }
        return data
    }

    @Test func whatIsWrittenIsRead() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("s.wav")
        let file = try WAVFile(url, frames: 3, format: Self.format, force: false)
        try [Float(0), 1, -1].withUnsafeBufferPointer { try file.write($0) }
        try file.finish()
        let data = try Data(contentsOf: url)
        #expect(data == Self.file([0, 32_767, -32_767]))
        #expect(try WAVReader.sound(data) == WAVSound(format: Self.format, samples: [0, 1, -1]))
    }

    /// A program that writes to a pipe states the largest length.
    @Test func aLengthThatIsNotTrueEndsWithTheFile() throws {
        let sound = try WAVReader.sound(Self.file([32_767, 0], length: 0x7FFF_F000))
        #expect(sound.samples == [1, 0])
    }

    @Test func anotherRate() {
        let sound = WAVSound(format: WAVFormat(rate: 2, channels: 2), samples: [0, 9, 1, 9, 0.5, 9])
        #expect(sound.mono(rate: 2) == [0, 1, 0.5])
        #expect(sound.mono(rate: 4) == [0, 0.5, 1, 0.75])
    }

    @Test func whatIsNoSound() {
        var compressed = [UInt8](Self.file([1]))
        compressed[20] = 2
        let cases: [(Data, String)] = [
            (Data(), "not a WAV file"), (Data("RIFF0000WAVE".utf8), "the file has no data"),
            (Data("{}".utf8), "not a WAV file"), (Data(compressed), "only 16-bit PCM is supported"),
            (Data("RIFF0000WAVEdata0000".utf8), "the data precede the format"),
            (Self.file([1]).prefix(30), "truncated format chunk"),
        ]
        for (data, fault) in cases {
            #expect(throws: WAVFault.self) { try WAVReader.sound(data) }
            do { _ = try WAVReader.sound(data) } catch { #expect("\(error)" == fault) }
        }
    }
}
