import Core
import Foundation

/// The format of a WAV file's samples.
public struct WAVFormat: Sendable, Hashable {
    /// Samples per second of each channel.
    public var rate: Int
    /// Number of channels: 1 for mono, 2 for stereo.
    public var channels: Int

    /// A format with 16 bits per sample.
    public init(rate: Int, channels: Int) {
        self.rate = rate
        self.channels = channels
    }
}

/// Writes a WAV file (RIFF, 16-bit PCM) in blocks: either the file is complete at the end, or nothing has
/// changed.
public final class WAVFile {
    private let file: StagedFile
    private var header: Data
    private var buffer: [Int16] = []
    /// Samples buffered before they are written.
    private static let flushAt = 1 << 17
    static let bytesPerSample = 2

    /// Creates a file with this number of frames; throws `E-FILE-EXISTS` or `E-FILE-ACCESS`.
    public init(_ url: URL, frames: Int, format: WAVFormat, force: Bool, parameter: String = "out") throws {
        file = try StagedFile(url, force: force, parameter: parameter)
        header = Self.header(frames: frames, format)
        buffer.reserveCapacity(Self.flushAt)
    }

    /// Adds samples, interleaved by frame, each within ±1.
    public func write(_ samples: UnsafeBufferPointer<Float>) throws {
        for sample in samples {
            let level = max(-1, min(1, sample.isFinite ? sample : 0))
            buffer.append(Int16((level * Float(Int16.max)).rounded()).littleEndian)
        }
        if buffer.count >= Self.flushAt { try flush() }
    }

    /// Completes the file and moves it to its final name.
    public func finish() throws {
        try flush()
        try file.finish()
    }

    private func flush() throws {
        try header.withUnsafeBytes { try file.write($0) }
        header = Data()
        try buffer.withUnsafeBytes { try file.write($0) }
        buffer.removeAll(keepingCapacity: true)
    }

    /// A canonical WAV header.
    private static func header(frames: Int, _ format: WAVFormat) -> Data {
        let frameBytes = format.channels * bytesPerSample
        let bytes = frames * frameBytes
        var data = Data("RIFF".utf8)
        func append<T: FixedWidthInteger>(_ value: T) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        append(UInt32(clamping: bytes + 36))
        data.append(contentsOf: Data("WAVEfmt ".utf8))
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(format.channels))
        append(UInt32(format.rate))
        append(UInt32(format.rate * frameBytes))
        append(UInt16(frameBytes))
        append(UInt16(8 * bytesPerSample))
        data.append(contentsOf: Data("data".utf8))
        append(UInt32(clamping: bytes))
        return data
    }
}
