/// What the area takes for granted, in one place.
package enum BeaconSettings {
    /// Sources heard at once; of more the nearest are kept.
    package static let mostSources = 32
    /// Metres at which a beacon is placed around the listener, whatever its real distance.
    package static let sourceDistance = 4.0
    /// Within so many metres one has arrived, …
    package static let arrivalRadius = 20.0
    /// … and has not until one is farther away than this.
    package static let departureRadius = 35.0
    /// Relative bearings, in degrees, at which a source sounds duller: behind the listener.
    package static let behind = 125.0...235.0
    /// Metres up to which distance does not make a beacon quieter, when `--fade` is on.
    package static let fullGainDistance = 100.0
    /// The least gain that distance leaves: −26 dB, still to be heard.
    package static let leastGain = 0.05

    /// Samples a second of every sound.
    package static let sampleRate = 48_000
    /// Samples rendered at once; a direction changes from one block to the next, 11 ms.
    package static let block = 512
    /// What the sum of all sources is multiplied by: the nearest ear gives a full tone a peak of 4.6, which stays below
    /// the limiter's knee.
    package static let sceneGain: Float = 0.18
    /// Samples below it go through unchanged; what is above is bent so that it stays below full scale.
    package static let limiterKnee: Float = 0.9
    /// Corner of the low-pass that dulls what is behind, in hertz.
    package static let behindCorner = 1200.0
    /// Taps of that low-pass: its impulse response has fallen by 80 dB at its end.
    package static let behindTaps = 64
    /// Seconds, level and decay in e-foldings of the noise with which each ping begins.
    package static let onsetDuration = 0.004
    package static let onsetLevel: Float = 0.2
    package static let onsetDecay = 5.0

    /// Radius of the simple head in metres (Algazi, Avendano and Duda 2001: mean of 25 people).
    package static let headRadius = 0.0875
    /// Metres a second, in air at 20 °C.
    package static let soundSpeed = 343.0
    /// Half the taps of the band-limited delay of the simple head.
    package static let delayTaps = 16
    /// Taps of the simple head's shadow.
    package static let shadowTaps = 48

    /// The file that Debian's libmysofa1 brings.
    package static let systemSofa = "/usr/share/libmysofa/default.sofa"
    /// Longer SOFA files are not read.
    package static let longestSofa = 256 << 20
    /// Samples a second that a SOFA file may have; others are resampled to `sampleRate`.
    package static let sofaRates = 8000.0...384_000.0
    /// Longest measured response in samples.
    package static let longestResponse = 16_384

    /// Longest sound that is rendered, in seconds: an hour takes 690 MB.
    package static let longestSound = 3600.0
    /// Metres a second of a walk whose points have no times.
    package static let walkingSpeed = 1.4
    /// Metres ahead on a walk by which its direction is told; points nearer than that tell nothing but noise.
    package static let lookAhead = 10.0
    /// The name of north wherever a beacon is named.
    package static let northName = "north"
    /// Longest names of beacons and tones, in bytes.
    package static let longestName = 200
}
