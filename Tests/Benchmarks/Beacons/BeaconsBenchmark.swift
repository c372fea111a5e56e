import BeaconsPlugin
import Formats
import Foundation
import Geodesy
import PluginKit

/// Measures the rendering of scenes.
struct BeaconsBenchmark {
    let isQuick: Bool

    func run() throws {
        try measureScenes()
    }

    // MARK: Sound

    private func measureScenes() throws {
        let seconds = isQuick ? 10.0 : 60
        let sofa = URL(fileURLWithPath: BeaconSettings.systemSofa)
        var heads: [(String, any HeadModel)] = [("simple head", SphericalHead())]
        if FileManager.default.fileExists(atPath: sofa.path) {
            let (head, opening) = try timed { try MeasuredHead(sofa) }
            print("SOFA file opened and resampled in \(ms(opening))")
            heads.append(("measured head", head))
        } else {
            print("measured head: skipped, no such file: \(sofa.path)")
        }
        let direct = directConvolution()
        for (name, head) in heads {
            for (words, turning) in [("still", nil), ("turning", TurnRate(degrees: 90, seconds: 10))] {
                for (density, tone) in [
                    ("standard tones", standardTone()), ("tones without pause", denseTone()),
                ] {
                    let elapsed = try render(head, tone, turning, seconds)
                    // The cost of a direct convolution of the same sources, measured on a part.
                    let share = density == "standard tones" ? tone.pingDuration / tone.pingInterval : 1
                    let reference = direct * Double(head.taps) * 2 * 32 * seconds * 48_000 * share
                    print(
                        "\(Int(seconds)) s of 32 sources, \(name), \(words), \(density): \(ms(elapsed)), "
                            + "\(times(seconds / elapsed)) real time, \(times(reference / elapsed)) direct convolution"
                    )
                }
            }
        }
    }

    private func render(
        _ head: any HeadModel, _ tone: Tone, _ turning: TurnRate?, _ seconds: Double
    ) throws -> Double {
        let here = Coordinate(latitude: 46.5, longitude: 7.5)
        let beacons = (0..<32).map { number in
            Beacon(
                id: UUID(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
                name: "b\(number)",
                coordinate: here.destination(
                    bearing: Double(number) * 11.25, distance: 1000 + Double(number)),
                toneID: tone.id)
        }
        var north = North()
        north.isEnabled = false
        let set = BeaconSet(north: north, beacons: beacons, tones: [tone])
        let path = ListenerPath(at: here, heading: 0, turning: turning)
        let scene = SceneSound(
            AudibleSources(set, from: here), path: path, placing: PlacementCalculator(), head: head,
            seconds: seconds)
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "beacons-bench-\(getpid()).wav")
        defer { try? FileManager.default.removeItem(at: url) }
        return try timed {
            let file = try WAVFile(url, frames: scene.frames, format: BeaconSettings.format, force: true)
            _ = try scene.render { try file.write($0) }
            try file.finish()
        }.1
    }

    private func standardTone() -> Tone {
        Tone(id: UUID(uuid: (9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), name: "standard")
    }

    private func denseTone() -> Tone {
        var tone = standardTone()
        tone.pingDuration = 0.5
        tone.pingInterval = 0.5
        tone.echoDelay = 0.25
        return tone
    }

    /// Seconds for one multiplication and addition of a plain convolution loop.
    private func directConvolution() -> Double {
        let (count, taps) = (48_000, 256)
        let input = (0..<(count + taps)).map { Float($0 % 97) }
        let response = (0..<taps).map { Float($0 % 13) }
        var output = [Float](repeating: 0, count: count)
        let (_, seconds) = timed {
            input.withUnsafeBufferPointer { input in
                output.withUnsafeMutableBufferPointer { output in
                    for tap in 0..<taps {
                        let weight = response[tap]
                        for index in 0..<count { output[index] += weight * input[index + taps - tap] }
                    }
                }
            }
        }
        precondition(output[count / 2] != 0)
        return seconds / Double(count * taps)
    }

    // MARK: Measuring

    private func timed<T>(_ body: () throws -> T) rethrows -> (T, Double) {
        let clock = ContinuousClock()
        let start = clock.now
        let value = try body()
        let time = (clock.now - start).components
        return (value, Double(time.seconds) + Double(time.attoseconds) / 1e18)
    }

    private func ms(_ seconds: Double) -> String { "\((seconds * 1e5).rounded() / 100) ms" }
    private func times(_ ratio: Double) -> String { "\((ratio * 10).rounded() / 10)×" }
}
