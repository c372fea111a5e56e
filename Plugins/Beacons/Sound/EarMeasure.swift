import Foundation

/// Delay, levels and timbre of the ears' responses.
struct EarMeasure: Sendable, Hashable {
    /// Seconds by which the left ear hears later than the right: positive for sources on the right.
    let delay: Double
    /// Levels of the ears in decibels, over all frequencies, of a click of level 1.
    let left: Double
    let right: Double
    /// Mean frequency of what both ears hear of a click, weighted by energy, in hertz.
    let brightness: Double

    /// Longest delay of a head, in samples, with a margin.
    private static let longestDelay = 60

    /// Measures responses: the delay is the lag of the maximum of their cross-correlation, interpolated by a parabola.
    init(_ ears: EarResponses) {
        let (left, right) = (ears.left.map(Double.init), ears.right.map(Double.init))
        let correlations = (-Self.longestDelay...Self.longestDelay).map { lag in
            right.indices.reduce(0.0) { sum, index in
                left.indices.contains(index + lag) ? sum + right[index] * left[index + lag] : sum
            }
        }
        let best = correlations.indices.max { correlations[$0] < correlations[$1] } ?? 0
        var shift = Double(best - Self.longestDelay)
        if best > 0, best + 1 < correlations.count {
            let (a, b, c) = (correlations[best - 1], correlations[best], correlations[best + 1])
            let bend = a - 2 * b + c
            if bend < 0 { shift += (a - c) / (2 * bend) }
        }
        delay = shift / Double(BeaconSettings.sampleRate)
        self.left = Self.decibels(left)
        self.right = Self.decibels(right)
        brightness = Self.centroid(left, right)
    }

    private static func decibels(_ response: [Double]) -> Double {
        10 * log10(max(response.reduce(0) { $0 + $1 * $1 }, 1e-12))
    }

    /// The mean frequency of both responses' energy.
    private static func centroid(_ left: [Double], _ right: [Double]) -> Double {
        var size = 2
        while size < max(left.count, right.count) { size *= 2 }
        var re = [Float](repeating: 0, count: size)
        var im = re
        for index in left.indices { re[index] = Float(left[index]) }
        for index in right.indices { im[index] = Float(right[index]) }
        FourierTransform(count: size).forward(&re, &im)
        // The bins are in bit-reversed order. Energy at f and −f of left + i·right is that of both ears together.
        let bits = size.trailingZeroBitCount
        var (sum, weighted) = (0.0, 0.0)
        for index in 0..<size {
            let bin = Int(UInt64(index).bitReversed >> UInt64(64 - bits))
            let energy = Double(re[index] * re[index] + im[index] * im[index])
            sum += energy
            weighted += energy * Double(min(bin, size - bin))
        }
        return sum > 0 ? weighted / sum * Double(BeaconSettings.sampleRate) / Double(size) : 0
    }
}

extension UInt64 {
    /// The bits in reverse order.
    fileprivate var bitReversed: UInt64 {
        var (value, result) = (self, UInt64(0))
        for _ in 0..<64 {
            result = result << 1 | value & 1
            value >>= 1
        }
        return result
    }
}
