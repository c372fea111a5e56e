import Foundation
import PluginKit
import TrailStores

/// The sound of a beacon. The stored names of the fields are those of `tones.json`; times in seconds, frequencies in
/// hertz, amplitudes and decays plain numbers.
package struct Tone: Sendable, Hashable {
    package var id: UUID
    package var name: String
    var frequency = 830.0
    package var pingDuration = 0.15
    package var pingInterval = 5.0
    package var echoDelay = 5.0
    var echoAttenuation = 0.28
    var fundamentalAmplitude = 1.0
    var harmonic2Amplitude = 1.0
    var harmonic3Amplitude = 1.0
    var harmonic4Amplitude = 1.0
    var transientFrequency = 3000.0
    var transientAmplitude = 0.3
    var transientDecay = 50.0
    var pingEnvelopeDecay = 3.0
    var echoEnvelopeDecay = 4.0
    var frequencySweepAmount = 0.4

    package init(id: UUID, name: String) {
        self.id = id
        self.name = name
    }

    /// The amplitudes of the harmonics from the fundamental on.
    var harmonics: [Double] {
        [fundamentalAmplitude, harmonic2Amplitude, harmonic3Amplitude, harmonic4Amplitude]
    }
}

/// A numeric field of a tone: its name in files and commands, its property, unit and range.
struct ToneField: Sendable {
    /// The unit for input and display of a field.
    enum Measure: Sendable {
        case hertz
        case seconds
        case plain
    }

    let name: String
    /// The name of the option that sets it: `ping-interval` for the field `pingInterval`.
    var option: String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }
    let path: WritableKeyPath<Tone, Double> & Sendable
    let measure: Measure
    let range: ClosedRange<Double>
    let help: String

    /// All fields in the order of the file format's description.
    static let all: [ToneField] = [
        ToneField("frequency", \.frequency, .hertz, "fundamental at the start of a ping"),
        ToneField("pingDuration", \.pingDuration, .seconds, "duration of a ping"),
        ToneField("pingInterval", \.pingInterval, .seconds, "time from one ping to the next"),
        ToneField("echoDelay", \.echoDelay, .seconds, "time from a ping to its echo"),
        ToneField("echoAttenuation", \.echoAttenuation, .plain, "level of the echo"),
        ToneField("fundamentalAmplitude", \.fundamentalAmplitude, .plain, "level of the fundamental"),
        ToneField("harmonic2Amplitude", \.harmonic2Amplitude, .plain, "level of twice the frequency"),
        ToneField(
            "harmonic3Amplitude", \.harmonic3Amplitude, .plain, "level of three times the frequency"),
        ToneField(
            "harmonic4Amplitude", \.harmonic4Amplitude, .plain, "level of four times the frequency"),
        ToneField("transientFrequency", \.transientFrequency, .hertz, "frequency of the attack"),
        ToneField("transientAmplitude", \.transientAmplitude, .plain, "level of the attack"),
        ToneField("transientDecay", \.transientDecay, .plain, "decay of the attack"),
        ToneField("pingEnvelopeDecay", \.pingEnvelopeDecay, .plain, "decay of a ping"),
        ToneField("echoEnvelopeDecay", \.echoEnvelopeDecay, .plain, "decay of an echo"),
        ToneField(
            "frequencySweepAmount", \.frequencySweepAmount, .plain,
            "share of the frequency by which a ping falls; negative rises"),
    ]

    init(
        _ name: String, _ path: WritableKeyPath<Tone, Double> & Sendable, _ measure: Measure,
        _ help: String
    ) {
        self.name = name
        self.path = path
        self.measure = measure
        range = ToneLimits.range(of: name)
        self.help = help
    }
}

extension Tone {
    /// The reason why the tone is invalid; `nil` if it is valid.
    var fault: String? {
        for field in ToneField.all {
            let value = self[keyPath: field.path]
            guard value.isFinite else { return "\(field.name) is not a number" }
            guard field.range.contains(value) else {
                return
                    "\(field.name) must be between \(short(field.range.lowerBound)) and "
                    + "\(short(field.range.upperBound)), not \(short(value))"
            }
        }
        if pingDuration > pingInterval { return "a ping (pingDuration) lasts longer than its pingInterval" }
        return nil
    }

    private func short(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)"
    }
}

extension ToneField.Measure {
    /// A number of this unit as a value.
    func value(_ number: Double) -> Value {
        switch self {
        case .hertz: .quantity(Quantity(number, .frequency))
        case .seconds: .quantity(Quantity(number, .duration))
        case .plain: .number(number)
        }
    }
}
