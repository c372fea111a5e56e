import Foundation

/// Keeps a sum below full scale: samples below the knee are unchanged, those above are compressed.
struct Limiter: Sendable {
    /// The greatest magnitude before, and how many samples were compressed.
    private(set) var peak: Float = 0
    private(set) var compressed = 0

    /// A sample, never beyond ±1.
    @inline(__always)
    mutating func limited(_ sample: Float) -> Float {
        let size = abs(sample)
        if size > peak { peak = size }
        let knee = BeaconSettings.limiterKnee
        guard size > knee else { return sample }
        compressed += 1
        let room = 1 - knee
        let out = knee + room * tanhf((size - knee) / room)
        return sample < 0 ? -out : out
    }
}
