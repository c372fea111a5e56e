import Foundation
import PluginKit

/// Haptic feedback as a sound, if there is no voice: the kinds differ in pitch.
struct HapticSignal {
    /// A tone: hertz, 0 for a rest, and seconds.
    typealias Tone = (pitch: Double, seconds: Double)

    let tones: [Tone]

    /// The signal of an event; a short low tone for one without feedback.
    init(_ event: GuidanceEvent) {
        tones =
            switch Haptic(event) {
            case .click: [(1000, 0.06)]
            // Down is left and up is right, as the feedback is felt on the wrist.
            case .directionDown: [(880, 0.12), (587, 0.18)]
            case .directionUp: [(587, 0.12), (880, 0.18)]
            case .failure: [(220, 0.15), (0, 0.08), (220, 0.15), (0, 0.08), (220, 0.15)]
            case .success: [(523, 0.12), (659, 0.12), (784, 0.24)]
            case nil: [(330, 0.12)]
            }
    }

    private static let level: Float = 0.5
    /// Seconds of fade in and fade out, to avoid clicks.
    private static let edge = 0.008

    /// Its samples at a rate.
    func samples(rate: Int) -> [Float] {
        tones.flatMap { tone in
            let count = Int(tone.seconds * Double(rate))
            return (0..<count).map { index in
                let time = Double(index) / Double(rate)
                let rise = min(1, time / Self.edge, (tone.seconds - time) / Self.edge)
                return Self.level * Float(rise * sin(2 * .pi * tone.pitch * time))
            }
        }
    }
}
