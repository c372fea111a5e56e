import Foundation
import PluginKit

/// Plays a sound file through the system's own program.
enum SystemSound {
    /// The programs to look for, in order of preference, with their options.
    private static let players = [
        ("pw-play", [String]()), ("paplay", []), ("aplay", ["-q"]), ("play", ["-q"]),
        ("ffplay", ["-nodisp", "-autoexit", "-loglevel", "error"]),
    ]
    /// Interval of checks for the end of the program or of the task.
    private static let pause = Duration.milliseconds(20)

    /// Plays a file to its end with the first program that can: one may be installed while its sound server is not
    /// running. Stops with the task. Returns the program's name; throws `E-BEACON-NOSOUND`.
    static func play(_ file: URL, context: Context) async throws -> String {
        let installed = installed()
        guard !installed.isEmpty else {
            throw BeaconErrors.sound(
                "none of these programs is installed: \(players.map(\.0).joined(separator: ", "))",
                fix:
                    "install pulseaudio-utils or alsa-utils, or write a file: beacon render … --out scene.wav"
            )
        }
        var failures: [String] = []
        for player in installed {
            guard let failure = try await failure(of: player, file, context) else { return player.name }
            failures.append(failure)
        }
        throw BeaconErrors.sound(
            failures.joined(separator: "; "),
            fix: "check the sound card, or write a file: beacon render … --out scene.wav")
    }

    private typealias Player = (name: String, url: URL, options: [String])

    /// Plays a file with a program; `nil` when it was played, else what the program said.
    private static func failure(of player: Player, _ file: URL, _ context: Context) async throws -> String? {
        let (name, url, options) = player
        let process = Process()
        process.executableURL = url
        process.arguments = options + [file.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let words = file.deletingPathExtension().appendingPathExtension("log")
        _ = FileManager.default.createFile(atPath: words.path, contents: nil)
        defer { FileManager.default.discard(words) }
        // Without a log the error has no words of the program's own.
        if let log = try? FileHandle(forWritingTo: words) { process.standardError = log }
        do {
            try process.run()
        } catch {
            return "\(name) cannot be started: \((error as NSError).localizedDescription)"
        }
        while process.isRunning {
            do {
                try await Task.sleep(for: pause)
                try context.checkCancelled()
            } catch {
                process.terminate()
                process.waitUntilExit()
                throw Interruption.stopped
            }
        }
        guard process.terminationStatus == 0 else {
            let said = (try? String(contentsOf: words, encoding: .utf8)) ?? ""
            let line = said.split(separator: "\n").first.map { ": \($0)" } ?? ""
            return "\(name) could not play (status \(process.terminationStatus))\(line)"
        }
        return nil
    }

    private static func installed() -> [Player] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let folders = path.split(separator: ":").filter { $0.hasPrefix("/") }
        return players.compactMap { name, options in
            folders.lazy.map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }.map { (name, $0, options) }
        }
    }
}
