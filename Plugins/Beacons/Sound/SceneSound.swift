import Foundation
import Geodesy
import PluginKit

/// A whole scene: sources around a listener who may turn and walk, for some seconds.
package struct SceneSound {
    private let lineup: AudibleSources
    private let path: ListenerPath
    private let placing: PlacementCalculator
    /// Whether a beacon that one faces has a sound of its own.
    private let marksFacing: Bool
    private let head: any HeadModel
    /// Frames that are rendered.
    package let frames: Int

    /// Measures of a rendered scene.
    package struct Outcome: Sendable {
        /// The greatest level before limiting; beyond 0.9 the sum was compressed to stay below full scale.
        var peak: Float = 0
        /// Samples that were compressed.
        var limited = 0
        /// Sums of the squares of the left and right samples.
        var energy: (left: Double, right: Double) = (0, 0)
        /// Names of sources that were reached.
        package var arrivals: [String] = []
        /// Names of places of a route that were passed at a distance.
        var passed: [String] = []
    }

    package init(
        _ lineup: AudibleSources, path: ListenerPath, placing: PlacementCalculator, head: any HeadModel,
        seconds: Double, marksFacing: Bool = false
    ) {
        self.marksFacing = marksFacing
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
        var tracker = SceneTracker(lineup.sources, path: path, placing: placing)
        let seconds = Int(Double(frames) / Double(BeaconSettings.sampleRate))
        for second in 0...seconds {
            tracker.advance(to: Double(second))
            for index in lineup.sources.indices { _ = tracker.placement(of: index, trace: &log) }
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
        var renderer = SceneRenderer(
            tones: tones, arrival: try Self.signal(StandardTones.arrival),
            facing: try Self.signal(StandardTones.facing), head: head)
        var tracker = SceneTracker(lineup.sources, path: path, placing: placing)
        let block = BeaconSettings.block
        var buffer = [Float](repeating: 0, count: 2 * block)
        var states = [SourceState](
            repeating: SourceState(relative: 0, gain: 1), count: lineup.sources.count)
        var done = 0
        while done < frames {
            try check()
            tracker.advance(to: Double(min(frames, done + block)) / Double(BeaconSettings.sampleRate))
            update(&states, &levels, &tracker, &outcome)
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
        outcome.passed = tracker.passed
        outcome.peak = renderer.peak
        outcome.limited = renderer.limited
        return outcome
    }

    private func update(
        _ states: inout [SourceState], _ levels: inout BehindLevel, _ tracker: inout SceneTracker,
        _ outcome: inout Outcome
    ) {
        var trace = NoTrace()
        for index in lineup.sources.indices {
            let placement = tracker.placement(of: index, trace: &trace)
            // The renderer filters per whole degree, so the level is compensated per degree too.
            let key = FilterBank.key(relative: placement.relative)
            let level = placement.hasArrived ? 1 : levels.gain(of: index, key: key)
            states[index] = SourceState(
                relative: placement.hasArrived ? nil : placement.relative,
                gain: Float(placement.gain) * level,
                isFacing: marksFacing && placement.isFacing)
            let name = tracker.name(of: index)
            if placement.hasArrived, !outcome.arrivals.contains(name) { outcome.arrivals.append(name) }
        }
    }

    /// A sound that tells something, from its file.
    private static func signal(_ file: String) throws -> ToneGenerator {
        guard let tone = try ToneFile.tones(in: Data(file.utf8)).first else {
            throw BeaconErrors.tone("the tone of a signal is missing")
        }
        return ToneGenerator(tone)
    }
}
