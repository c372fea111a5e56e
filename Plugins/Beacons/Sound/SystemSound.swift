import Foundation
import PluginKit

/// Plays a sound file through the system's own program.
enum SystemSound {
    /// The programs to look for, in order of preference, with their options.
    private static let players = [("pw-play", [String]()), ("paplay", []), ("aplay", ["-q"])]
    /// Interval of checks for the end of the program or of the task.
    private static let pause = Duration.milliseconds(20)

    /// Plays a file to its end; stops with the task. Returns the program's name; throws `E-BEACON-NOSOUND`.
    static func play(_ file: URL, context: Context) async throws -> String {
        guard let (name, url, options) = player() else {
            throw BeaconErrors.sound(
                "none of these programs is installed: \(players.map(\.0).joined(separator: ", "))",
                fix:
                    "install pulseaudio-utils or alsa-utils, or write a file: beacon render … --out scene.wav"
            )
        }
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
            throw BeaconErrors.sound("\(name) cannot be started: \((error as NSError).localizedDescription)")
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
            throw BeaconErrors.sound(
                "\(name) could not play (status \(process.terminationStatus))\(line)",
                fix: "check the sound card, or write a file: beacon render … --out scene.wav")
        }
        return name
    }

    private static func player() -> (String, URL, [String])? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        for (name, options) in players {
            for folder in path.split(separator: ":") where folder.hasPrefix("/") {
                let url = URL(fileURLWithPath: String(folder)).appendingPathComponent(name)
                if FileManager.default.isExecutableFile(atPath: url.path) { return (name, url, options) }
            }
        }
        return nil
    }
}
