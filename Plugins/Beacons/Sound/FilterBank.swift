import Foundation

/// The ears' responses for each degree around the listener, as spectra of blocks, computed on first use.
///
/// Both ears are one complex response, left + i·right: a real source then needs one product per bin for
/// both, and the mix one inverse transform.
struct FilterBank {
    /// A source without a direction.
    static let everywhere = 360
    private static let keys = 361

    /// Length of the transform, and the number of blocks of a response.
    let size: Int
    let parts: Int
    private let head: any HeadModel
    private let transform: FourierTransform
    /// For each key the spectra of its parts: real then imaginary numbers of each part.
    private var spectra: [[Float]]

    init(head: any HeadModel, transform: FourierTransform) {
        self.head = head
        self.transform = transform
        size = transform.count
        let block = transform.count / 2
        let longest = head.taps + BeaconSettings.behindTaps
        parts = (longest + block - 1) / block
        spectra = Array(repeating: [], count: Self.keys)
    }

    /// The key of a relative bearing in degrees, rounded to a degree.
    static func key(relative: Double) -> Int { Int(relative.rounded()) % 360 }

    /// The spectra of a key.
    mutating func spectrum(_ key: Int) -> [Float] {
        if spectra[key].isEmpty { spectra[key] = made(key) }
        return spectra[key]
    }

    private func made(_ key: Int) -> [Float] {
        let ears = key == Self.everywhere ? EarResponses.everywhere : head.heard(relative: Double(key))
        let block = size / 2
        var result = [Float](repeating: 0, count: 2 * size * parts)
        result.withUnsafeMutableBufferPointer { result in
            guard let base = result.baseAddress else { return }
            for part in 0..<parts {
                let re = base + 2 * size * part
                let im = re + size
                for index in 0..<block {
                    let tap = part * block + index
                    if tap < ears.left.count { re[index] = ears.left[tap] }
                    if tap < ears.right.count { im[index] = ears.right[tap] }
                }
                transform.forward(re, im)
            }
        }
        return result
    }
}
