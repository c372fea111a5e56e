import Foundation

/// The discrete Fourier transform of complex numbers, of a length that is a power of two.
///
/// The forward transform uses decimation in frequency and leaves its result in bit-reversed order; the
/// inverse uses decimation in time from that order. Nothing in between needs the natural order, so no
/// reordering is done.
struct FourierTransform: Sendable {
    let count: Int
    /// The roots of unity of all stages, concatenated, the longest stage first.
    private let cosines: [Float]
    private let sines: [Float]

    init(count: Int) {
        self.count = count
        var (cosines, sines): ([Float], [Float]) = ([], [])
        var half = count / 2
        while half >= 1 {
            for index in 0..<half {
                let angle = -Double.pi * Double(index) / Double(half)
                cosines.append(Float(cos(angle)))
                sines.append(Float(sin(angle)))
            }
            half /= 2
        }
        self.cosines = cosines
        self.sines = sines
    }

    /// Transforms in place, into bit-reversed order.
    func forward(_ re: UnsafeMutablePointer<Float>, _ im: UnsafeMutablePointer<Float>) {
        cosines.withUnsafeBufferPointer { cosines in
            sines.withUnsafeBufferPointer { sines in
                var half = count / 2
                var stage = 0
                while half >= 1 {
                    var start = 0
                    while start < count {
                        for index in 0..<half {
                            let (a, b) = (start + index, start + index + half)
                            let (ar, ai, br, bi) = (re[a], im[a], re[b], im[b])
                            let (c, s) = (cosines[stage + index], sines[stage + index])
                            let (dr, di) = (ar - br, ai - bi)
                            re[a] = ar + br
                            im[a] = ai + bi
                            re[b] = dr * c - di * s
                            im[b] = dr * s + di * c
                        }
                        start += 2 * half
                    }
                    stage += half
                    half /= 2
                }
            }
        }
    }

    /// Inverse transform in place, from bit-reversed order, without dividing by the count.
    func backward(_ re: UnsafeMutablePointer<Float>, _ im: UnsafeMutablePointer<Float>) {
        cosines.withUnsafeBufferPointer { cosines in
            sines.withUnsafeBufferPointer { sines in
                var half = 1
                var stage = count - 2
                while half < count {
                    var start = 0
                    while start < count {
                        for index in 0..<half {
                            let (a, b) = (start + index, start + index + half)
                            let (c, s) = (cosines[stage + index], -sines[stage + index])
                            let (br, bi) = (re[b] * c - im[b] * s, re[b] * s + im[b] * c)
                            let (ar, ai) = (re[a], im[a])
                            re[a] = ar + br
                            im[a] = ai + bi
                            re[b] = ar - br
                            im[b] = ai - bi
                        }
                        start += 2 * half
                    }
                    half *= 2
                    stage -= half
                }
            }
        }
    }
}
