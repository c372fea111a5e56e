import Foundation
import PluginKit

/// The sound options of a walk.
struct SpeechOptions: Sendable {
    private let speaks: Bool
    private let hasSignals: Bool
    private let out: URL?
    private let force: Bool
    /// The speech program; `nil` without --speak, with --signals, and if it is not installed.
    let program: SpeechProgram?

    /// The default output file if there is no voice.
    private static let usualFile = "walk.wav"

    static let parameter = Parameter<SpeechOptions>.group(
        .flag("speak", "speak the prompts through espeak-ng; without it, write a WAV file"),
        .flag("signals", "with --speak: a signal for each prompt instead of words"),
        .option("out", .outputFile, "with --speak: WAV file to write instead of playing"),
        .flag("force", "overwrite an existing file"), make: Self.init)

    private init(speaks: Bool, hasSignals: Bool, out: URL?, force: Bool) {
        self.speaks = speaks
        self.hasSignals = hasSignals
        self.out = out
        self.force = force
        program = speaks && !hasSignals ? SpeechProgram() : nil
    }

    /// Writes the sound of a walk if a file is requested or there is no voice; `nil` for playing.
    func written(_ walk: GuidanceWalk, rate: Double, _ context: Context) async throws -> Record? {
        guard speaks else {
            let unspoken = hasSignals ? "signals" : out != nil ? "out" : force ? "force" : nil
            guard let unspoken else { return nil }
            throw GuidanceErrors.speech(
                "--\(unspoken) requires --speak", at: .parameter(unspoken), fix: "--speak")
        }
        let isNotebook = context.files.writable != nil
        guard
            let file = try out ?? (isNotebook || program != nil ? nil : context.files.output(Self.usualFile))
        else {
            if isNotebook {
                throw GuidanceErrors.speech(
                    "a notebook does not speak", at: .parameter("speak"),
                    fix: "guide play … --speak --signals --out \(Self.usualFile)")
            }
            return nil
        }
        let folder = try FileManager.default.scratchFolder("speech")
        defer { FileManager.default.discard(folder) }
        let sound = try await WalkSound(walk, rate: rate) { event in
            guard let program else {
                return HapticSignal(event).samples(rate: SpeechSettings.format.rate)
            }
            return try await program.sound(
                of: walk.words.text(event), in: folder, check: context.checkCancelled)
        }
        try sound.write(to: file, force: force, check: context.checkCancelled)
        let seconds = Double(sound.frames) / Double(SpeechSettings.format.rate)
        return Record([
            ("file", .text(file.lastPathComponent)),
            ("seconds", .quantity(.seconds((seconds * 10).rounded() / 10))),
            ("prompts", .integer(sound.pieces.count)),
            ("voice", .text(program == nil ? "signals" : SpeechProgram.name)),
            ("notice", Value(notice, Value.text)),
        ])
    }

    /// The reason why requested words are replaced by signals.
    private var notice: String? {
        program == nil && !hasSignals
            ? "\(SpeechProgram.name) is not installed: signals instead of words" : nil
    }
}
