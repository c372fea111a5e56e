import Foundation

/// The samples of a WAV file.
public struct WAVSound: Sendable, Hashable {
    /// Their format.
    public var format: WAVFormat
    /// Interleaved by frame, each within ±1.
    public var samples: [Float]

    /// A sound.
    public init(format: WAVFormat, samples: [Float]) {
        self.format = format
        self.samples = samples
    }

    /// The first channel resampled to another rate, by linear interpolation.
    public func mono(rate: Int) -> [Float] {
        let first = stride(from: 0, to: samples.count, by: format.channels).map { samples[$0] }
        guard rate != format.rate, first.count > 1 else { return first }
        let step = Double(format.rate) / Double(rate)
        return (0..<Int(Double(first.count - 1) / step)).map { index in
            let at = Double(index) * step
            let low = Int(at)
            return first[low] + Float(at - Double(low)) * (first[low + 1] - first[low])
        }
    }
}

/// Why bytes are not a supported WAV file.
public struct WAVFault: Error, CustomStringConvertible {
    /// The problem.
    public let description: String
}

/// Reads WAV files of 16-bit PCM (RIFF; "Multimedia Programming Interface and Data Specifications 1.0", IBM
/// and Microsoft 1991). A program that writes to a pipe cannot know the length of its data, so a
/// stated length beyond the end of the file is accepted.
public enum WAVReader {
    /// Decodes a file's bytes. Throws `WAVFault`.
    public static func sound(_ data: Data) throws(WAVFault) -> WAVSound {
        let bytes = [UInt8](data)
        guard bytes.count >= 12, text(bytes, 0) == "RIFF", text(bytes, 8) == "WAVE" else {
            throw WAVFault(description: "not a WAV file")
        }
        var format: WAVFormat?
        var at = 12
        while at + 8 <= bytes.count {
            let length = Int(number(bytes, at + 4, 4))
            let body = at + 8
            switch text(bytes, at) {
            case "fmt ": format = try Self.format(bytes, body)
            case "data":
                guard let format else { throw WAVFault(description: "the data precede the format") }
                let end = min(bytes.count, body + length)
                let whole = (end - body) / (WAVFile.bytesPerSample * format.channels) * format.channels
                let samples = (0..<whole).map { index in
                    max(
                        -1,
                        Float(Int16(truncatingIfNeeded: number(bytes, body + 2 * index, 2)))
                            / Float(Int16.max))
                }
                return WAVSound(format: format, samples: samples)
            default: break
            }
            // Chunks have an even length.
            at = body + length + length % 2
        }
        throw WAVFault(description: "the file has no data")
    }

    private static func format(_ bytes: [UInt8], _ at: Int) throws(WAVFault) -> WAVFormat {
        guard at + 16 <= bytes.count else { throw WAVFault(description: "truncated format chunk") }
        let (channels, rate) = (Int(number(bytes, at + 2, 2)), Int(number(bytes, at + 4, 4)))
        guard number(bytes, at, 2) == 1, number(bytes, at + 14, 2) == 16, (1...8).contains(channels),
            rate > 0
        else { throw WAVFault(description: "only 16-bit PCM is supported") }
        return WAVFormat(rate: rate, channels: channels)
    }

    private static func text(_ bytes: [UInt8], _ at: Int) -> String {
        String(decoding: bytes[at..<(at + 4)], as: UTF8.self)
    }

    private static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> UInt32 {
        (0..<count).reduce(0) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) }
    }
}
