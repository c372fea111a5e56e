/// The initial tones of every workspace, in the format of `tones.json`.
enum StandardTones {
    static let json = """
        [
          {
            "id": "D3F00830-1B7A-4E5E-9C39-0A7A3C1D8301",
            "name": "Default North Tone",
            "frequency": 830, "pingDuration": 0.15, "pingInterval": 5, "echoDelay": 5, "echoAttenuation": 0.28,
            "fundamentalAmplitude": 1, "harmonic2Amplitude": 1, "harmonic3Amplitude": 1, "harmonic4Amplitude": 1,
            "transientFrequency": 3000, "transientAmplitude": 0.3, "transientDecay": 50,
            "pingEnvelopeDecay": 3, "echoEnvelopeDecay": 4, "frequencySweepAmount": 0.4
          },
          {
            "id": "3A870600-1B7A-4E5E-9C39-0A7A3C1D6002",
            "name": "Warm Alternate",
            "frequency": 600, "pingDuration": 0.15, "pingInterval": 5, "echoDelay": 5, "echoAttenuation": 0.28,
            "fundamentalAmplitude": 1, "harmonic2Amplitude": 0.8, "harmonic3Amplitude": 0.6, "harmonic4Amplitude": 1,
            "transientFrequency": 3000, "transientAmplitude": 0.3, "transientDecay": 50,
            "pingEnvelopeDecay": 3, "echoEnvelopeDecay": 4, "frequencySweepAmount": 0.4
          }
        ]
        """

    /// The sound without direction of a reached beacon: a rising tone, twice a second, that no beacon uses.
    static let arrival = """
        [
          {
            "id": "A4410520-1B7A-4E5E-9C39-0A7A3C1DA003",
            "name": "Arrival",
            "frequency": 520, "pingDuration": 0.25, "pingInterval": 0.5, "echoDelay": 0, "echoAttenuation": 0,
            "fundamentalAmplitude": 0.8, "harmonic2Amplitude": 0.2, "harmonic3Amplitude": 0, "harmonic4Amplitude": 0,
            "transientFrequency": 3000, "transientAmplitude": 0, "transientDecay": 50,
            "pingEnvelopeDecay": 4, "echoEnvelopeDecay": 4, "frequencySweepAmount": -0.5
          }
        ]
        """

    /// The sound of a beacon that one faces, from its direction: a short high tick each second.
    static let facing = """
        [
          {
            "id": "FAC11760-1B7A-4E5E-9C39-0A7A3C1DF004",
            "name": "Facing",
            "frequency": 1760, "pingDuration": 0.06, "pingInterval": 1, "echoDelay": 0, "echoAttenuation": 0,
            "fundamentalAmplitude": 0.6, "harmonic2Amplitude": 0.3, "harmonic3Amplitude": 0, "harmonic4Amplitude": 0,
            "transientFrequency": 3000, "transientAmplitude": 0, "transientDecay": 50,
            "pingEnvelopeDecay": 4, "echoEnvelopeDecay": 4, "frequencySweepAmount": 0
          }
        ]
        """
}

/// Colours of beacons in pictures, used in turn; north has its own. Distinguishable with impaired colour
/// vision (Okabe and Ito 2008, without its yellow and black, which have low contrast on white and dark
/// backgrounds).
enum BeaconColors {
    static let north: UInt32 = 0xD62828
    static let places: [UInt32] = [0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7, 0x56B4E9, 0xD55E00]
}
