import Core
import Foundation
import GRDB
import Geodesy
import TrailStores

/// The source of a map's heights during an import.
public struct HeightSource: Sendable {
    /// Samples per degree.
    public let samplesPerDegree: Int
    /// The attribution.
    public let source: String
    /// The height in metres at a latitude and longitude; `nil` if unknown.
    public let height: @Sendable (Double, Double) -> Double?

    /// A source.
    public init(
        samplesPerDegree: Int, source: String, height: @escaping @Sendable (Double, Double) -> Double?
    ) {
        self.samplesPerDegree = samplesPerDegree
        self.source = source
        self.height = height
    }
}

/// Heights of a region in square pieces of a global grid: rows from the north pole, columns from 180° west.
enum HeightTable {
    /// Samples along a side of a piece.
    static let side = 128
    /// The value of an unknown height.
    static let unknown = Int16.min
    /// The maximum number of samples of a region; a larger one stores coarser heights.
    private static let mostSamples = 40_000_000
    /// The margin around a region with heights, in degrees, so that relief reaches the edge.
    private static let margin = 0.02

    /// Writes the heights around a box; returns the stored samples per degree, or `nil` if all are unknown.
    static func write(_ source: HeightSource, around box: BoundingBox?, to db: Database) throws -> Int? {
        guard let box else { return nil }
        var perDegree = max(1, source.samplesPerDegree)
        let area = (box.longitudeSpan + 2 * margin) * (box.latitudeSpan + 2 * margin)
        while perDegree > 60, area * Double(perDegree * perDegree) > Double(mostSamples) { perDegree /= 2 }
        let insert = try RawStatement(db, MapTableSchema.insertHeights)
        let columns = Set(
            box.longitudeRanges.flatMap { range in
                pieces(
                    range.lowerBound - margin + 180, min(360, range.upperBound + margin + 180), perDegree)
            }
        ).sorted()
        let rows = pieces(90 - box.north - margin, 90 - box.south + margin, perDegree)
        var isKnown = false
        for down in rows {
            for across in columns {
                try Interruption.check()
                guard let samples = samples(source, perDegree, across, down) else { continue }
                isKnown = true
                insert.bind(1, Int64(perDegree))
                insert.bind(2, Int64(across))
                insert.bind(3, Int64(down))
                try RawDeflate.deflate(bytes(samples)).withUnsafeBytes {
                    insert.bind(4, blob: $0)
                    try insert.run()
                }
            }
        }
        return isKnown ? perDegree : nil
    }

    private static func pieces(_ from: Double, _ to: Double, _ perDegree: Int) -> ClosedRange<Int> {
        let first = Int((max(0, from) * Double(perDegree)).rounded(.down)) / side
        return first...max(first, Int((max(0, to) * Double(perDegree)).rounded(.up)) / side)
    }

    /// The samples of a piece, row by row; `nil` if none is known.
    private static func samples(
        _ source: HeightSource, _ perDegree: Int, _ across: Int, _ down: Int
    ) -> [Int16]? {
        var samples = [Int16](repeating: unknown, count: side * side)
        var isKnown = false
        for row in 0..<side {
            let latitude = 90 - Double(down * side + row) / Double(perDegree)
            for column in 0..<side {
                let longitude = Double(across * side + column) / Double(perDegree) - 180
                guard let height = source.height(latitude, longitude), abs(height) < 20_000 else { continue }
                samples[row * side + column] = Int16(height.rounded())
                isKnown = true
            }
        }
        return isKnown ? samples : nil
    }

    /// Differences along each row, first all low bytes, then all high ones, which deflate best.
    private static func bytes(_ samples: [Int16]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: samples.count * 2)
        for index in samples.indices {
            let before: Int16 =
                index % side > 0 ? samples[index - 1] : index >= side ? samples[index - side] : 0
            let difference = UInt16(bitPattern: samples[index] &- before)
            bytes[index] = UInt8(difference & 255)
            bytes[samples.count + index] = UInt8(difference >> 8)
        }
        return bytes
    }

    /// Packed heights with gaps filled from another table; `nil` if either is damaged.
    static func merged(_ data: Data, _ other: Data) throws -> Data? {
        guard var samples = try samples(data), let others = try Self.samples(other) else { return nil }
        for index in samples.indices where samples[index] == unknown { samples[index] = others[index] }
        return RawDeflate.deflate(bytes(samples))
    }

    /// The samples of packed bytes; `nil` if they are damaged.
    static func samples(_ data: Data) throws -> [Int16]? {
        let count = side * side
        guard case .inflated(let bytes) = try RawDeflate.inflate(data, limit: count * 2, source: "heights"),
            bytes.count == count * 2
        else { return nil }
        var samples = [Int16](repeating: 0, count: count)
        for index in 0..<count {
            let difference = Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[count + index]) << 8)
            let before: Int16 =
                index % side > 0 ? samples[index - 1] : index >= side ? samples[index - side] : 0
            samples[index] = before &+ difference
        }
        return samples
    }
}
