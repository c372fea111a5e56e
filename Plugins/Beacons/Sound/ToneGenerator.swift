import Foundation

/// Generates the samples of a tone: one ping and one echo, before soft clipping.
///
/// During the ping, p = t / pingDuration: harmonics of frequency × (1 − sweep × p), each with its amplitude
/// × e^(−pingEnvelopeDecay·p), and a transient × e^(−transientDecay·p). The echo has 0.9 times the
/// frequency, sweeps 1.5 times as far and has three harmonics. The phase is the integral of the frequency,
/// so that a sweep is continuous. Partials above half the sampling rate are omitted to avoid aliasing.
struct ToneGenerator: Sendable {
    /// The ping, and the echo without its delay; both have the ping's length.
    let ping: [Float]
    let echo: [Float]
    /// Samples from one ping to the next, and from a ping to its echo.
    let period: Int
    let echoStart: Int

    /// The echo as specified by the file format.
    private enum Echo {
        static let pitch = 0.9
        static let sweep = 1.5
        static let harmonics = [1, 0.75, 0.6]
    }

    /// The samples of a valid tone.
    init(_ tone: Tone) {
        let rate = Double(BeaconSettings.sampleRate)
        let duration = tone.pingDuration
        period = max(1, Int((tone.pingInterval * rate).rounded()))
        echoStart = Int((tone.echoDelay * rate).rounded())
        let count = min(period, max(1, Int((duration * rate).rounded())))
        let harmonics = tone.harmonics
        let pinging = Voice(frequency: tone.frequency, sweep: tone.frequencySweepAmount, duration: duration)
        ping = (0..<count).map { sample in
            let t = Double(sample) / rate
            let p = t / duration
            let transient =
                tone.transientAmplitude * sin(2 * .pi * tone.transientFrequency * t)
                * exp(-tone.transientDecay * p)
            return Float(pinging.sum(harmonics, at: t) * exp(-tone.pingEnvelopeDecay * p) + transient)
        }
        let echoing = Voice(
            frequency: tone.frequency * Echo.pitch, sweep: tone.frequencySweepAmount * Echo.sweep,
            duration: duration)
        echo = (0..<count).map { sample in
            let t = Double(sample) / rate
            let envelope = tone.echoAttenuation * exp(-tone.echoEnvelopeDecay * t / duration)
            return Float(echoing.sum(Echo.harmonics, at: t) * envelope)
        }
    }

    /// Harmonics of a frequency that changes evenly.
    private struct Voice {
        let frequency: Double
        let sweep: Double
        let duration: Double

        func sum(_ amplitudes: [Double], at t: Double) -> Double {
            let phase = 2 * .pi * frequency * (t - sweep * t * t / (2 * duration))
            let now = abs(frequency * (1 - sweep * t / duration))
            var sum = 0.0
            for (index, amplitude) in amplitudes.enumerated() {
                let number = Double(index + 1)
                guard number * now < Double(BeaconSettings.sampleRate) / 2 else { break }
                sum += amplitude * sin(number * phase)
            }
            return sum
        }
    }

    /// The first seconds of the tone alone, soft-clipped and without direction.
    func samples(_ count: Int) -> [Float] {
        let signal = SourceSignal(self, offset: 0, onset: [])
        var out = [Float](repeating: 0, count: count)
        _ = out.withUnsafeMutableBufferPointer { signal.add(from: 0, into: $0, gain: 1, step: 0) }
        return out
    }
}

/// The noise at the start of each ping, which helps localisation.
enum Onset {
    /// Decaying white noise, the same for every ping of every session.
    static let samples: [Float] = {
        let count = Int(BeaconSettings.onsetDuration * Double(BeaconSettings.sampleRate))
        // SplitMix64 with a fixed seed.
        var state: UInt64 = 0x0B5E_55ED
        return (0..<count).map { sample in
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            z ^= z >> 31
            let noise = Double(z >> 11) * 0x1p-52 - 1
            let p = Double(sample) / Double(count)
            return BeaconSettings.onsetLevel * Float(noise * exp(-BeaconSettings.onsetDecay * p))
        }
    }()
}

/// An endless tone: pings at their interval, echoes in the cycle in which they fall.
struct SourceSignal: Sendable {
    private let tone: ToneGenerator
    private let onset: [Float]
    /// The delay of the first ping, in samples.
    private let offset: Int

    init(_ tone: ToneGenerator, offset: Int, onset: [Float] = Onset.samples) {
        self.tone = tone
        self.offset = offset
        self.onset = onset
    }

    /// Adds the samples from a time on, times a gain that changes by `step` per sample. Returns whether any
    /// is nonzero.
    func add(
        from start: Int, into out: UnsafeMutableBufferPointer<Float>, gain: Float, step: Float
    ) -> Bool {
        let length = tone.ping.count
        let echoCycle = tone.echoStart / tone.period
        let echoAt = tone.echoStart % tone.period
        var isHeard = false
        var index = max(0, offset - start)
        while index < out.count {
            let time = start + index - offset
            let cycle = time / tone.period
            let position = time % tone.period
            let spilled = position + tone.period - echoAt
            let isPing = position < length
            let isEcho = position >= echoAt && position < echoAt + length && cycle >= echoCycle
            let isSpill = spilled < length && cycle > echoCycle
            if !isPing && !isEcho && !isSpill {
                // The start of the next part of the cycle.
                let next = position < echoAt ? echoAt : tone.period
                index += next - position
                continue
            }
            isHeard = true
            var sum: Float = 0
            if isPing { sum += tone.ping[position] }
            if isEcho { sum += tone.echo[position - echoAt] }
            if isSpill { sum += tone.echo[spilled] }
            sum = tanhf(sum)
            if position < onset.count { sum += onset[position] }
            out[index] += sum * (gain + step * Float(index))
            index += 1
        }
        return isHeard
    }
}
