import Foundation
import Geodesy
import PluginKit

/// A whole scene: sources around a listener who may turn and walk, for some seconds.
package struct SceneSound {
    private let lineup: AudibleSources
    private let path: ListenerPath
    private let placing: PlacementCalculator
    private let head: any HeadModel
    /// Frames that are rendered.
    package let frames: Int

    /// Measures of a rendered scene.
    package struct Outcome: Sendable {
        /// The greatest level before limiting; beyond 0.9 the sum was compressed to stay below full scale.
        package var peak: Float = 0
        /// Samples that were compressed.
        package var limited = 0
        /// Sums of the squares of the left and right samples.
        package var energy: (left: Double, right: Double) = (0, 0)
        /// Names of sources that were reached.
        package var arrivals: [String] = []
    }

    package init(
        _ lineup: AudibleSources, path: ListenerPath, placing: PlacementCalculator, head: any HeadModel,
        seconds: Double
    ) {
        self.lineup = lineup
        self.path = path
        self.placing = placing
        self.head = head
        frames = Int((seconds * Double(BeaconSettings.sampleRate)).rounded())
    }

    /// The placements at each second as steps; the renderer computes them for each block.
    func trace(limit: Int) -> (log: TraceLog, picture: HeardPicturing) {
        var log = TraceLog(limit: limit)
        log.record(HeardSteps.started(path.pose(at: 0), lineup))
        var there = [Bool](repeating: false, count: lineup.sources.count)
        let seconds = Int(Double(frames) / Double(BeaconSettings.sampleRate))
        for second in 0...seconds {
            let pose = path.pose(at: Double(second))
            for (index, source) in lineup.sources.enumerated() {
                there[index] =
                    placing.placement(
                        of: source.coordinate, name: source.name, from: pose, wasThere: there[index],
                        trace: &log
                    ).hasArrived
            }
        }
        log.record(HeardSteps.ended(lineup.sources.count * (seconds + 1)))
        return (log, HeardPicturing(pose: path.pose(at: 0), sources: lineup.sources))
    }

    /// Renders the scene; `take` receives the samples block by block, left and right interleaved.
    package func render(
        check: () throws -> Void = {}, _ take: (UnsafeBufferPointer<Float>) throws -> Void
    ) throws -> Outcome {
        var outcome = Outcome()
        let tones = lineup.sources.map { ToneGenerator($0.tone) }
        var levels = BehindLevel(tones: tones, head: head)
        var renderer = SceneRenderer(tones: tones, arrival: try Self.arrivalTone(), head: head)
        let block = BeaconSettings.block
        var buffer = [Float](repeating: 0, count: 2 * block)
        var states = [SourceState](
            repeating: SourceState(relative: 0, gain: 1), count: lineup.sources.count)
        var done = 0
        while done < frames {
            try check()
            try update(
                &states, &levels,
                at: Double(min(frames, done + block)) / Double(BeaconSettings.sampleRate), &outcome)
            try buffer.withUnsafeMutableBufferPointer { buffer in
                renderer.render(states, into: buffer)
                let part = UnsafeBufferPointer(rebasing: buffer[..<(2 * min(block, frames - done))])
                for index in stride(from: 0, to: part.count, by: 2) {
                    outcome.energy.left += Double(part[index] * part[index])
                    outcome.energy.right += Double(part[index + 1] * part[index + 1])
                }
                try take(part)
            }
            done += block
        }
        outcome.peak = renderer.peak
        outcome.limited = renderer.limited
        return outcome
    }

    private func update(
        _ states: inout [SourceState], _ levels: inout BehindLevel, at time: Double, _ outcome: inout Outcome
    ) throws {
        let pose = path.pose(at: time)
        var trace = NoTrace()
        for (index, source) in lineup.sources.enumerated() {
            let placement = placing.placement(
                of: source.coordinate, name: source.name, from: pose, wasThere: states[index].relative == nil,
                trace: &trace)
            // The renderer filters per whole degree, so the level is compensated per degree too.
            let key = FilterBank.key(relative: placement.relative)
            let level = placement.hasArrived ? 1 : levels.gain(of: index, key: key)
            states[index] = SourceState(
                relative: placement.hasArrived ? nil : placement.relative, gain: Float(placement.gain) * level
            )
            if placement.hasArrived, !outcome.arrivals.contains(source.name) {
                outcome.arrivals.append(source.name)
            }
        }
    }

    private static func arrivalTone() throws -> ToneGenerator {
        guard let tone = try ToneFile.tones(in: Data(StandardTones.arrival.utf8)).first else {
            throw BeaconErrors.tone("the arrival tone is missing")
        }
        return ToneGenerator(tone)
    }
}
