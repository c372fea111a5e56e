import Foundation
import PluginKit

/// Plays a sound file through the system's own program.
enum SystemSound {
    /// The programs to look for, in order of preference, with their options.
    private static let players = [
        ("pw-play", [String]()), ("paplay", []), ("aplay", ["-q"]), ("play", ["-q"]),
        ("ffplay", ["-nodisp", "-autoexit", "-loglevel", "error"]),
    ]

    /// Plays a file to its end with the first program that can: one may be installed while its sound server
    /// is not running. Stops with the task. Returns the program's name; throws `E-BEACON-NOSOUND`.
    static func play(_ file: URL, context: Context) async throws -> String {
        let installed = players.compactMap { name, options in SystemProgram(name).map { ($0, options) } }
        guard !installed.isEmpty else {
            throw BeaconErrors.sound(
                "none of these programs is installed: \(players.map(\.0).joined(separator: ", "))",
                fix:
                    "install pulseaudio-utils or alsa-utils, or write a file: beacon render … --out scene.wav"
            )
        }
        var failures: [String] = []
        let log = file.deletingPathExtension().appendingPathExtension("log")
        for (player, options) in installed {
            let failure = try await player.failure(
                to: "play", options + [file.path], log: log, check: context.checkCancelled)
            guard let failure else { return player.name }
            failures.append(failure)
        }
        throw BeaconErrors.sound(
            failures.joined(separator: "; "),
            fix: "check the sound card, or write a file: beacon render … --out scene.wav")
    }
}
