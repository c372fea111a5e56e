import Formats
import Foundation
import PluginKit

/// The speech program espeak-ng.
struct SpeechProgram: Sendable {
    private let program: SystemProgram

    static let name = "espeak-ng"

    /// The program; `nil` if it is not installed.
    init?() {
        guard let program = SystemProgram(Self.name) else { return nil }
        self.program = program
    }

    /// Options of every call: an English voice, because the texts are English.
    private static let options = ["-v", "en"]

    /// Speaks a text through the loudspeaker and waits for its end. Throws `E-GUIDE-SPEECH`.
    func say(_ text: String, in folder: URL, check: () throws -> Void) async throws {
        try await run(["--", text], nil, in: folder, check: check)
    }

    /// The sound of a text. Throws `E-GUIDE-SPEECH`.
    func sound(of text: String, in folder: URL, check: () throws -> Void) async throws -> [Float] {
        let file = folder.appendingPathComponent("words.wav")
        defer { FileManager.default.discard(file) }
        try await run(["--stdout", "--", text], file, in: folder, check: check)
        do {
            return try WAVReader.sound(try Data(contentsOf: file)).mono(rate: SpeechSettings.format.rate)
        } catch let fault as WAVFault {
            throw GuidanceErrors.speech("\(Self.name) returned no sound: \(fault)")
        }
    }

    private func run(
        _ arguments: [String], _ output: URL?, in folder: URL, check: () throws -> Void
    ) async throws {
        let log = folder.appendingPathComponent("words.log")
        let failure = try await program.failure(
            to: "speak", Self.options + arguments, output: output, log: log, check: check)
        if let failure {
            throw GuidanceErrors.speech(failure, fix: "write a file: guide play … --speak --out walk.wav")
        }
    }
}

/// Constants of speech.
enum SpeechSettings {
    /// The sound of a walk: mono, at the rate of espeak-ng.
    static let format = WAVFormat(rate: 22_050, channels: 1)
    /// Minimum seconds between two prompts.
    static let pause = 0.4
    /// The longest sound of a walk, seconds.
    static let longest = 7200.0
    /// GuidanceExample of silence written at once.
    static let block = 1 << 14
}
