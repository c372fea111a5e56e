import Foundation
import Testing

@testable import BeaconsPlugin

/// The tone generator, measured on its samples.
struct ToneTests {
    private static func standard() throws -> Tone {
        try #require(try ToneFile.tones(in: Data(StandardTones.json.utf8)).first)
    }

    @Test func thePingIsTheFormulaOfThePage() throws {
        // Written out from the page: f falls by 40 %, phase its integral, four equal harmonics, e^(−3p), attack 3 kHz.
        let generator = ToneGenerator(try Self.standard())
        #expect(generator.ping.count == 7200)
        for sample in stride(from: 0, to: 7200, by: 97) {
            let t = Double(sample) / 48_000
            let p = t / 0.15
            let phase = 2 * Double.pi * 830 * (t - 0.4 * t * t / 0.3)
            let harmonics = (1...4).reduce(0.0) { $0 + sin(Double($1) * phase) } * exp(-3 * p)
            let attack = 0.3 * sin(2 * .pi * 3000 * t) * exp(-50 * p)
            #expect(abs(Double(generator.ping[sample]) - harmonics - attack) < 1e-5)
        }
    }

    @Test func theEchoIsTheFormulaOfThePage() throws {
        let generator = ToneGenerator(try Self.standard())
        for sample in stride(from: 0, to: 7200, by: 89) {
            let t = Double(sample) / 48_000
            let phase = 2 * Double.pi * 830 * 0.9 * (t - 0.6 * t * t / 0.3)
            let harmonics = sin(phase) + 0.75 * sin(2 * phase) + 0.6 * sin(3 * phase)
            let expected = 0.28 * harmonics * exp(-4 * t / 0.15)
            #expect(abs(Double(generator.echo[sample]) - expected) < 1e-5)
        }
    }

    @Test(arguments: [830.0, 600, 440])
    func fundamentalAndHarmonicsStandInTheSpectrum(frequency: Double) {
        var tone = Tone.plain(frequency)
        tone.fundamentalAmplitude = 0.2
        tone.harmonic2Amplitude = 0.16
        tone.harmonic3Amplitude = 0.12
        tone.harmonic4Amplitude = 0.08
        let ping = ToneGenerator(tone).ping
        #expect(abs(Measure.peak(ping, in: frequency - 40...frequency + 40) - frequency) <= 1)
        for (number, wanted) in zip(1...5, [0.2, 0.16, 0.12, 0.08, 0]) {
            #expect(abs(Measure.amplitude(ping, at: frequency * Double(number)) - wanted) < 0.002)
        }
    }

    @Test func theSweepFallsByItsShareOfTheFrequency() {
        var tone = Tone.plain(1000, duration: 1, interval: 1)
        tone.frequencySweepAmount = 0.4
        let ping = ToneGenerator(tone).ping
        // Around p the frequency is 1000 × (1 − 0.4 p).
        for (p, wanted) in [(0.1, 960.0), (0.5, 800), (0.9, 640)] {
            let middle = Int(p * 48_000)
            let part = ping[(middle - 1200)..<(middle + 1200)]
            #expect(abs(Measure.peak(part, in: 500...1100) - wanted) <= 6)
        }
    }

    @Test func aSweepDoesNotJump() throws {
        // No step between samples is greater than the highest partial can make: 2π·3320/48000 for each of four.
        let ping = ToneGenerator(try Self.standard()).ping
        let steepest = zip(ping, ping.dropFirst()).map { abs($1 - $0) }.max() ?? 0
        let harmonics: Double = 2 * .pi * 830 * 10 / 48_000
        let attack: Double = 0.3 * 2 * .pi * 3000 / 48_000
        #expect(Double(steepest) < harmonics + attack)
    }

    @Test(arguments: [0.5, 1.25, 2.0])
    func aCycleIsAsLongAsItsInterval(interval: Double) {
        let tone = Tone.plain(500, duration: 0.1, interval: interval)
        let cycle = Int(interval * 48_000)
        let samples = ToneGenerator(tone).samples(3 * cycle)
        #expect(Array(samples[..<cycle]) == Array(samples[cycle..<(2 * cycle)]))
        #expect(Array(samples[cycle..<(2 * cycle)]) == Array(samples[(2 * cycle)...]))
        #expect(samples[4800..<cycle].allSatisfy { $0 == 0 })
        #expect(Measure.energy(samples[..<4800]) > 1)
    }

    @Test func anEchoIsHeardAfterItsDelay() {
        var tone = Tone.plain(1000, duration: 0.1, interval: 1)
        tone.echoAttenuation = 0.5
        tone.echoDelay = 0.4
        let samples = ToneGenerator(tone).samples(48_000)
        #expect(Measure.energy(samples[4800..<19_200]) == 0)
        // The echo is 0.9 times as high.
        #expect(abs(Measure.peak(samples[19_200..<24_000], in: 800...1100) - 900) <= 2)
    }

    @Test(arguments: [(1.0, 0.0), (1.3, 0.3), (2.7, 0.7)])
    func anEchoPastTheIntervalsEndIsHeardInALaterCycle(delay: Double, at: Double) {
        var tone = Tone.plain(1000, duration: 0.05, interval: 1)
        tone.echoAttenuation = 0.5
        tone.echoDelay = delay
        tone.fundamentalAmplitude = 0
        let generator = ToneGenerator(tone)
        let samples = generator.samples(5 * 48_000)
        let cycles = Int(delay)
        for cycle in 0..<5 {
            let start = cycle * 48_000 + Int((at * 48_000).rounded())
            let energy = Measure.energy(samples[start..<(start + 2400)])
            // The first ping's echo comes only after its delay.
            #expect(cycle < cycles ? energy == 0 : energy > 10)
        }
    }

    @Test func anEchoAcrossTheIntervalsEndGoesOnInTheNext() {
        var tone = Tone.plain(1000, duration: 0.1, interval: 1)
        tone.echoAttenuation = 0.5
        tone.echoDelay = 0.95
        tone.fundamentalAmplitude = 0
        let samples = ToneGenerator(tone).samples(3 * 48_000)
        let echo = Array(samples[(48_000 - 2400)..<(48_000 + 2400)])
        let whole = ToneGenerator(tone).echo.map { tanhf($0) }
        #expect(echo == whole)
        #expect(Array(samples[..<2400]).allSatisfy { $0 == 0 })
    }

    @Test func softClippingStaysBelowFullScale() {
        var tone = Tone.plain(500)
        tone.fundamentalAmplitude = 10
        tone.harmonic3Amplitude = 10
        let samples = ToneGenerator(tone).samples(48_000)
        #expect((samples.map(abs).max() ?? 2) <= 1)
    }

    @Test func partialsAboveHalfTheRateAreLeftOut() {
        var tone = Tone.plain(10_000)
        tone.harmonic3Amplitude = 0.5
        // 30 kHz would alias to 18 kHz.
        #expect(Measure.amplitude(ToneGenerator(tone).ping, at: 18_000) < 1e-4)
    }

    @Test(arguments: [
        ("frequency", 0.0), ("frequency", .nan), ("frequency", 1e9), ("pingDuration", -1),
        ("pingDuration", 0),
        ("pingInterval", 0), ("pingInterval", .infinity), ("echoDelay", -0.5), ("harmonic2Amplitude", -1),
        ("transientDecay", .nan), ("frequencySweepAmount", 1.5), ("pingDuration", 6),
    ])
    func impossibleNumbersAreTold(field: String, value: Double) throws {
        var tone = try Self.standard()
        #expect(tone.fault == nil)
        let known = try #require(ToneField.all.first { $0.name == field })
        tone[keyPath: known.path] = value
        #expect(tone.fault?.contains(field) == true)
    }
}
