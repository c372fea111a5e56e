import Formats
import Foundation
import PluginKit

/// The sound of a walk: the texts of its events, or their signals, at their times.
struct WalkSound {
    /// A piece of sound and its start, in samples.
    struct Piece: Equatable {
        var begins: Int
        var samples: [Float]
    }

    /// Pieces do not overlap.
    private(set) var pieces: [Piece] = []
    /// Its length in samples.
    var frames: Int { pieces.last.map { $0.begins + $0.samples.count } ?? 0 }

    /// The sound of a walk played at a multiple of real time: `voice` returns the sound of an event. Throws
    /// `E-GUIDE-SPEECH` for a walk that is too long.
    init(
        _ walk: GuidanceWalk, rate: Double, voice: (GuidanceEvent) async throws -> [Float]
    ) async throws {
        let samplesPerSecond = Double(SpeechSettings.format.rate)
        guard let start = walk.samples.first?.walk.fix.time else { return }
        for event in walk.run.events {
            let seconds = event.time.seconds(since: start) / rate
            guard seconds <= SpeechSettings.longest else {
                throw GuidanceErrors.speech(
                    "the sound would be longer than \(Literal.duration(SpeechSettings.longest))",
                    fix: "choose a higher --rate")
            }
            // A prompt is played to its end.
            let free = frames == 0 ? 0 : frames + Int(SpeechSettings.pause * samplesPerSecond)
            pieces.append(
                Piece(
                    begins: max(free, Int(seconds * samplesPerSecond)), samples: try await voice(event)))
        }
    }

    /// Writes it into a file. Throws `E-FILE-EXISTS` or `E-FILE-ACCESS`.
    func write(to url: URL, force: Bool, check: () throws -> Void) throws {
        let file = try WAVFile(url, frames: frames, format: SpeechSettings.format, force: force)
        let silence = [Float](repeating: 0, count: SpeechSettings.block)
        var written = 0
        for piece in pieces {
            while written < piece.begins {
                try check()
                let count = min(SpeechSettings.block, piece.begins - written)
                try silence.withUnsafeBufferPointer { try file.write(.init(rebasing: $0[..<count])) }
                written += count
            }
            try piece.samples.withUnsafeBufferPointer { try file.write($0) }
            written += piece.samples.count
        }
        try file.finish()
    }
}
