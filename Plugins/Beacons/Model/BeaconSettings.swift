import Formats

/// Constants of beacons.
package enum BeaconSettings {
    /// Sources heard at once; beyond that, the nearest are kept.
    static let mostSources = 32
    /// Metres at which a beacon is placed around the listener, whatever its true distance.
    static let sourceDistance = 4.0
    /// Metres within which a beacon lies in no direction, as it is where the listener is.
    static let leastDistance = 0.01
    /// Metres within which a beacon is reached.
    static let arrivalRadius = 20.0
    /// Metres within which a beacon of a route can be passed without being reached.
    static let passingRadius = 50.0
    /// Metres by which a beacon is farther away than at the nearest when it is passed: more than the noise of a position.
    static let passedBy = 15.0
    /// Metres beyond which a reached beacon is left again.
    static let departureRadius = 35.0
    /// Seconds for which the arrival at a beacon of a route is heard before the next one is.
    static let arrivalCue = 3.0
    /// Seconds between two looks at whether a beacon of a route is reached.
    static let routeStep = 0.5
    /// Degrees to either side within which one faces a beacon.
    static let facing = 15.0
    /// Relative bearings, in degrees, at which a source sounds duller: behind the listener.
    static let behind = 125.0...235.0
    /// Metres up to which distance does not make a beacon quieter, when `--fade` is on.
    static let fullGainDistance = 100.0
    /// The lowest gain that distance causes: −26 dB, still audible.
    static let leastGain = 0.05

    /// Samples a second of every sound.
    static let sampleRate = 48_000
    /// Stereo for headphones.
    package static let format = WAVFormat(rate: sampleRate, channels: 2)
    /// Samples rendered at once; a direction changes from one block to the next, 11 ms.
    static let block = 512
    /// Factor of the sum of all sources: a full tone peaks at 4.6 at the nearest ear, which stays below the limiter's
    /// knee.
    static let sceneGain: Float = 0.18
    /// Samples below it are unchanged; those above are compressed to stay below full scale.
    static let limiterKnee: Float = 0.9
    /// Corner of the low-pass for sources behind, in hertz.
    static let behindCorner = 1200.0
    /// Taps of that low-pass: its impulse response has fallen by 80 dB at its end.
    static let behindTaps = 64
    /// Seconds, level and decay in e-foldings of the noise at the start of each ping.
    static let onsetDuration = 0.004
    static let onsetLevel: Float = 0.2
    static let onsetDecay = 5.0

    /// Radius of the simple head in metres (Algazi, Avendano and Duda 2001: mean of 25 people).
    static let headRadius = 0.0875
    /// Metres a second, in air at 20 °C.
    static let soundSpeed = 343.0
    /// Half the taps of the band-limited delay of the simple head.
    static let delayTaps = 16
    /// Taps of the simple head's shadow.
    static let shadowTaps = 48

    /// The file installed by Debian's libmysofa1.
    package static let systemSofa = "/usr/share/libmysofa/default.sofa"
    /// Longer SOFA files are not read.
    static let longestSofa = 256 << 20
    /// Samples a second that a SOFA file may have; others are resampled to `sampleRate`.
    static let sofaRates = 8000.0...384_000.0
    /// Longest measured response in samples.
    static let longestResponse = 16_384

    /// Longest sound that is rendered, in seconds: an hour takes 690 MB.
    static let longestSound = 3600.0
    /// Metres a second of a walk whose points have no times.
    static let walkingSpeed = 1.4
    /// Metres ahead on a walk that determine its direction; nearer points are dominated by noise.
    static let lookAhead = 10.0
    /// The reserved name of north.
    static let northName = "north"
    /// Longest names of beacons and tones, in bytes.
    static let longestName = 200
}
