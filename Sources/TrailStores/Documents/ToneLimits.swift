/// The numbers of a tone in `tones.json` and the values that can be played: hertz, seconds, and plain numbers.
public enum ToneLimits {
    /// The keys in the order of the format, each with its range.
    public static let all: [(key: String, range: ClosedRange<Double>)] = [
        ("frequency", 20...20_000), ("pingDuration", 0.001...10), ("pingInterval", 0.05...60),
        ("echoDelay", 0...120), ("echoAttenuation", 0...1), ("fundamentalAmplitude", 0...10),
        ("harmonic2Amplitude", 0...10), ("harmonic3Amplitude", 0...10), ("harmonic4Amplitude", 0...10),
        ("transientFrequency", 20...20_000), ("transientAmplitude", 0...10), ("transientDecay", 0...1000),
        ("pingEnvelopeDecay", 0...1000), ("echoEnvelopeDecay", 0...1000),
        // The share of the frequency by which a ping falls; a negative one rises.
        ("frequencySweepAmount", -1...1),
    ]

    /// The range of a key; every number for one that tones do not have.
    public static func range(of key: String) -> ClosedRange<Double> {
        all.first { $0.key == key }?.range ?? -.infinity ... .infinity
    }
}
