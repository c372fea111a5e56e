import Foundation

/// Compensates the level that the low-pass takes from sources behind, so that they sound duller but not
/// quieter than through the head alone.
///
/// The gain is the square root of the ratio of energies without and with the low-pass, of the signal at
/// both ears over a whole cycle of the sound: soft-clipped, with onset and echo. The energy of a signal
/// through a response is the sum of the products of their autocorrelations, so each direction costs one
/// short transform, whatever the length of the tone.
struct BehindLevel {
    private let head: any HeadModel
    private let transform: FourierTransform
    private let tones: [ToneGenerator]
    /// For lags below half the transform, per source; computed when it is first behind.
    private var signals: [[Float]?]
    private var responses: [Int: (bright: [Float], dull: [Float])] = [:]

    init(tones: [ToneGenerator], head: any HeadModel) {
        self.head = head
        self.tones = tones
        var half = 1
        while half < head.taps + BeaconSettings.behindTaps { half *= 2 }
        transform = FourierTransform(count: 2 * half)
        signals = Array(repeating: nil, count: tones.count)
    }

    /// The gain of a source in a direction of the filter bank; 1 if it is not behind.
    mutating func gain(of source: Int, key: Int) -> Float {
        guard BeaconSettings.behind.contains(Double(key)) else { return 1 }
        let signal = signals[source] ?? autocorrelation(tones[source])
        signals[source] = signal
        let ears =
            responses[key]
            ?? (
                autocorrelation(head.responses(relative: Double(key))),
                autocorrelation(head.heard(relative: Double(key)))
            )
        responses[key] = ears
        let dull = Self.energy(signal, ears.dull)
        return dull > 0 ? Float((Self.energy(signal, ears.bright) / dull).squareRoot()) : 1
    }

    private static func energy(_ signal: [Float], _ response: [Float]) -> Double {
        var sum = Double(signal[0]) * Double(response[0])
        for lag in 1..<signal.count { sum += 2 * Double(signal[lag]) * Double(response[lag]) }
        return sum
    }

    /// The summed autocorrelation of both ears.
    private func autocorrelation(_ ears: EarResponses) -> [Float] {
        var re = [Float](repeating: 0, count: transform.count)
        var im = re
        re.replaceSubrange(..<ears.left.count, with: ears.left)
        im.replaceSubrange(..<ears.right.count, with: ears.right)
        forward(&re, &im)
        for bin in re.indices { (re[bin], im[bin]) = (re[bin] * re[bin] + im[bin] * im[bin], 0) }
        return lags(&re, &im)
    }

    /// The autocorrelation of a cycle of a tone after its first echo, piece by piece.
    private func autocorrelation(_ tone: ToneGenerator) -> [Float] {
        let half = transform.count / 2
        let start = tone.period * (tone.echoStart / tone.period + 1)
        let signal = SourceSignal(tone, offset: 0)
        var sums = [Float](repeating: 0, count: transform.count)
        var products = sums
        for piece in stride(from: 0, to: tone.period, by: half) {
            var whole = [Float](repeating: 0, count: transform.count)
            let count = min(2 * half, tone.period - piece)
            let isHeard = whole.withUnsafeMutableBufferPointer {
                signal.add(
                    from: start + piece, into: UnsafeMutableBufferPointer(rebasing: $0[..<count]), gain: 1,
                    step: 0)
            }
            guard isHeard else { continue }
            var first = whole
            for sample in half..<transform.count { first[sample] = 0 }
            // Each piece with itself and the following one: conj(A) · C.
            var (firstIm, wholeIm) = (
                [Float](repeating: 0, count: transform.count), [Float](repeating: 0, count: transform.count)
            )
            forward(&first, &firstIm)
            forward(&whole, &wholeIm)
            for bin in sums.indices {
                sums[bin] += first[bin] * whole[bin] + firstIm[bin] * wholeIm[bin]
                products[bin] += first[bin] * wholeIm[bin] - firstIm[bin] * whole[bin]
            }
        }
        return lags(&sums, &products)
    }

    private func forward(_ re: inout [Float], _ im: inout [Float]) {
        re.withUnsafeMutableBufferPointer { re in
            im.withUnsafeMutableBufferPointer { im in
                guard let a = re.baseAddress, let b = im.baseAddress else { return }
                transform.forward(a, b)
            }
        }
    }

    private func lags(_ re: inout [Float], _ im: inout [Float]) -> [Float] {
        re.withUnsafeMutableBufferPointer { re in
            im.withUnsafeMutableBufferPointer { im in
                guard let a = re.baseAddress, let b = im.baseAddress else { return }
                transform.backward(a, b)
            }
        }
        return re.prefix(transform.count / 2).map { $0 / Float(transform.count) }
    }
}
