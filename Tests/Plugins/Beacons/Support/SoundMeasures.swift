import Foundation
import Geodesy

@testable import BeaconsPlugin

/// Measures of sound by independent formulas, which share no code with the renderer.
enum Measure {
    static let rate = 48_000.0

    /// The amplitude of a frequency in samples, by correlation with it (Goertzel's sum written out), below a Hann window.
    static func amplitude(_ samples: some Collection<Float>, at frequency: Double) -> Double {
        var (re, im, weight) = (0.0, 0.0, 0.0)
        let count = Double(samples.count)
        for (index, sample) in samples.enumerated() {
            let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / count)
            let angle = 2 * .pi * frequency * Double(index) / rate
            re += window * Double(sample) * cos(angle)
            im -= window * Double(sample) * sin(angle)
            weight += window
        }
        return 2 * (re * re + im * im).squareRoot() / weight
    }

    /// The frequency of the greatest amplitude within a range, to the hertz.
    static func peak(_ samples: some Collection<Float>, in range: ClosedRange<Double>) -> Double {
        stride(from: range.lowerBound, through: range.upperBound, by: 1)
            .map { (frequency: $0, amplitude: amplitude(samples, at: $0)) }
            .max { $0.amplitude < $1.amplitude }?.frequency ?? 0
    }

    static func energy(_ samples: some Sequence<Float>) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) }
    }

    /// Seconds by which the left ear is later: where the cross-correlation of both is greatest.
    static func delay(left: [Float], right: [Float]) -> Double {
        let lags = -80...80
        let sums = left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                lags.map { lag in
                    guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else {
                        return 0.0
                    }
                    var (sum, index) = (0.0, max(0, -lag))
                    let end = min(right.count, left.count - lag)
                    while index < end {
                        sum += Double(rightStart[index]) * Double(leftStart[index + lag])
                        index += 1
                    }
                    return sum
                }
            }
        }
        let best = sums.indices.max { sums[$0] < sums[$1] } ?? 0
        return Double(best - 80) / rate
    }

    /// Level of the left ear above the right in decibels.
    static func difference(left: [Float], right: [Float]) -> Double {
        10 * log10(energy(left) / energy(right))
    }
}

/// A rendered sound by ears.
struct Stereo {
    var left: [Float] = []
    var right: [Float] = []
    var outcome = SceneSound.Outcome()

    /// Renders sources in directions around a listener who stands.
    static func scene(
        _ directions: [Double], tone: Tone, head: any HeadModel, seconds: Double, turning: TurnRate? = nil,
        distance: Double = 1000
    ) throws -> Stereo {
        let here = Coordinate(latitude: 0.5, longitude: 0.5)
        let beacons = directions.enumerated().map { index, direction in
            Beacon(
                id: UUID(), name: "b\(index)",
                coordinate: here.destination(bearing: direction, distance: distance), toneID: tone.id)
        }
        var set = BeaconSet(beacons: beacons, tones: [tone])
        set.north.isEnabled = false
        return try scene(
            set, path: ListenerPath(at: here, heading: 0, turning: turning), head: head, seconds: seconds)
    }

    static func scene(
        _ set: BeaconSet, path: ListenerPath, head: any HeadModel, seconds: Double,
        placing: PlacementCalculator = PlacementCalculator()
    ) throws -> Stereo {
        let lineup = AudibleSources(set, from: path.pose(at: 0).coordinate)
        let sound = SceneSound(lineup, path: path, placing: placing, head: head, seconds: seconds)
        var stereo = Stereo()
        stereo.outcome = try sound.render { samples in
            for index in stride(from: 0, to: samples.count, by: 2) {
                stereo.left.append(samples[index])
                stereo.right.append(samples[index + 1])
            }
        }
        return stereo
    }

    var delay: Double { Measure.delay(left: left, right: right) }
    var difference: Double { Measure.difference(left: left, right: right) }
    var energy: Double { Measure.energy(left) + Measure.energy(right) }
    var peak: Float { max(left.map(abs).max() ?? 0, right.map(abs).max() ?? 0) }
}

extension Tone {
    /// A tone that is one plain sine without sweep, decay, attack and echo.
    static func plain(_ frequency: Double, duration: Double = 0.5, interval: Double = 1) -> Tone {
        var tone = Tone(id: UUID(), name: "plain")
        tone.frequency = frequency
        tone.pingDuration = duration
        tone.pingInterval = interval
        tone.echoAttenuation = 0
        tone.harmonic2Amplitude = 0
        tone.harmonic3Amplitude = 0
        tone.harmonic4Amplitude = 0
        tone.transientAmplitude = 0
        tone.pingEnvelopeDecay = 0
        tone.frequencySweepAmount = 0
        tone.fundamentalAmplitude = 0.1
        return tone
    }
}
