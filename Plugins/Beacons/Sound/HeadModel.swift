import Foundation

/// A head model: the responses of both ears to sound from a direction.
package protocol HeadModel: Sendable {
    /// A description for people.
    var description: String { get }
    /// Samples in each response.
    var taps: Int { get }
    /// The responses of the left and the right ear to a click from a relative bearing in degrees (0 ahead, 90 to the
    /// right), on a level with the ears.
    func responses(relative: Double) -> EarResponses
}

/// The responses of both ears, of equal length.
package struct EarResponses: Sendable, Hashable {
    var left: [Float]
    var right: [Float]

    package init(left: [Float], right: [Float]) {
        self.left = left
        self.right = right
    }

    /// The same sound in both ears, without direction.
    static let everywhere = EarResponses(left: [0.7], right: [0.7])
}

/// The simpler method: a rigid sphere. The far ear hears later (Woodworth 1938) and duller (Brown and Duda 1998).
///
/// Delay relative to the centre of the head: −(a/c)·cos θ for the near ear, (a/c)·(|θ| − π/2) for the far
/// one, θ the angle between source and ear. Shadow: (α(θ)·s + β) / (s + β), β = 2c/a, α = 1.05 + 0.95 cos(θ
/// · 180°/150°), discretised by the bilinear transformation.
package struct SphericalHead: HeadModel {
    package init() {}

    package let description = "time and level difference"
    package let taps = 2 * BeaconSettings.delayTaps + headroom + BeaconSettings.shadowTaps

    /// Samples for the longest delay between the ears.
    private static let headroom = 64

    package func responses(relative: Double) -> EarResponses {
        // The ears point to both sides.
        EarResponses(left: ear(relative + 90), right: ear(relative - 90))
    }

    /// The response of an ear at an angle in degrees between its own axis and the source.
    private func ear(_ degrees: Double) -> [Float] {
        let turned = abs(degrees.truncatingRemainder(dividingBy: 360))
        let angle = (turned > 180 ? 360 - turned : turned) * .pi / 180
        let rate = Double(BeaconSettings.sampleRate)
        let headTime = BeaconSettings.headRadius / BeaconSettings.soundSpeed
        let late = angle < .pi / 2 ? -headTime * cos(angle) : headTime * (angle - .pi / 2)
        let delay = Double(BeaconSettings.delayTaps) + Double(Self.headroom) / 2 + late * rate
        return convolved(Self.fractionalDelay(delay, count: taps - BeaconSettings.shadowTaps), shadow(angle))
    }

    /// A band-limited delay: a sinc with a Hann window.
    private static func fractionalDelay(_ delay: Double, count: Int) -> [Double] {
        let reach = Double(BeaconSettings.delayTaps)
        return (0..<count).map { sample in
            let x = Double(sample) - delay
            guard abs(x) < reach else { return 0 }
            let window = 0.5 + 0.5 * cos(.pi * x / reach)
            return x == 0 ? 1 : window * sin(.pi * x) / (.pi * x)
        }
    }

    /// The impulse response of the head's shadow.
    private func shadow(_ angle: Double) -> [Double] {
        let alpha = 1.05 + 0.95 * cos(angle * 180 / 150)
        let beta = 2 * BeaconSettings.soundSpeed / BeaconSettings.headRadius
        let k = 2 * Double(BeaconSettings.sampleRate)
        let (b0, b1, a1) = (
            (alpha * k + beta) / (k + beta), (beta - alpha * k) / (k + beta), (beta - k) / (k + beta)
        )
        var (last, lastOut) = (0.0, 0.0)
        return (0..<BeaconSettings.shadowTaps).map { sample in
            let input = sample == 0 ? 1.0 : 0
            let out = b0 * input + b1 * last - a1 * lastOut
            (last, lastOut) = (input, out)
            return out
        }
    }

    private func convolved(_ a: [Double], _ b: [Double]) -> [Float] {
        var out = [Double](repeating: 0, count: taps)
        for i in a.indices where a[i] != 0 {
            for j in b.indices where i + j < taps { out[i + j] += a[i] * b[j] }
        }
        return out.map { Float($0) }
    }
}

/// The low-pass of sources behind the listener: front and back do not differ in level or delay.
///
/// It reduces the level of a tone; `BehindLevel` compensates that.
enum BehindFilter {
    /// A one-pole low-pass as an impulse response.
    static let response: [Float] = {
        let pole = exp(-2 * .pi * BeaconSettings.behindCorner / Double(BeaconSettings.sampleRate))
        return (0..<BeaconSettings.behindTaps).map { Float((1 - pole) * pow(pole, Double($0))) }
    }()

    /// A response followed by the low-pass.
    static func applied(to samples: [Float]) -> [Float] {
        var out = [Float](repeating: 0, count: samples.count + response.count - 1)
        for (index, sample) in samples.enumerated() where sample != 0 {
            for (tap, weight) in response.enumerated() { out[index + tap] += sample * weight }
        }
        return out
    }
}

extension HeadModel {
    /// The head's responses to a source, low-passed when it is behind.
    package func heard(relative: Double) -> EarResponses {
        let ears = responses(relative: relative)
        guard BeaconSettings.behind.contains(relative) else { return ears }
        return EarResponses(
            left: BehindFilter.applied(to: ears.left), right: BehindFilter.applied(to: ears.right))
    }
}
