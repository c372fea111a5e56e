import Formats
import Foundation
import Geodesy
import PluginKit
import Testing

@testable import BeaconsPlugin

/// The scene, measured on the sound itself, with both heads.
struct SceneTests {
    private static let sofa = URL(fileURLWithPath: BeaconSettings.systemSofa)

    /// The measured head available on this machine, read once.
    private static let measured = Result {
        FileManager.default.fileExists(atPath: sofa.path) && NativeLibrary.sofa.isAvailable
            ? try MeasuredHead(sofa) : nil
    }

    /// The heads available on this machine.
    static func heads() throws -> [any HeadModel] {
        let measured: (any HeadModel)? = try measured.get()
        return [SphericalHead()] + [measured].compactMap { $0 }
    }

    private static func standard() throws -> Tone {
        try #require(try ToneFile.tones(in: Data(StandardTones.json.utf8)).first)
    }

    private static func scene(
        _ directions: [Double], _ head: any HeadModel, seconds: Double = 0.2, tone: Tone? = nil
    ) throws -> Stereo {
        try Stereo.scene(directions, tone: try tone ?? standard(), head: head, seconds: seconds)
    }

    @Test func aheadThereIsNoDifferenceBetweenTheEars() throws {
        for head in try Self.heads() {
            let ahead = try Self.scene([0], head)
            #expect(ahead.delay == 0)
            #expect(abs(ahead.difference) < 0.5)
        }
    }

    @Test func toTheSideTheFarEarIsAboutSevenTenthsOfAMillisecondLater() throws {
        for head in try Self.heads() {
            let right = try Self.scene([90], head)
            #expect(right.delay > 0.0006 && right.delay < 0.0008, "\(head.description): \(right.delay)")
            #expect(right.difference < -6)
        }
    }

    @Test(arguments: [20.0, 45, 70, 90, 110])
    func leftAndRightAreMirrorImages(angle: Double) throws {
        for head in try Self.heads() {
            let right = try Self.scene([angle], head)
            let left = try Self.scene([360 - angle], head)
            #expect(abs(right.delay + left.delay) <= 1 / Measure.rate)
            #expect(abs(right.difference + left.difference) < 0.1)
            #expect(abs(Measure.energy(right.left) / Measure.energy(left.right) - 1) < 0.02)
        }
    }

    @Test func theDelayGrowsWithTheAngle() throws {
        for head in try Self.heads() {
            let delays = try [0.0, 30, 60, 90].map { try Self.scene([$0], head).delay }
            #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test func theSimpleHeadDelaysByWoodworthsFormula() {
        for angle in stride(from: 0.0, through: 90, by: 15) {
            let measure = EarMeasure(SphericalHead().responses(relative: angle))
            let theta = angle * .pi / 180
            let wanted = 0.0875 / 343 * (theta + sin(theta))
            // The shadow itself adds a small delay.
            #expect(abs(measure.delay - wanted) < 0.00005)
        }
    }

    @Test func theEnergyOfTwoIsThatOfBoth() throws {
        // Half an interval apart, so that each is heard by itself.
        var tone = try Self.standard()
        tone.pingInterval = 2
        tone.echoDelay = 0.4
        for head in try Self.heads() {
            let both = try Self.scene([40, 250], head, seconds: 4, tone: tone)
            let first = try Self.scene([40], head, seconds: 4, tone: tone)
            let second = try Self.scene([250], head, seconds: 4, tone: tone)
            // Two pings of each fall into four seconds.
            #expect(abs(both.energy / (first.energy + second.energy) - 1) < 0.01)
            #expect(both.outcome.limited == 0)
        }
    }

    @Test func noSourceNoSound() throws {
        for head in try Self.heads() {
            let nothing = try Self.scene([], head, seconds: 0.5)
            #expect(nothing.left.count == 24_000)
            #expect(nothing.left.allSatisfy { $0 == 0 } && nothing.right.allSatisfy { $0 == 0 })
        }
    }

    @Test func thirtyTwoLoudSourcesStayBelowFullScale() throws {
        // 320 Hz: their pings begin a 32nd of a second after each other, ten whole periods, so all are in phase.
        var tone = Tone.plain(320, duration: 0.2, interval: 0.2)
        tone.pingInterval = 0.2
        tone.fundamentalAmplitude = 10
        for head in try Self.heads() {
            let all = try Self.scene([Double](repeating: 90, count: 32), head, seconds: 0.5, tone: tone)
            #expect(all.peak <= 1 && all.peak > 0.9)
            #expect(all.outcome.limited > 0 && all.outcome.peak > 1)
        }
    }

    @Test func theSameBytesOnEveryRun() throws {
        let folder = FileManager.default.temporaryDirectory
        for head in try Self.heads() {
            let files = try (0..<2).map { number in
                let url = folder.appendingPathComponent("same-\(getpid())-\(number).wav")
                defer { try? FileManager.default.removeItem(at: url) }
                let path = ListenerPath(
                    at: Coordinate(latitude: 1, longitude: 1), heading: 0,
                    turning: TurnRate(degrees: 90, seconds: 1))
                let set = BeaconSet(
                    beacons: [
                        Beacon(
                            id: UUID(), name: "a", coordinate: Coordinate(latitude: 1, longitude: 2),
                            toneID: UUID())
                    ], tones: [try Self.standard()])
                let sound = SceneSound(
                    AudibleSources(set, from: path.pose(at: 0).coordinate), path: path,
                    placing: PlacementCalculator(),
                    head: head,
                    seconds: 0.5)
                let file = try WAVFile(url, frames: sound.frames, format: BeaconSettings.format, force: true)
                _ = try sound.render { try file.write($0) }
                try file.finish()
                return try Data(contentsOf: url)
            }
            #expect(files[0] == files[1])
            #expect(files[0].count == 44 + 2 * 24_000 * 2)
        }
    }

    @Test(arguments: [TurnRate(degrees: 90, seconds: 1), TurnRate(degrees: -360, seconds: 1)])
    func turningDoesNotClick(turning: TurnRate) throws {
        // A continuous plain tone: energy far from it in the spectrum results from the changes of direction.
        let tone = Tone.plain(500, duration: 1, interval: 1)
        for head in try Self.heads() {
            let still = try Stereo.scene([45], tone: tone, head: head, seconds: 0.8)
            let turned = try Stereo.scene([45], tone: tone, head: head, seconds: 0.8, turning: turning)
            // Without the onset at the beginning.
            let (a, b) = (Array(still.left[4800...]), Array(turned.left[4800...]))
            #expect(Self.roughness(b) < 1.6 * Self.roughness(a) * Float(2), "\(head.description)")
            #expect(a != b)
        }
    }

    /// The greatest third difference, which is large for clicks and small for a slow tone.
    private static func roughness(_ samples: [Float]) -> Float {
        guard samples.count > 3 else { return 0 }
        var greatest: Float = 0
        for index in 3..<samples.count {
            let third =
                samples[index] - 3 * samples[index - 1] + 3 * samples[index - 2] - samples[index - 3]
            greatest = max(greatest, abs(third))
        }
        return greatest / (samples.map(abs).max() ?? 1)
    }

    @Test func turningMovesASourceAcross() throws {
        var tone = try Self.standard()
        tone.pingInterval = 1
        for head in try Self.heads() {
            // Ahead at first; after a second of turning right it is on the left.
            let turning = TurnRate(degrees: 90, seconds: 1)
            let sound = try Stereo.scene([0], tone: tone, head: head, seconds: 1.2, turning: turning)
            let early = Measure.difference(
                left: Array(sound.left[..<9600]), right: Array(sound.right[..<9600]))
            let late = Measure.difference(
                left: Array(sound.left[48_000...]), right: Array(sound.right[48_000...]))
            #expect(abs(early) < 3)
            #expect(late > 6)
        }
    }

    @Test func behindSoundsDuller() throws {
        let tone = try Self.standard()
        for head in try Self.heads() {
            let ahead = try Self.scene([0], head, tone: tone)
            let behind = try Self.scene([180], head, tone: tone)
            func highShare(_ sound: Stereo) -> Double {
                let part = sound.left[..<7200]
                return Measure.amplitude(part, at: 2400) / Measure.amplitude(part, at: 700)
            }
            #expect(highShare(behind) < 0.6 * highShare(ahead))
        }
    }

    @Test(arguments: [126.0, 150, 180, 215])
    func behindIsNotQuieter(direction: Double) throws {
        // The expected sound from a direction: the head's responses without the low-pass, convolved with the
        // tone.
        for head in try Self.heads() {
            for tone in [try Self.standard(), .plain(500), .plain(2000), .plain(9000)] {
                let behind = try Self.scene([direction], head, seconds: 2 * tone.pingInterval, tone: tone)
                let bright = try Self.scene(
                    [direction - 180], Undulled(head: head), seconds: 2 * tone.pingInterval, tone: tone)
                let decibels = 10 * log10(behind.energy / bright.energy)
                #expect(abs(decibels) < 0.05, "\(tone.name) \(tone.frequency) \(decibels)")
            }
        }
    }

    /// A head that is turned by half a circle, so that what is behind it is heard without the low-pass.
    private struct Undulled: HeadModel {
        let head: any HeadModel
        var description: String { head.description }
        var taps: Int { head.taps }
        func responses(relative: Double) -> EarResponses {
            head.responses(relative: (relative + 180).truncatingRemainder(dividingBy: 360))
        }
    }

    @Test func everyPingBeginsWithNoise() throws {
        // A plain tone of 500 Hz has nothing at 9 kHz but for its onset.
        let sound = try Self.scene([30], SphericalHead(), seconds: 0.4, tone: .plain(500))
        let onset = Measure.amplitude(sound.left[..<480], at: 9000)
        let later = Measure.amplitude(sound.left[9600..<10_080], at: 9000)
        #expect(onset > 50 * later)
    }

    @Test func arrivalHasNoDirection() throws {
        let tone = try Self.standard()
        for head in try Self.heads() {
            let there = try Stereo.scene([90], tone: tone, head: head, seconds: 0.6, distance: 10)
            #expect(zip(there.left, there.right).allSatisfy { abs($0 - $1) < 1e-5 })
            #expect(there.energy > 0)
            #expect(there.outcome.arrivals == ["b0"])
        }
    }

    @Test func theScenesLengthIsExact() throws {
        for seconds in [0.0, 0.001, 0.5, 1.2345] {
            let sound = try Self.scene([0], SphericalHead(), seconds: seconds)
            #expect(sound.left.count == Int((seconds * 48_000).rounded()))
        }
    }

    /// The partitioned convolution against the sum that defines it.
    @Test func renderingIsTheConvolutionWithBothEars() throws {
        let tone = Tone.plain(700, duration: 0.05, interval: 1)
        for head in try Self.heads() {
            let sound = try Self.scene([60], head, seconds: 0.2, tone: tone)
            var dry = ToneGenerator(tone).samples(9600)
            for (index, noise) in Onset.samples.enumerated() { dry[index] += noise }
            let ears = head.heard(relative: 60)
            for sample in stride(from: 0, to: 4000, by: 41) {
                var expected = 0.0
                for tap in 0...min(sample, ears.left.count - 1) {
                    expected += Double(dry[sample - tap]) * Double(ears.left[tap])
                }
                expected *= Double(BeaconSettings.sceneGain)
                #expect(abs(Double(sound.left[sample]) - expected) < 1e-5)
            }
        }
    }
}
